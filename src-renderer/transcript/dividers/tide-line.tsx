// Owns the tide line: a fine rule with a small label where a window begins. It opens to why it is there.
import { memo, useId } from 'react'
import type { DividerItem } from '@common/rows/display-items'
import { timeText } from '../../ui/format'
import { useNow } from '../../ui/use-now'
import { useDisclosure } from '../use-disclosure'
import { windowIdOf } from '@common/ids'
import { dividerDetails, dividerFacts } from './divider-texts'
import { useWindowCheck } from './use-window-check'
import { VerifyWindow, WindowSeal, WindowWarning } from './window-check'

export interface TideLineProps {
  readonly item: DividerItem
  /** Number of the window that begins here; null while it is not known. */
  readonly windowNumber: number | null
  /** Sequence at which the window that ended here began; null when there is none, or it is not known. */
  readonly endedStart: number | null
}

export const TideLine = memo(function TideLine({ item, windowNumber, endedStart }: TideLineProps) {
  const { row, divider } = item
  const [open, turn] = useDisclosure(`divider:${item.key}`)
  const detailId = useId()
  const ended = useWindowCheck(endedStart === null ? null : windowIdOf(endedStart), row)
  const [label, ...facts] = dividerFacts(row, divider, windowNumber)
  return (
    <div data-testid={`${divider}-divider`} data-row-id={row.id} data-window-number={windowNumber ?? undefined}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? detailId : undefined}
        onClick={turn}
        className="group/tide flex min-h-6 w-full flex-wrap items-center justify-between gap-x-6 text-micro text-quiet transition-colors hover:text-text touch:min-h-11"
      >
        <span aria-hidden className="tide-rule" />
        <span className="relative min-w-0 bg-surface px-2 text-left text-balance narrow:ml-4">
          <span className="font-medium">{label}</span>
          {facts.map((fact) => (
            <span key={fact} className="tabular-nums">
              {' · '}
              {fact}
            </span>
          ))}
        </span>
        <span className="relative shrink-0 bg-surface px-2 text-left narrow:text-right">
          {endedStart !== null && (
            <WindowSeal check={ended.check} number={windowNumber === null ? null : windowNumber - 1} />
          )}
          {row.metadata.timestamp !== undefined && <Time timestampMs={row.metadata.timestamp} />}
        </span>
      </button>
      <WindowWarning check={ended.check} />
      {open && (
        <dl id={detailId} className="flex flex-col gap-1 px-2 py-2 text-small narrow:pl-6">
          {dividerDetails(row, divider).map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-3">
              <dt className="w-28 shrink-0 text-quiet">{name}</dt>
              <dd className="min-w-0 flex-1 basis-48 wrap-anywhere">{value}</dd>
            </div>
          ))}
          {endedStart !== null && <VerifyWindow asked={ended.asked} verify={ended.verify} />}
        </dl>
      )}
    </div>
  )
})

function Time({ timestampMs }: { readonly timestampMs: number }) {
  const nowMs = useNow(false)
  return (
    <time dateTime={new Date(timestampMs).toISOString()} className="ml-4 hidden tabular-nums narrow:inline">
      {timeText(timestampMs, nowMs)}
    </time>
  )
}
