// Owns that no answer is larger than HISTORY_RESULT_BYTES, its JSON and its markers included (S-8).
import { HISTORY_RESULT_BYTES, MAX_HISTORY_CURSOR_CHARS } from '@common/constants'
import { HISTORY_NOTE, type SessionHistoryOutput } from '@common/tools/session-history-contract'

/** Everything around a list or an item: note, cursor, counts, names, brackets. */
const FRAME_BYTES =
  jsonBytes({ note: HISTORY_NOTE, windows: [], cursor: '', exhausted: false, skipped_oversized_rows: 1e15 }) +
  MAX_HISTORY_CURSOR_CHARS

/** Bytes that a list, or an item, may take. */
export const CONTENT_BYTES = HISTORY_RESULT_BYTES - FRAME_BYTES

/** Bytes of a value's JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Takes entries of a list while they fit. */
export class ListRoom {
  #left = CONTENT_BYTES

  /** False when there is no room for it. */
  take(entry: unknown): boolean {
    const bytes = jsonBytes(entry) + 1
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }
}

/** The very last look at an answer; a larger one is a bug. */
export function checkSize(output: SessionHistoryOutput): SessionHistoryOutput {
  const bytes = jsonBytes(output)
  if (bytes > HISTORY_RESULT_BYTES) throw new RangeError(`A result of ${bytes} bytes is over its cap.`)
  return output
}
