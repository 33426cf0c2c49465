// Owns the tide line: a fine rule with a small label where a window begins. It opens to why it is there.
import { ScanSearch, Scissors, Search } from 'lucide-react'
import { Fragment, memo, useId, type ReactNode } from 'react'
import type { DividerItem } from '@common/rows/display-items'
import { Button } from '../../ui/button'
import { cx } from '../../ui/cx'
import { timeText } from '../../ui/format'
import { useNow } from '../../ui/use-now'
import { trimmedText } from '../compaction-texts'
import { useTranscriptActions } from '../transcript-actions'
import { useDisclosure } from '../use-disclosure'
import { windowIdOf } from '@common/ids'
import { windowIdOfBoundary } from '@common/rows/boundaries'
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
  const { timestamp } = row.metadata
  const { onSearchWindows, onInspectWindow } = useTranscriptActions()
  const ended = useWindowCheck(endedStart === null ? null : windowIdOf(endedStart), row)
  const leftOut = divider === 'compaction' ? trimmedText(row) : null
  const [label, ...facts] = dividerFacts(row, divider, windowNumber)
  return (
    <div data-testid={`${divider}-divider`} data-row-id={row.id} data-window-number={windowNumber ?? undefined}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? detailId : undefined}
        onClick={turn}
        // On a phone what ended stands above the rule, what begins below it; elsewhere both stand in it.
        className="group/tide flex min-h-6 w-full flex-col items-start justify-center gap-x-6 text-micro text-quiet transition-colors hover:text-text narrow:flex-row narrow:flex-wrap narrow:items-center narrow:justify-start touch:min-h-11"
      >
        <span aria-hidden className="tide-rule" />
        <span className="relative max-w-full bg-surface px-2 text-left text-balance narrow:ml-4">
          <span className="font-medium">{label}</span>
          {facts.map((fact) => (
            <Fragment key={fact}>
              {' · '}
              <span className="whitespace-nowrap tabular-nums">{fact}</span>
            </Fragment>
          ))}
        </span>
        {/* One line high: the time leaves it where there is no room. */}
        <span className="order-first flex narrow:order-none narrow:h-[1lh] narrow:grow narrow:basis-52 narrow:flex-wrap narrow:justify-end narrow:overflow-hidden">
          {endedStart !== null && (
            <WindowSeal check={ended.check} number={windowNumber === null ? null : windowNumber - 1} />
          )}
          {timestamp !== undefined && <Time timestampMs={timestamp} className="hidden narrow:inline" />}
        </span>
      </button>
      <WindowWarning check={ended.check} />
      {leftOut !== null && (
        <p className="flex max-w-text gap-2 px-2 py-1 text-small narrow:pl-6">
          <Scissors size={13} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <span>{leftOut}</span>
        </p>
      )}
      {open && (
        <dl id={detailId} className="flex flex-col gap-1 px-2 py-2 text-small narrow:pl-6">
          {timestamp !== undefined && (
            <Detail name="When">
              <Time timestampMs={timestamp} className="-mx-2" />
            </Detail>
          )}
          {dividerDetails(row, divider).map(([name, value]) => (
            <Detail key={name} name={name}>
              {value}
            </Detail>
          ))}
          {endedStart !== null && (
            <Detail name="On disk">
              <VerifyWindow asked={ended.asked} verify={ended.verify} />
            </Detail>
          )}
          {onSearchWindows !== undefined && (
            <Detail name="Above">
              <span className="flex flex-wrap gap-2">
                <Button small icon={<Search size={12} aria-hidden />} onClick={onSearchWindows}>
                  Search earlier windows
                </Button>
                {onInspectWindow !== undefined && endedStart !== null && (
                  <InspectButton onClick={() => onInspectWindow(windowIdOf(endedStart))}>
                    {windowNumber === null ? 'Inspect the window before' : `Inspect window ${windowNumber - 1}`}
                  </InspectButton>
                )}
              </span>
            </Detail>
          )}
          {onInspectWindow !== undefined && (
            <Detail name="Below">
              <InspectButton onClick={() => onInspectWindow(windowIdOfBoundary(row))}>
                {windowNumber === null ? 'Inspect this window' : `Inspect window ${windowNumber}`}
              </InspectButton>
            </Detail>
          )}
        </dl>
      )}
    </div>
  )
})

function InspectButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <Button small data-testid="inspect-window" icon={<ScanSearch size={12} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-3">
      <dt className="w-28 shrink-0 text-quiet">{name}</dt>
      <dd className="min-w-0 flex-1 basis-48 wrap-anywhere">{children}</dd>
    </div>
  )
}

function Time({ timestampMs, className }: { readonly timestampMs: number; readonly className: string }) {
  const nowMs = useNow(false)
  return (
    <time
      dateTime={new Date(timestampMs).toISOString()}
      className={cx('relative bg-surface px-2 whitespace-nowrap tabular-nums', className)}
    >
      {timeText(timestampMs, nowMs)}
    </time>
  )
}
