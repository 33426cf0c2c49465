// Owns when a streaming answer's row is closed and the next one goes on (H-13). Pure.
import { MAX_ROW_BYTES } from '@common/constants'
import type { NewRow, RowPart } from './row-schema'

/** Room for what is added to a row when it is closed: usage, model, sequence, timestamps. */
const CLOSING_ALLOWANCE_BYTES = 4_096

/** Bytes of the row as a stored line, its newline left out. */
export function rowBytes(row: NewRow): number {
  return jsonBytes(row)
}

/** Bytes of one part inside a stored line, with its comma. */
export function partBytes(part: RowPart): number {
  return jsonBytes(part) + 1
}

/**
 * Ask at a step boundary or between two tool calls: true when the row must be closed before a part of
 * `nextPartBytes` is added (for a tool call: call and result together, they never part). An empty row
 * is never closed.
 */
export function shouldCloseRow(row: NewRow, nextPartBytes: number): boolean {
  if (row.parts.length === 0) return false
  return rowBytes(row) + nextPartBytes + CLOSING_ALLOWANCE_BYTES > MAX_ROW_BYTES
}

function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value))
}

/** UTF-8 length without an encoder: this layer knows neither DOM nor Node. */
export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // A pair is two units and four bytes, so each of its halves adds one; JSON text has no lone halves.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
