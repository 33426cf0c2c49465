// Owns the tide line: a fine rule with a small label where a window begins. It opens to why it is there.
import { memo, useId } from 'react'
import type { DividerItem } from '@common/rows/display-items'
import { cx } from '../../ui/cx'
import { timeText } from '../../ui/format'
import { useNow } from '../../ui/use-now'
import { useDisclosure } from '../use-disclosure'
import { dividerDetails, dividerFacts } from './divider-texts'

export interface TideLineProps {
  readonly item: DividerItem
  /** Number of the window that begins here; null while it is not known. */
  readonly windowNumber: number | null
}

export const TideLine = memo(function TideLine({ item, windowNumber }: TideLineProps) {
  const { row, divider } = item
  const [open, turn] = useDisclosure(`divider:${item.key}`)
  const detailId = useId()
  const [label, ...facts] = dividerFacts(row, divider, windowNumber)
  return (
    <div data-testid={`${divider}-divider`} data-row-id={row.id} data-window-number={windowNumber ?? undefined}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? detailId : undefined}
        onClick={turn}
        className="group/tide flex min-h-6 w-full items-center gap-3 text-micro text-quiet transition-colors hover:text-text focus-visible:rounded-small touch:min-h-11"
      >
        <Rule className="w-4 narrow:w-8" />
        <span className="min-w-0 text-left text-balance">
          <span className="font-medium">{label}</span>
          {facts.map((fact) => (
            <span key={fact} className="tabular-nums">
              {' · '}
              {fact}
            </span>
          ))}
        </span>
        <Rule className="flex-1" />
        {row.metadata.timestamp !== undefined && <Time timestampMs={row.metadata.timestamp} />}
      </button>
      {open && (
        <dl id={detailId} className="flex flex-col gap-1 py-2 pl-7 text-small narrow:pl-11">
          {dividerDetails(row, divider).map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-3">
              <dt className="w-28 shrink-0 text-quiet">{name}</dt>
              <dd className="min-w-0 flex-1 basis-48 wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
})

function Rule({ className }: { readonly className: string }) {
  return (
    <span aria-hidden className={cx('h-px bg-line-strong transition-colors group-hover/tide:bg-accent', className)} />
  )
}

function Time({ timestampMs }: { readonly timestampMs: number }) {
  const nowMs = useNow(false)
  return (
    <time dateTime={new Date(timestampMs).toISOString()} className="shrink-0 tabular-nums">
      {timeText(timestampMs, nowMs)}
    </time>
  )
}
