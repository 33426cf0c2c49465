// Owns finding a literal text in another for the eye: what is matched and what stands between. Pure.

export interface TextPiece {
  readonly text: string
  readonly match: boolean
}

/** What a regular expression does not take literally. */
const SPECIAL = /[\\^$.*+?()[\]{}|/]/gu

/** The text in pieces, in order; joined they are the text. An empty query matches nothing. */
export function splitByMatch(text: string, query: string): TextPiece[] {
  if (query === '') return text === '' ? [] : [{ text, match: false }]
  const pattern = new RegExp(query.replaceAll(SPECIAL, '\\$&'), 'giu')
  const pieces: TextPiece[] = []
  let end = 0
  for (const found of text.matchAll(pattern)) {
    if (found.index > end) pieces.push({ text: text.slice(end, found.index), match: false })
    pieces.push({ text: found[0], match: true })
    end = found.index + found[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), match: false })
  return pieces
}
