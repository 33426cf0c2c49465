// Owns measuring and cutting text by the bytes that it takes as a JSON string, never inside a code point.

/** Bytes of a value's JSON in UTF-8; `undefined` counts as `null`. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? 'null')
}

/** The longest beginning of `text` that takes at most `maxBytes` inside a JSON string, quotes not counted. */
export function headWithin(text: string, maxBytes: number): string {
  // A code unit takes at least one byte, so that more than maxBytes of them never fit.
  return text.slice(
    0,
    longestFit(Math.min(text.length, maxBytes), maxBytes, (length) => wholeHead(text, length))
  )
}

/** The longest end of `text` that takes at most `maxBytes` inside a JSON string. */
export function tailWithin(text: string, maxBytes: number): string {
  const length = longestFit(Math.min(text.length, maxBytes), maxBytes, (candidate) => wholeTail(text, candidate))
  return length === 0 ? '' : wholeTail(text, length)
}

/** Head and tail of a text around a marker; takes at most `maxBytes` as a JSON string. */
export function headAndTail(text: string, note: string, maxBytes: number): string {
  const marker = `\n[… cut here: ${note} …]\n`
  const room = maxBytes - jsonBytes(marker)
  if (room < 2) return headWithin(marker, Math.max(0, maxBytes - 2))
  const half = Math.floor(room / 2)
  return headWithin(text, half) + marker + tailWithin(text, half)
}

/** Largest length up to `upper` whose cut fits; the sizes of whole cuts only grow with the length. */
function longestFit(upper: number, maxBytes: number, cut: (length: number) => string): number {
  let low = 0
  let high = upper
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (jsonBytes(cut(middle)) - 2 <= maxBytes) low = middle
    else high = middle - 1
  }
  return cut(low).length
}

function wholeHead(text: string, length: number): string {
  return text.slice(0, isPairAt(text, length) ? length - 1 : length)
}

function wholeTail(text: string, length: number): string {
  const start = text.length - length
  return text.slice(isPairAt(text, start) ? start + 1 : start)
}

/** True when a cut before `index` would part a surrogate pair. */
function isPairAt(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
