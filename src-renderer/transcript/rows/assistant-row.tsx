// Owns a piece of an answer: full width, no bubble; text no wider than a person reads, cards wider. The piece
// that ends its row carries how it ended, time and cost, and the actions.
import { memo } from 'react'
import type { AssistantItem } from '@common/rows/display-items'
import type { LiveState } from '../live-state'
import { RowActions } from './row-actions'
import { RowEnding } from './row-ending'
import { endingOf, rowText } from './row-texts'
import { SegmentView } from './segment-view'
import { SummaryFold } from './summary-fold'
import { TurnFacts } from './turn-facts'

export interface AssistantRowProps {
  readonly item: AssistantItem
  /** Null for a stored row. */
  readonly live: LiveState | null
  /** The last turn failed here and may be sent again. */
  readonly retryable: boolean
  /** The turn goes on below: its line about time stands there, and the actions wait. */
  readonly goesOn: boolean
}

export const AssistantRow = memo(function AssistantRow({ item, live, retryable, goesOn }: AssistantRowProps) {
  const { segments, ends, turn } = item
  const ending = ends === null || item.live ? null : endingOf(ends)
  const content = segments.map((segment) => (
    <SegmentView key={segment.key} rowId={item.rowId} segment={segment} live={live} />
  ))
  const empty = segments.length === 0 && ends !== null && ending === null && !item.live
  return (
    <div data-testid="row-assistant" data-row-id={item.rowId} className="group/row flex min-w-0 flex-col gap-2">
      {item.summary ? (
        <SummaryFold id={item.key} live={item.live}>
          {content}
        </SummaryFold>
      ) : (
        content
      )}
      {empty && <p className="text-small text-quiet">The answer was empty.</p>}
      {ending !== null && <RowEnding ending={ending} retryable={retryable} />}
      {ends !== null && !item.live && !goesOn && (
        <footer className="-ml-1 flex h-6 items-center gap-2">
          {turn !== null && <TurnFacts turn={turn} />}
          <RowActions row={ends} text={() => rowText(ends)} />
        </footer>
      )}
    </div>
  )
})
