// Owns the division of a long answer into several rows that stay small (H-13). Pure.
import { MAX_ROW_BYTES } from '@common/constants'
import { isKnownPart, type NewRow, type ReasoningPart, type RowPart, type TextPart } from './row-schema'
import { partBytes, rowBytes } from './split-row'

/** Kept free in each row for its metadata. */
const METADATA_ALLOWANCE_BYTES = 8_192
/** A character takes at most six bytes of JSON (an escape). */
const MAX_BYTES_A_CHAR = 6

/**
 * The row as one or several rows, each under MAX_ROW_BYTES where its parts allow it: cut between parts (a call
 * and its result are one part) and, in a longer text, between characters. The first keeps the row's id; each
 * later one names the row that it goes on from, and whether its first part goes on too; sums and how it ended stand
 * on the last alone.
 */
export function divideRow(row: NewRow, newId: () => string): NewRow[] {
  if (rowBytes(row) <= MAX_ROW_BYTES) return [row]
  const rests = new Set<RowPart>()
  const groups = groupParts(row.parts, rests)
  const {
    usage: _usage,
    contextUsage: _context,
    costUsd: _cost,
    interrupted: _interrupted,
    error: _error,
    ...shared
  } = row.metadata
  let previous: string | null = null
  return groups.map((parts, index) => {
    const id = index === 0 ? row.id : newId()
    const own = index === groups.length - 1 ? row.metadata : shared
    const startsPart = parts[0] === undefined || !rests.has(parts[0])
    const metadata = previous === null ? own : { ...own, continues: previous, startsPart }
    previous = id
    return { ...row, id, parts, metadata }
  })
}

/** `rests` takes the pieces that are not the first of their text. */
function groupParts(parts: readonly RowPart[], rests: Set<RowPart>): RowPart[][] {
  const room = MAX_ROW_BYTES - METADATA_ALLOWANCE_BYTES
  const groups: RowPart[][] = [[]]
  let used = 0
  const pieces = parts.flatMap((whole) => {
    const divided = divideText(whole, room)
    for (const rest of divided.slice(1)) rests.add(rest)
    return divided
  })
  for (const part of pieces) {
    const bytes = partBytes(part)
    if (used > 0 && used + bytes > room) {
      groups.push([])
      used = 0
    }
    addTo(groups.at(-1) ?? [], part, rests)
    used += bytes
  }
  return groups
}

/** Pieces of one text that come into one row are one part there: what is two parts in a row was two in the answer. */
function addTo(group: RowPart[], part: RowPart, rests: Set<RowPart>): void {
  const before = group.at(-1)
  if (before === undefined || !rests.has(part) || !isText(part) || !isText(before)) {
    group.push(part)
    return
  }
  const joined = { ...part, text: before.text + part.text }
  if (rests.has(before)) rests.add(joined)
  group[group.length - 1] = joined
}

function isText(part: RowPart): part is TextPart | ReasoningPart {
  return isKnownPart(part) && (part.type === 'text' || part.type === 'reasoning')
}

/** A text over `room` bytes as several texts that join to it; never between the halves of a pair. */
function divideText(part: RowPart, room: number): RowPart[] {
  if (!isText(part)) return [part]
  if (partBytes(part) <= room) return [part]
  const { text, ...fields } = part
  // Signatures and the like belong to the whole text; they stay with its last piece.
  const { providerMetadata: _signed, ...plain } = fields
  const chars = Math.floor((room - partBytes({ ...fields, text: '' })) / MAX_BYTES_A_CHAR)
  const pieces: RowPart[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + Math.max(chars, 2), text.length)
    const unit = text.charCodeAt(end - 1)
    if (end < text.length && unit >= 0xd800 && unit <= 0xdbff) end--
    const isLast = end === text.length
    pieces.push({ ...(isLast ? fields : plain), text: text.slice(at, end), type: part.type })
    at = end
  }
  return pieces
}
