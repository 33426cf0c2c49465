// Owns which view draws an item: one exhaustive switch.
import { memo } from 'react'
import type { DisplayItem } from '@common/rows/display-items'
import { SummarisingLine } from './dividers/summarising-line'
import { TideLine } from './dividers/tide-line'
import type { LiveState } from './live-state'
import { MachineLine } from './machine/machine-line'
import { AssistantRow } from './rows/assistant-row'
import { NotSentRow } from './rows/not-sent-row'
import { PersonRow } from './rows/person-row'
import { CopyRow, DamagedRow, PausedRow, ProblemRow, RetryingRow, WorkingRow } from './rows/small-rows'

export interface ItemViewProps {
  readonly item: DisplayItem
  /** Null for a stored row. */
  readonly live: LiveState | null
  readonly retryable: boolean
  readonly goesOn: boolean
  readonly windowNumber: number | null
  /** Of a divider: where the window that ended there began; else null. */
  readonly endedStart: number | null
  /** Moves to another row; does nothing for one that is not loaded. */
  readonly onShowRow: (rowId: string) => boolean
}

export const ItemView = memo(function ItemView({
  item,
  live,
  retryable,
  goesOn,
  windowNumber,
  endedStart,
  onShowRow
}: ItemViewProps) {
  switch (item.kind) {
    case 'person':
      return <PersonRow row={item.row} />
    case 'copy':
      return <CopyRow row={item.row} originalRowId={item.originalRowId} onShowRow={onShowRow} />
    case 'assistant':
      return <AssistantRow item={item} live={live} retryable={retryable} goesOn={goesOn} />
    case 'line':
      return <MachineLine row={item.row} rowKind={item.rowKind} />
    case 'divider':
      return <TideLine item={item} windowNumber={windowNumber} endedStart={endedStart} />
    case 'summarising':
      return <SummarisingLine />
    case 'not-sent':
      return <NotSentRow row={item.row} />
    case 'damaged':
      return <DamagedRow lines={item.lines} />
    case 'working':
      return <WorkingRow item={item} />
    case 'retrying':
      return <RetryingRow retry={item.retry} />
    case 'paused':
      return <PausedRow />
    case 'problem':
      return <ProblemRow problem={item.problem} retryable={retryable} />
  }
})
