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

/** What reading a window again came to; what is wrong is told in full by the warning beside it. */
export function checkText(check: WindowCheck): string {
  switch (check.kind) {
    case 'verified':
      return `Read again: ${countText(check.rows, 'row')} as written.`
    case 'differs':
      return 'Read again: not as written.'
    case 'failed':
      return 'It could not be read.'
  }
}
