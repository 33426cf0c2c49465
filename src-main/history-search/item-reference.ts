// Owns which id a row is told by: the short one that finds it again where it stands, else an exact one.
import type { Row } from '@common/rows/row-schema'
import type { HistoryState } from '../history/history-state'
import {
  epochHash,
  exactItemId,
  fingerprintOf,
  type ExactReference,
  MAX_SHORT_MESSAGE_ID,
  sequenceItemId
} from './item-id'

/** A row where it was found. */
export interface FoundRow {
  readonly row: Row
  readonly window: number
  readonly byteOffset: number
  /** Its line, without the newline. */
  readonly line: string
}

/**
 * A sequence names the window that it belongs to, a message id none: it is given for rows without a sequence. A row
 * that stands in another window than its sequence says (a file put together by hand) has an exact id only.
 */
export function itemIdOf(found: FoundRow, state: HistoryState): string {
  const { row, window } = found
  const sequence = row.metadata.historySequence
  if (sequence === undefined)
    return row.id.length <= MAX_SHORT_MESSAGE_ID && isPlain(row.id)
      ? `m:${row.id}`
      : exactItemId(referenceOf(found, state))
  return isPlainSequence(sequence) && homeOf(sequence, state.windows) === window
    ? sequenceItemId(sequence)
    : exactItemId(referenceOf(found, state))
}

export function referenceOf({ window, byteOffset, line }: FoundRow, { epoch }: HistoryState): ExactReference {
  return { epoch: epochHash(epoch), window, byteOffset, fingerprint: fingerprintOf(Buffer.from(line)) }
}

/** The window that a sequence belongs to, by the windows' names; null when all of them began later. */
export function homeOf(sequence: number, windows: readonly number[]): number | null {
  return windows.findLast((window) => window <= sequence) ?? null
}

function isPlainSequence(sequence: number): boolean {
  return Number.isInteger(sequence) && sequence >= 0 && sequence < 1e15
}

/** Without what a model or a terminal would garble. */
function isPlain(id: string): boolean {
  return !/[\s\p{Cc}\p{Surrogate}]/u.test(id)
}
