// Owns reading an unknown error: walks wrappers, causes and bodies and lays out what is known, judging nothing.
// Knows the shapes that the AI SDK throws and those that it puts into a stream as plain objects.

export interface ErrorFacts {
  /** HTTP status, from the response or from the error object of a stream; null when there is none. */
  readonly status: number | null
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string>>
  /** Every `type`, `code` and `status` word found, joined by spaces, lower case. */
  readonly words: string
  /** All messages and bodies found, for pattern matching only. */
  readonly text: string
  /** The server's own sentence, to be quoted (after redaction), or null. */
  readonly quote: string | null
  /** Error class names along the chain of causes. */
  readonly names: readonly string[]
  /** System or undici error codes along the chain, as ECONNREFUSED. */
  readonly networkCodes: readonly string[]
  /** Host and port that the request went to, when known. */
  readonly host: string | null
  /** Set when our own watch gave the request up. */
  readonly stallMs: number | null
}

type Fields = Readonly<Record<string, unknown>>

/** Causes deeper than this are not looked at: nothing nests so far but a loop. */
const MAX_DEPTH = 8

/** Reads whatever was thrown or streamed as an error. Never throws. */
export function errorFactsOf(error: unknown): ErrorFacts {
  const chain = chainOf(error)
  const bodies = chain.flatMap(bodiesOf)
  const first = <T>(read: (fields: Fields) => T | null): T | null => {
    for (const fields of [...chain, ...bodies]) {
      const value = read(fields)
      if (value !== null) return value
    }
    return null
  }
  const all = [...chain, ...bodies]
  return {
    status: first(statusOf),
    headers: first((fields) => headersOf(fields['responseHeaders'])) ?? {},
    words: all.flatMap(wordsOf).join(' ').toLowerCase(),
    text: [...all.flatMap(textsOf), ...chain.flatMap((fields) => stringOf(fields['responseBody']) ?? [])].join('\n'),
    quote: quoteOf(bodies) ?? quoteOf(chain),
    names: chain.flatMap((fields) => stringOf(fields['name']) ?? []),
    networkCodes: chain.flatMap((fields) => networkCodeOf(fields) ?? []),
    host: first((fields) => hostOf(fields['url'])),
    stallMs: first((fields) => (typeof fields['stallMs'] === 'number' ? fields['stallMs'] : null))
  }
}

/** The error and everything it wraps, outermost first. A plain string counts as a message. */
function chainOf(error: unknown): Fields[] {
  const chain: Fields[] = []
  let current: unknown = typeof error === 'string' ? (parsedOf(error) ?? { message: error }) : error
  while (isFields(current) && chain.length < MAX_DEPTH && !chain.includes(current)) {
    chain.push(current)
    current = current['lastError'] ?? current['cause']
  }
  return chain
}

/** Error objects inside of one link: response bodies, SDK `data`, rejected chunks, Google's list form. */
function bodiesOf(fields: Fields): Fields[] {
  const found: Fields[] = []
  const visit = (value: unknown, depth: number): void => {
    const body = typeof value === 'string' ? parsedOf(value) : value
    if (Array.isArray(body)) {
      for (const item of body.slice(0, MAX_DEPTH)) visit(item, depth)
      return
    }
    if (!isFields(body) || depth > 3 || found.includes(body)) return
    found.push(body)
    for (const key of ['error', 'response', 'metadata', 'value']) visit(body[key], depth + 1)
  }
  for (const key of ['responseBody', 'data', 'error', 'response', 'value']) visit(fields[key], 0)
  return found
}

function statusOf(fields: Fields): number | null {
  for (const key of ['statusCode', 'status_code', 'code', 'status']) {
    const value = Number(typeof fields[key] === 'string' && !/^\d{3}$/.test(fields[key]) ? Number.NaN : fields[key])
    if (Number.isInteger(value) && value >= 100 && value <= 599) return value
  }
  return null
}

function headersOf(value: unknown): Readonly<Record<string, string>> | null {
  if (!isFields(value)) return null
  const headers: Record<string, string> = {}
  for (const [name, content] of Object.entries(value)) headers[name.toLowerCase()] = String(content)
  return headers
}

function wordsOf(fields: Fields): string[] {
  return ['type', 'code', 'status', 'reason'].flatMap((key) => stringOf(fields[key]) ?? [])
}

function textsOf(fields: Fields): string[] {
  return ['message', 'detail', 'error', 'raw'].flatMap((key) => stringOf(fields[key]) ?? [])
}

/** The innermost message: wrappers speak of themselves, the server speaks of the fault. */
function quoteOf(links: readonly Fields[]): string | null {
  const texts = links.flatMap(textsOf).filter((text) => text.trim() !== '')
  return texts.at(-1) ?? null
}

function networkCodeOf(fields: Fields): string | null {
  const code = stringOf(fields['code'])
  return code !== null && /^(?:E[A-Z]|UND_ERR|CERT_|ERR_|UNABLE_|SELF_SIGNED|DEPTH_ZERO)/.test(code) ? code : null
}

function hostOf(value: unknown): string | null {
  const url = stringOf(value)
  return url === null ? null : (/^\w+:\/\/(?:[^/@]*@)?([^/?#]+)/.exec(url)?.[1] ?? null)
}

function parsedOf(text: string): Fields | unknown[] | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) || Array.isArray(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
