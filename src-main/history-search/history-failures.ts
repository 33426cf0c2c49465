// Owns the failures of session_history in words for an agent: what is wrong, and what to do next.
import { err, type Err } from '@common/result'
import type { HistoryCandidate, HistoryFailure } from '@common/tools/session-history-contract'
import type { CursorProblem } from './cursor-codec'

/** A field of the input is missing or cannot be used. */
export function invalidInput(field: string, problem: string): Err<HistoryFailure> {
  return err({ error: 'invalid_input', message: `${field}: ${problem}` })
}

const CURSOR_PROBLEMS: Readonly<Record<CursorProblem, string>> = {
  forged: 'This is no cursor of ours. Copy the cursor of the last answer exactly, or leave it out to begin anew.',
  foreign:
    'This cursor belongs to another call. Use it with the same action, query and window or item as the call that gave it, or leave it out to begin anew.'
}

export function cursorFailure(problem: CursorProblem): Err<HistoryFailure> {
  return err({ error: 'invalid_cursor', message: `cursor: ${CURSOR_PROBLEMS[problem]}` })
}

/** The file that a cursor points into was rewritten. */
export function staleCursor(): Err<HistoryFailure> {
  return err({
    error: 'stale_cursor',
    message: 'The history was changed since this cursor was given, so it cannot go on from there.',
    restart_hint: 'Make the same call without a cursor.'
  })
}

export function unknownWindow(windowId: string): Err<HistoryFailure> {
  return err({
    error: 'unknown_window',
    message: `window_id: there is no window ${JSON.stringify(windowId)} here. list_windows names them.`
  })
}

export function missingItem(itemId: string): Err<HistoryFailure> {
  return err({
    error: 'not_found',
    message: `item_id: there is no item ${JSON.stringify(itemId)} that can be read. search and list_windows give ids.`
  })
}

export function staleItem(itemId: string): Err<HistoryFailure> {
  return err({
    error: 'stale_item',
    message: `item_id: ${itemId} named a row of the history as it was; it was changed since.`,
    restart_hint: 'Search again, or use the id that begins with i:.'
  })
}

export function ambiguousItem(itemId: string, candidates: readonly HistoryCandidate[]): Err<HistoryFailure> {
  return err({
    error: 'ambiguous_item',
    message: `item_id: ${JSON.stringify(itemId)} fits ${candidates.length} items. Choose one by its exact id.`,
    candidates
  })
}

export function unreadable(message: string): Err<HistoryFailure> {
  return err({ error: 'history_unreadable', message })
}
