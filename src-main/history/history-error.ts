// Owns the expected failures of a history as values; each carries one clear sentence for the person.
import type { FileError } from '../files/file-error'
import type { LockOwner } from '../files/owner-lock'

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
  /** The store was closed. */
  | { readonly kind: 'closed'; readonly message: string }
