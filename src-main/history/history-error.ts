// Owns the expected failures of a history as values; each carries one clear sentence for the person.
import type { FileError } from '../files/file-error'
import type { LockOwner } from '../files/owner-lock'

/** What an edit takes out, or would take out. */
export interface CutSummary {
  readonly rows: number
  /** Whole later windows among it. */
  readonly windows: number
  /** The window in which the cut begins. */
  readonly windowId: string
}

export type HistoryError =
  /** The system refused: disk full, read-only, permission denied, … Nothing of the batch is in the history. */
  | FileError
  /** Another process held the write lock for longer than we wait. Nothing was written. */
  | { readonly kind: 'locked'; readonly message: string; readonly owner: LockOwner }
  /** A row is over the line limit; the session closes rows earlier (H-13). Nothing was written. */
  | { readonly kind: 'line_too_large'; readonly message: string; readonly rowId: string; readonly bytes: number }
  /** The write failed and what it left could not be removed yet; read before sending again. */
  | { readonly kind: 'outcome_unknown'; readonly message: string; readonly path: string; readonly code: string }
  /** The file that a page cursor points into was rewritten or cut; page again from the end. */
  | { readonly kind: 'stale_cursor'; readonly message: string }
  /** A stored thing (spill, attachment, partial row) is not what it should be. It is left as it is. */
  | { readonly kind: 'damaged'; readonly message: string; readonly path: string }
  /** Import was asked to write into a workspace that has rows already. */
  | { readonly kind: 'not_empty'; readonly message: string }
  /** No row with this id; another process may have cut it. Nothing was changed. */
  | { readonly kind: 'row_not_found'; readonly message: string; readonly rowId: string }
  /** The edit would take later windows with it (H-10); ask the person, then ask again. Nothing was changed. */
  | { readonly kind: 'needs_confirmation'; readonly message: string; readonly cut: CutSummary }
  /** This row cannot be edited so. Nothing was changed. */
  | { readonly kind: 'refused'; readonly message: string }
  /** An edit counts, but the disk failed before it was done: it is finished before the next append (H-10). */
  | { readonly kind: 'edit_unfinished'; readonly message: string; readonly path: string; readonly code: string }
  /** The store was closed. */
  | { readonly kind: 'closed'; readonly message: string }
