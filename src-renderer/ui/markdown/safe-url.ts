// Owns which addresses in Markdown do anything. A closed list: everything else is inert text.

/** The address that a link opens, or null for one that must stay inert (`javascript:`, `file:`, `data:` …). */
export function safeLinkUrl(href: string): string | null {
  const url = parse(href)
  if (url === null) return null
  return url.protocol === 'https:' || url.protocol === 'http:' || url.protocol === 'mailto:' ? url.href : null
}

export type ImageSource =
  /** Holds its own bytes: shown at once. */
  | { readonly kind: 'inline'; readonly url: string }
  /** Would tell a server that it was read: shown once the person asks. */
  | { readonly kind: 'remote'; readonly url: string; readonly host: string }

/** Where an image comes from, or null when it cannot be shown at all. */
export function imageSourceOf(href: string): ImageSource | null {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=]+$/i.test(href)) return { kind: 'inline', url: href }
  const url = parse(href)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  return { kind: 'remote', url: url.href, host: url.host }
}

/** Absolute addresses only: a relative one would resolve against the page of the app itself. */
function parse(href: string): URL | null {
  try {
    return new URL(href)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
