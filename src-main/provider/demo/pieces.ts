// Owns how a text is cut for streaming: words with the space after them, joined until a piece is worth sending.

/** Shorter pieces would only cost events: a piece is a word or two. */
const MIN_PIECE_CHARS = 6

/** Pieces that, joined, are the text. Never cuts within a word, except one of more than 40 characters. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let open = ''
  for (const [word] of text.matchAll(/\S{1,40}\s*|\s+/gu)) {
    open += word
    if (open.length < MIN_PIECE_CHARS) continue
    pieces.push(open)
    open = ''
  }
  if (open !== '') pieces.push(open)
  return pieces
}
