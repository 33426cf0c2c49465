// Owns the short form of a text that lives whole in a spill: its beginning, a note, its end. Pure.

/** At most `maxBytes` of JSON; never between the halves of a surrogate pair. */
export function headAndTail(text: string, note: string, maxBytes: number): string {
  const marker = `\n[… cut here: ${note} …]\n`
  let chars = Math.min(text.length, maxBytes)
  for (;;) {
    const half = Math.floor(chars / 2)
    const cut = `${wholePairs(text.slice(0, half), 'end')}${marker}${wholePairs(text.slice(text.length - half), 'start')}`
    const bytes = Buffer.byteLength(JSON.stringify(cut))
    if (bytes <= maxBytes || chars === 0) return cut
    chars = Math.floor(chars * Math.min(maxBytes / bytes, 0.95))
  }
}

function wholePairs(text: string, side: 'start' | 'end'): string {
  if (side === 'end') return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text
}
