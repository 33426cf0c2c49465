// Owns the words of verifying a window (H-6). Pure.
import { countText } from '../../ui/format'

/** The window that ended at a divider. */
export interface EndedWindow {
  readonly windowId: string
  readonly rows: number
}

export type WindowCheck =
  | { readonly kind: 'verified'; readonly rows: number }
  /** `message` names the first row that is not what was noted of it. */
  | { readonly kind: 'differs' | 'failed'; readonly message: string }

/** What a check found: all is as it was written, or the first row that is not. */
export function checkText(check: WindowCheck): string {
  return check.kind === 'verified' ? `Verified: ${countText(check.rows, 'row')} as written.` : check.message
}
