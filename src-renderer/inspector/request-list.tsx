// Owns the list of requests: two lines each, drawn only where it is in view. One of them is chosen; the arrows move that,
// Enter goes to what it held.
import { useVirtualizer } from '@tanstack/react-virtual'
import { CircleAlert, Unlink } from 'lucide-react'
import { useEffect, useId, useRef, type KeyboardEvent, type RefObject } from 'react'
import type { InspectedRequest } from '@common/contract/inspector-views'
import { cx } from '../ui/cx'
import { timeText } from '../ui/format'
import { useNow } from '../ui/use-now'
import { figuresText, kindText, percentText } from './inspector-texts'

export interface RequestListProps {
  /** Newest first. */
  readonly requests: readonly InspectedRequest[]
  readonly total: number
  /** Sequence of the chosen one. */
  readonly chosen: number | null
  readonly onChoose: (requestSequence: number) => void
  /** Goes to what the chosen one held. */
  readonly onEnter: () => void
  /** The end of what is loaded is near. */
  readonly onEnd: () => void
  readonly ref: RefObject<HTMLDivElement | null>
}

const LINE_PX = 56
/** Rows that PageUp and PageDown pass. */
const PAGE_ROWS = 8
/** So many rows before the end of what is loaded, more is asked for. */
const AHEAD_ROWS = 20

export function RequestList({ requests, total, chosen, onChoose, onEnter, onEnd, ref }: RequestListProps) {
  const nowMs = useNow(false)
  const id = useId()
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: requests.length,
    getScrollElement: () => ref.current,
    getItemKey: (index) => requests[index]?.requestSequence ?? index,
    estimateSize: () => LINE_PX,
    overscan: 8
  })
  const lines = virtualizer.getVirtualItems()
  const lastDrawn = lines.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastDrawn >= requests.length - AHEAD_ROWS) end.current()
  }, [lastDrawn, requests.length])
  const at = requests.findIndex(({ requestSequence }) => requestSequence === chosen)

  function chooseAt(index: number): void {
    const to = Math.max(0, Math.min(index, requests.length - 1))
    const request = requests[to]
    if (request === undefined) return
    onChoose(request.requestSequence)
    virtualizer.scrollToIndex(to)
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to = indexOfKey(event.key, at, requests.length)
    if (to === null && event.key !== 'Enter' && event.key !== 'ArrowRight') return
    event.preventDefault()
    if (to === null) onEnter()
    else chooseAt(to)
  }

  return (
    <div
      ref={ref}
      role="listbox"
      tabIndex={0}
      aria-label="Requests, newest first"
      aria-activedescendant={at === -1 ? undefined : `${id}-${requests[at]?.requestSequence ?? ''}`}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
    >
      <div role="presentation" className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {lines.map(({ index, start }) => {
          const request = requests[index]
          if (request === undefined) return null
          const { requestSequence } = request
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list has the keys
            <div
              key={requestSequence}
              id={`${id}-${requestSequence}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              aria-setsize={total}
              aria-posinset={index + 1}
              data-request={requestSequence}
              onClick={() => {
                onChoose(requestSequence)
                onEnter()
              }}
              style={{ height: LINE_PX, transform: `translateY(${start}px)` }}
              className={cx(
                'absolute inset-x-0 top-0 flex cursor-default flex-col justify-center gap-0.5 border-l-2 px-4 text-small',
                index === at ? 'border-accent bg-accent-surface' : 'border-transparent hover:bg-hover'
              )}
            >
              <RequestLine request={request} nowMs={nowMs} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function RequestLine({ request, nowMs }: { readonly request: InspectedRequest; readonly nowMs: number }) {
  const { requestSequence, outcome, atMs, brokenBy, prefix } = request
  const isWrong = outcome === 'failed' || outcome === 'unknown'
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span className="font-medium tabular-nums">{requestSequence}</span>
        <span className="min-w-0 flex-1 truncate">{kindText(request)}</span>
        <span className="text-micro text-quiet tabular-nums">{timeText(atMs, nowMs)}</span>
      </span>
      <span className="flex items-center gap-2 text-micro text-quiet tabular-nums">
        {isWrong && <CircleAlert size={12} aria-hidden className="shrink-0 text-warn" />}
        <span className="min-w-0 flex-1 truncate">{figuresText(request)}</span>
        {brokenBy !== null && prefix !== null && (
          <span className="flex shrink-0 items-center gap-1 text-text">
            <Unlink size={12} aria-hidden className="text-warn" />
            prefix {percentText(prefix.totalBytes === 0 ? 0 : prefix.stableBytes / prefix.totalBytes)}
          </span>
        )}
      </span>
    </>
  )
}

function indexOfKey(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'PageDown':
      return at + PAGE_ROWS
    case 'PageUp':
      return at - PAGE_ROWS
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
