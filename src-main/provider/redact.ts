// Owns what must never be quoted from a server's answer: keys, bearer tokens, query strings.

const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|nvapi|hf|ghp|gho|pplx)[-_][\w*.-]{6,}/gi,
  /\bAIza[\w*-]{6,}/g,
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:api[_ -]?key|token|authorization|x-api-key)\b(["']?\s*[:=]\s*["']?)[^\s"',;&]{6,}/gi,
  /\b[A-Za-z0-9_-]{40,}\b/g,
  /\?[\w-]+=[^\s"']+/g
]

/** The text with everything that looks like a key, and each of `secrets`, replaced by an ellipsis. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) if (secret.length >= 4) clean = clean.split(secret).join('…')
  for (const pattern of SECRETS) clean = clean.replace(pattern, '…')
  return clean
}
