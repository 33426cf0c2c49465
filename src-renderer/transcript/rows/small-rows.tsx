// Owns the rows of one line: a copy of an earlier message, damaged lines, a turn at work, a retry, a problem.
import { CornerLeftUp, FileWarning, Pause } from 'lucide-react'
import type { ProblemItem, RetryingItem, WorkingItem } from '@common/rows/display-items'
import type { Row } from '@common/rows/row-schema'
import { Elapsed } from '../../ui/elapsed'
import { countText, elapsedText } from '../../ui/format'
import { useNow } from '../../ui/use-now'
import { useTranscriptActions } from '../transcript-actions'
import { RowEnding } from './row-ending'
import { problemText, rowText } from './row-texts'

export interface CopyRowProps {
  readonly row: Row
  readonly originalRowId: string
  /** Moves to a row; false where it is not loaded. */
  readonly onShowRow: (rowId: string) => boolean
}

/** The same message again in a fresh window (P-7): a quiet link to the original, also where that is far away. */
export function CopyRow({ row, originalRowId, onShowRow }: CopyRowProps) {
  const { onGoToRow } = useTranscriptActions()
  const show = () => {
    if (!onShowRow(originalRowId)) onGoToRow?.(originalRowId)
  }
  return (
    <div data-testid="row-user" data-row-id={row.id} className="flex justify-end">
      <button
        type="button"
        onClick={show}
        className="flex max-w-[85%] min-w-0 items-center gap-2 rounded-small px-1.5 text-small text-quiet hover:bg-hover hover:text-text touch:h-11"
      >
        <CornerLeftUp size={14} aria-hidden className="shrink-0" />
        <span className="shrink-0">Sent again in this window:</span>
        <span dir="auto" className="truncate">
          {rowText(row)}
        </span>
      </button>
    </div>
  )
}

export function DamagedRow({ lines }: { readonly lines: number }) {
  return (
    <p className="flex items-start gap-2 text-small text-quiet">
      <FileWarning size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <span>
        {countText(lines, 'line')} of this history cannot be read and {lines === 1 ? 'is' : 'are'} passed over. Nothing
        was deleted: run <code>tidemark doctor</code> to see where.
      </span>
    </p>
  )
}

/** Stands where the turn's summary will stand. */
export function WorkingRow({ item }: { readonly item: WorkingItem }) {
  return (
    <p className="flex h-6 items-center gap-2 text-micro text-quiet">
      <span
        aria-hidden
        className={item.waiting ? 'size-1.5 rounded-full bg-warn' : 'size-1.5 rounded-full bg-accent'}
      />
      {item.waiting ? 'Waits for you' : 'Working'}
      {item.startedAtMs !== null && <Elapsed sinceMs={item.startedAtMs} />}
    </p>
  )
}

export function RetryingRow({ retry }: { readonly retry: RetryingItem['retry'] }) {
  const nowMs = useNow(true)
  const left = retry.retryAtMs - nowMs
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-2 text-small text-quiet">
      <span aria-hidden className="size-1.5 rounded-full bg-warn" />
      <span className="wrap-anywhere">{retry.failure.message}</span>
      <span className="tabular-nums">
        {left > 0 ? `Trying again in ${elapsedText(left + 999)}` : 'Trying again now'} · attempt {retry.attempt + 1}
      </span>
    </p>
  )
}

/** The work stopped for a rollover or a warning that did not follow (U-4). */
export function PausedRow() {
  return (
    <p data-testid="row-paused" className="flex min-h-6 items-center gap-2 text-small text-quiet">
      <Pause size={13} aria-hidden className="shrink-0" />
      <span>paused · continues with your next message</span>
    </p>
  )
}

export interface ProblemRowProps {
  readonly problem: ProblemItem['problem']
  readonly retryable: boolean
}

export function ProblemRow({ problem, retryable }: ProblemRowProps) {
  return <RowEnding ending={problemText(problem)} retryable={retryable} />
}
