// Owns joining the rows of a long answer that was stored as several (H-13), so that a prompt holds the answer as it was
// streamed: its texts whole, its calls in one message, the signature of thinking with all that it signs. Pure.
// The same pieces give the same part objects, since the conversion remembers by them.
import { isKnownPart } from '@common/rows/row-schema'
import type { Row, RowPart } from '@common/rows/row-schema'
import { ValueCache } from './value-cache'

const joinedPieces = new ValueCache<RowPart>()

/** The rows with each answer's later rows joined to its first. Others are the very same rows. */
export function joinContinued(rows: readonly Row[]): Row[] {
  const answers: Row[][] = []
  for (const row of rows) {
    const open = answers.at(-1)
    const { continues } = row.metadata
    if (open !== undefined && continues !== undefined && open.at(-1)?.id === continues) open.push(row)
    else answers.push([row])
  }
  return answers.map(joinRows)
}

function joinRows(rows: readonly Row[]): Row {
  const [first, ...others] = rows
  if (first === undefined) throw new Error('an answer has at least one row')
  if (others.length === 0) return first
  const parts: RowPart[] = []
  // Rows of an earlier version do not say where a text goes on, and hold several pieces of one.
  const isTold = others.every(({ metadata }) => metadata.startsPart !== undefined)
  for (const row of rows) {
    for (const [index, part] of row.parts.entries()) {
      const mayGoOn = isTold ? index === 0 && row.metadata.startsPart === false : true
      const last = mayGoOn ? parts.at(-1) : undefined
      const joined = last === undefined ? null : joinPieces(last, part)
      if (joined === null) parts.push(part)
      else parts[parts.length - 1] = joined
    }
  }
  return { ...first, parts }
}

/** A divided text lies in pieces; its provider's metadata is with the last of them alone. */
function joinPieces(piece: RowPart, next: RowPart): RowPart | null {
  if (!isKnownPart(piece) || !isKnownPart(next)) return null
  if (piece.type !== 'text' && piece.type !== 'reasoning') return null
  if (next.type !== piece.type || piece.providerMetadata !== undefined) return null
  return joinedPieces.findOrMake(piece, [next], () => ({ ...next, text: piece.text + next.text }))
}
