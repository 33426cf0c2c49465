// Owns the note below an answer that did not end by itself: what happened, what to do, a button.
import { CircleAlert, Info, RotateCcw, Square } from 'lucide-react'
import { Button } from '../../ui/button'
import { cx } from '../../ui/cx'
import { useTranscriptActions } from '../transcript-actions'
import type { EndingNote } from './row-texts'

export interface RowEndingProps {
  readonly ending: EndingNote
  readonly retryable: boolean
}

const ICONS: Record<EndingNote['tone'], typeof Info> = { danger: CircleAlert, quiet: Square, note: Info }

export function RowEnding({ ending, retryable }: RowEndingProps) {
  const { onRetry } = useTranscriptActions()
  const failed = ending.tone === 'danger'
  const Icon = ICONS[ending.tone]
  return (
    <div
      className={cx(
        'flex max-w-text flex-wrap items-center gap-x-3 gap-y-2 rounded-regular text-small',
        failed ? 'bg-danger-surface px-3 py-2' : 'text-quiet'
      )}
    >
      <Icon size={14} aria-hidden className={cx('shrink-0', failed && 'text-danger')} />
      <p dir="auto" className="min-w-40 flex-1 wrap-anywhere">
        {ending.text}
      </p>
      {retryable && (
        <Button small data-testid="row-retry" icon={<RotateCcw size={12} aria-hidden />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}
