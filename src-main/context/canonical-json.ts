// Owns the one spelling of a value as JSON (V-1): what has the same spelling after a trip through a file is the same
// request. Pure. Keys in the order of their UTF-16 units, as RFC 8785 sorts them; values as JSON.stringify writes them.
import { createHash } from 'node:crypto'

/**
 * The value as canonical JSON. Bytes (an attachment) stand as their SHA-256 and their number. What JSON leaves out is
 * left out here: a field that is undefined, a function; in a list it is null. Throws for a value that has no JSON.
 */
export function canonicalJson(value: unknown): string {
  const text = spell(value, '')
  if (text === undefined) throw new TypeError('This value has no JSON.')
  return text
}

/** SHA-256 of a text's UTF-8, in hex. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function spell(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Uint8Array) return spell(spelledBytes(value), key)
  if ('toJSON' in value && typeof value.toJSON === 'function') return spell(value.toJSON(key), key)
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown, index) => spell(item, String(index)) ?? 'null').join(',')}]`
  }
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const spelled = fields.flatMap(([name, field]) => {
    const text = spell(field, name)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${spelled.join(',')}}`
}

function spelledBytes(bytes: Uint8Array): { bytes: number; sha256: string } {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
