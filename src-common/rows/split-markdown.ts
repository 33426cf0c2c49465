// Owns where a long text may be cut so that each piece stands alone as Markdown: a blank line outside
// a fence, before a line that can continue no list and no indented block. Pure.
// Invariant: where a text is cut depends only on what stands before the cut and on the first line after
// it, so the cuts of a growing text stay where they are; the pieces joined equal the text.

/**
 * A piece is cut at the first possible place after this many characters: about half a screen, since the pieces
 * at the edges of the view are mounted whole.
 */
export const PIECE_CHARS = 3_000

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** A line that cannot belong to a list, a quote's list or an indented block begun before the blank line. */
const STARTS_AFRESH = /^(?![-+*](\s|$)|\d{1,9}[.)](\s|$))\S/
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S.*$/gm

/** Cuts a text into pieces of about `pieceChars`; a text without a safe place stays whole. */
export function splitMarkdown(text: string, pieceChars: number = PIECE_CHARS): string[] {
  if (text.length <= pieceChars) return [text]
  const pieces: string[] = []
  let pieceStart = 0
  let fence: string | null = null
  let afterBlank = false
  for (let lineStart = 0; lineStart < text.length;) {
    const lineEnd = text.indexOf('\n', lineStart)
    // The last line is not complete yet: it decides nothing, or a growing text would be cut elsewhere.
    if (lineEnd === -1) break
    const line = text.slice(lineStart, lineEnd)
    if (fence === null && afterBlank && lineStart - pieceStart >= pieceChars && STARTS_AFRESH.test(line)) {
      pieces.push(text.slice(pieceStart, lineStart))
      pieceStart = lineStart
    }
    fence = fenceAfter(line, fence)
    afterBlank = line.trim() === ''
    lineStart = lineEnd + 1
  }
  pieces.push(text.slice(pieceStart))
  return pieces
}

/**
 * A splitter for one text that grows: what was cut off before is not looked at again. Gives what
 * splitMarkdown gives; a text that does not grow out of the one before is split anew.
 */
export function createGrowingSplitter(pieceChars: number = PIECE_CHARS): (text: string) => string[] {
  let settled: readonly string[] = []
  let settledText = ''
  return (text) => {
    if (!text.startsWith(settledText)) [settled, settledText] = [[], '']
    const rest = splitMarkdown(text.slice(settledText.length), pieceChars)
    const pieces = [...settled, ...rest]
    if (rest.length > 1) {
      settled = pieces.slice(0, -1)
      settledText = settled.join('')
    }
    return pieces
  }
}

/** The link definitions of a text, one a line, so that a reference in another piece finds them. */
export function linkDefinitionsOf(text: string): string {
  return text.includes(']:') ? (text.match(DEFINITION) ?? []).join('\n') : ''
}

/** The fence that is open after a line: its marker, or null. */
function fenceAfter(line: string, open: string | null): string | null {
  const marker = FENCE.exec(line)?.[1]
  if (marker === undefined) return open
  if (open === null)
    return marker.startsWith('`') && line.slice(line.indexOf(marker) + marker.length).includes('`') ? null : marker
  const closes = marker[0] === open[0] && marker.length >= open.length && line.trim() === marker
  return closes ? null : open
}
