// Owns striking known secrets out of a text before it is logged, exported or shown. Exact values only;
// what merely looks like a key is the business of whoever quotes a foreign text.

/** Shorter values would strike ordinary words; no provider issues keys that short. */
const MIN_SECRET_CHARS = 8

const STRUCK = '[key removed]'

/** A function that strikes each secret, also where it stands JSON-escaped, URL-encoded or in base64. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_CHARS) continue
    for (const form of formsOf(secret)) if (form.length >= MIN_SECRET_CHARS) forms.add(form)
  }
  // Longest first: a secret may hold another one.
  const ordered = [...forms].toSorted((a, b) => b.length - a.length)
  return (text) => ordered.reduce((clean, form) => clean.split(form).join(STRUCK), text)
}

function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed(secret)), ...base64Of(secret)]
}

/** Base64 with and without padding, both alphabets: basic authentication headers are written so. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}

/** Without lone surrogates, which URL encoding refuses. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
