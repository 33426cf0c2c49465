// Owns the bytes of a batch: every row numbered, one line each, none over the line limit.
import { MAX_LINE_BYTES } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import { isBoundary } from '@common/rows/boundaries'
import type { NewRow, Row } from '@common/rows/row-schema'
import type { HistoryError } from './history-error'
import { numberRow } from './number-row'

export interface EncodedBatch {
  readonly rows: Row[]
  /** Valid until the next batch is encoded with the same `scratch`. */
  readonly bytes: Buffer
  /** True when the batch begins a new window. */
  readonly startsWindow: boolean
}

export interface EncodeOptions {
  readonly firstSequence: number
  /** For rows without a timestamp. */
  readonly nowMs: number
  readonly isAfterTornLine: boolean
  /** Used for the bytes when they fit. */
  readonly scratch: Buffer
}

/** Throws for a boundary row that is not the batch's first: it would not begin a window (H-5). */
export function encodeBatch(
  rows: readonly NewRow[],
  { firstSequence, nowMs, isAfterTornLine, scratch }: EncodeOptions
): Result<EncodedBatch, HistoryError> {
  const numbered = rows.map((row, index) => numberRow(row, firstSequence + index, nowMs))
  const boundaryAt = numbered.findLastIndex(isBoundary)
  if (boundaryAt > 0) throw new TypeError(`Row ${boundaryAt} of a batch is a boundary; only the first may be one.`)
  // A torn line is closed, so that the new row stays readable (H-3); a new window has none before it.
  let text = isAfterTornLine && boundaryAt !== 0 ? '\n' : ''
  for (const row of numbered) {
    const line = JSON.stringify(row)
    const tooLarge = checkSize(row, line)
    if (tooLarge !== null) return err(tooLarge)
    text += `${line}\n`
  }
  return ok({ rows: numbered, bytes: bytesOf(text, scratch), startsWindow: boundaryAt === 0 })
}

/** A unit of text is at most three bytes. */
const MAX_BYTES_A_UNIT = 3

function bytesOf(text: string, scratch: Buffer): Buffer {
  if (text.length * MAX_BYTES_A_UNIT > scratch.length) return Buffer.from(text)
  return scratch.subarray(0, scratch.write(text))
}

/** The error for a row that may not be stored, or null. */
export function checkSize(row: Row, line: string): HistoryError | null {
  // Cheap for nearly all rows.
  if (line.length * MAX_BYTES_A_UNIT <= MAX_LINE_BYTES) return null
  const bytes = Buffer.byteLength(line)
  if (bytes <= MAX_LINE_BYTES) return null
  return {
    kind: 'line_too_large',
    rowId: row.id,
    bytes,
    message: `This message is ${bytes} bytes long; the history keeps at most ${MAX_LINE_BYTES} bytes in one. Send it in parts or as a file.`
  }
}
