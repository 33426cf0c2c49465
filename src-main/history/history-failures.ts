// Owns the failures of a history in words, for the store and its writer.
import { systemCodeOf } from '../files/file-error'
import type { LockError } from '../files/owner-lock'
import type { HistoryError } from './history-error'

export const NOT_EMPTY: HistoryError = {
  kind: 'not_empty',
  message: 'A file can only be imported into a new workspace; this one has a history already.'
}

export function lockErrorOf(error: LockError): HistoryError {
  if (error.kind !== 'held') return error
  return { kind: 'locked', owner: error.owner, message: `Could not save to the history. ${error.message}` }
}

export function damagedPartial(path: string): HistoryError {
  return {
    kind: 'damaged',
    path,
    message: `The answer that was streaming when Tidemark stopped could not be read. Its file was kept as ${path}; everything before it is in the history.`
  }
}

export function unknownOutcome(cause: unknown, path: string): HistoryError {
  return {
    kind: 'outcome_unknown',
    path,
    code: systemCodeOf(cause) ?? '',
    message: `The disk failed while saving to the history (${path}), and it cannot be read now. Check the disk and open the workspace again before you send more: the message may have been saved.`
  }
}
