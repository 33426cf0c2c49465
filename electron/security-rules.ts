// Owns the decisions of the shell's security: which page is ours, which links may leave, which
// permission is given, what the page may load. Pure values; security.ts applies them.
import { join, normalize, sep } from 'node:path'

/** The page is served under this origin, by app-protocol.ts; no `file:` page exists. */
export const APP_SCHEME = 'app'
export const APP_ORIGIN = 'app://tidemark'
export const APP_PAGE = `${APP_ORIGIN}/index.html`

/** Schemes that may be handed to the operating system. Others can start programs or read files. */
const EXTERNAL_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** Writing text to the clipboard after a click (copy buttons); all else is denied. */
const GRANTED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  // Dialogs and virtual lists set inline styles; without scripts they can't carry anything out.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'object-src': "'none'",
  'frame-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'"
}

/** The Content-Security-Policy header of every response of the app's own origin. */
export function contentSecurityPolicy(): string {
  return Object.entries(POLICY)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}

function parsed(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null // not a URL; URL.canParse is younger than Node 18.15
  }
}

/** True for a link that may be opened outside: a well-formed http, https or mailto address. */
export function isExternalUrl(url: string): boolean {
  const target = parsed(url)
  if (target === null || !EXTERNAL_SCHEMES.has(target.protocol)) return false
  // Credentials in a link only serve to disguise where it leads.
  return target.username === '' && target.password === ''
}

/** True when `url` is a page of the origin that this window was made for (the dev server's in development). */
export function isOwnUrl(url: string, ownPage: string): boolean {
  const [target, own] = [parsed(url), parsed(ownPage)]
  if (target === null || own === null) return false
  // `origin` of a custom scheme is "null" in Node, so its parts are compared.
  return target.protocol === own.protocol && target.host === own.host
}

/** True for the few permissions that the app's own page gets. */
export function isGrantedPermission(permission: string, requestingUrl: string, ownPage: string): boolean {
  return GRANTED_PERMISSIONS.has(permission) && isOwnUrl(requestingUrl, ownPage)
}

/** The dev server's page when the app runs from sources and was told of one on this machine; else the built page. */
export function pageOf(environment: Readonly<Record<string, string | undefined>>, isPackaged: boolean): string {
  const server = environment['ELECTRON_RENDERER_URL']
  if (isPackaged || server === undefined) return APP_PAGE
  const host = parsed(server)?.hostname
  return host === 'localhost' || host === '127.0.0.1' ? server : APP_PAGE
}

/** The file under `folder` that a URL of the app's origin names, or null when it names anything else. */
export function rendererFileOf(url: string, folder: string): string | null {
  const target = parsed(url)
  if (target === null || !isOwnUrl(url, APP_ORIGIN)) return null
  // Separators and NUL hidden by escapes, and escapes that are none: no file of ours has them.
  if (/%2f|%5c|%00|%(?![0-9a-f]{2})|\\/i.test(target.pathname)) return null
  const path = normalize(join(folder, decodeURIComponent(target.pathname)))
  return path.startsWith(folder + sep) ? path : null
}
