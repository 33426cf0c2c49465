// Owns the words for whether a window is as it was written (H-6). Pure.
import { countText } from '../../ui/format'

export type WindowCheck =
  | { readonly kind: 'verified'; readonly rows: number }
  /** `message` names the first row that is not what was noted of it; `rows` as they were noted. */
  | { readonly kind: 'differs'; readonly rows: number; readonly message: string }
  /** The window could not be read. */
  | { readonly kind: 'failed'; readonly message: string }

/** What a divider says of the window that ended there, such as `148 rows · verified`. */
export function sealText(check: WindowCheck | null): string {
  switch (check?.kind) {
    case 'verified':
      return `${countText(check.rows, 'row')} · verified`
    case 'differs':
      return `${countText(check.rows, 'row')} · not as written`
    case 'failed':
      return 'could not be checked'
    case undefined:
      return 'checking'
  }
}

/** What reading a window again found: all is as it was written, or the first row that is not. */
export function checkText(check: WindowCheck): string {
  return check.kind === 'verified' ? `Read again: ${countText(check.rows, 'row')} as written.` : check.message
}
