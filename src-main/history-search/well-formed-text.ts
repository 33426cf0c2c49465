// Owns cutting and mending text by UTF-16 units: pairs stay whole, halves are replaced in output only. Pure.

const LONE_HALVES = /\p{Surrogate}/gu

/** The text with each unpaired half as U+FFFD; lengths and offsets stay as they are. */
export function mended(text: string): string {
  return text.replace(LONE_HALVES, '\ufffd')
}

/** True when a cut before `index` would part a pair. */
export function isInsidePair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index)]
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

/** `index`, moved back out of a pair. */
export function wholeIndex(text: string, index: number): number {
  return isInsidePair(text, index) ? index - 1 : index
}

/** Bytes of one character (one or two units) inside a JSON string, in UTF-8. */
function jsonBytesOf(code: number): number {
  if (code === 0x22 || code === 0x5c) return 2
  if (code < 0x20) return code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 2 : 6
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  // A lone half is written as an escape.
  if (code >= 0xd800 && code <= 0xdfff) return 6
  return code < 0x1_0000 ? 3 : 4
}

/** Units of the longest beginning that takes at most `maxBytes` inside a JSON string, never between a pair. */
export function unitsWithin(text: string, maxBytes: number): number {
  let bytes = 0
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0
    bytes += jsonBytesOf(code)
    if (bytes > maxBytes) return at
    at += code > 0xffff ? 2 : 1
  }
  return text.length
}
