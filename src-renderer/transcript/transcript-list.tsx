// Owns the virtual list: opens at the end, follows it, keeps its place when older rows come in front.
// Positions and the total height are written by the virtualizer straight to the page (directDomUpdates).
import { useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, Ref } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { Virtualizer } from '@tanstack/react-virtual'
import type { DisplayItem } from '@common/rows/display-items'
import { startsTurnOnScreen } from '@common/rows/display-items'
import { estimateHeight, gapAfter } from './item-geometry'
import { JumpToLatest } from './jump-to-latest'
import { movesTheView } from './keep-place'
import { PageEdge } from './page-edge'
import type { TranscriptProps } from './transcript'
import { AT_END } from './transcript-place'
import { moveOfKey, targetOfMove } from './transcript-keys'
import type { TranscriptMove } from './transcript-keys'
import { announcementOf } from './transcript-texts'
import { END_SLACK_PX, useFollowEnd } from './use-follow-end'
import { useItemKeys } from './use-item-keys'
import { useNewerRows } from './use-newer-rows'
import { useOlderRows } from './use-older-rows'
import { useStickToEnd } from './use-stick-to-end'
import { indexOf, useDrawnRows } from './use-drawn-rows'
import { useFoundRow } from './use-found-row'
import { useRowFocus } from './use-row-focus'
import { useStayAtEnd } from './use-stay-at-end'
import { VirtualRow } from './virtual-row'
import { WindowMark } from './window-mark'
import { windowNumbersOf } from './window-numbers'

/** For keys and commands that act from outside of the transcript. */
export interface TranscriptHandle {
  /** Shows, marks and focuses the row, and the words in it if there are any; false when it is not loaded. */
  showRow(rowId: string, words?: string): boolean
  move(move: TranscriptMove): void
}

export type TranscriptListProps = Omit<TranscriptProps, 'actions' | 'state' | 'empty' | 'failedAction'> & {
  readonly ref?: Ref<TranscriptHandle>
}

const PADDING_PX = 24
const nothing = () => undefined

export function TranscriptList(props: TranscriptListProps) {
  const { rows, tail, live, hasOlder, olderState, onNeedOlder, windowStarts, onNeedWindow, canRetry } = props
  const { place = AT_END, ref } = props
  const { newer } = place
  const scroller = useRef<HTMLDivElement>(null)
  const stored = rows.items
  const count = stored.length + tail.length
  const itemAt = (index: number): DisplayItem | undefined =>
    index < stored.length ? stored[index] : tail[index - stored.length]
  const follow = useFollowEnd(stored, tail, place.opensAtEnd)
  const following = follow.following && newer === null
  const older = useOlderRows({ stored, enabled: hasOlder && olderState === 'idle', scroller, onNeedOlder })
  const onMovedNewer = useNewerRows({
    stored,
    enabled: newer?.state === 'idle',
    scroller,
    onNeedNewer: newer?.onNeed ?? nothing
  })
  const measured = useRef<Virtualizer<HTMLDivElement, HTMLElement> | null>(null)
  const heightOf = useCallback((index: number) => measured.current?.measurementsCache[index]?.size ?? 0, [])
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count,
    getScrollElement: () => scroller.current,
    getItemKey: useItemKeys(stored, tail),
    estimateSize: (index) => {
      const item = itemAt(index)
      return item === undefined ? 0 : estimateHeight(item) + gapAfter(item, itemAt(index + 1))
    },
    anchorTo: 'end',
    scrollEndThreshold: END_SLACK_PX,
    paddingStart: PADDING_PX,
    paddingEnd: PADDING_PX,
    scrollPaddingStart: PADDING_PX,
    rangeExtractor: useDrawnRows(scroller, heightOf),
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    // Beyond any list: the first render mounts the rows at its end.
    initialOffset: Number.MAX_SAFE_INTEGER,
    onChange: (instance) => {
      const offsetPx = instance.scrollOffset ?? 0
      // The end of what is loaded is not the end of the conversation.
      follow.onMoved(offsetPx, newer === null && instance.isAtEnd(END_SLACK_PX))
      older.onMoved(offsetPx)
      onMovedNewer()
    }
  })
  useLayoutEffect(() => {
    measured.current = virtualizer
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = movesTheView
  }, [virtualizer])
  const scrollToEnd = useStickToEnd(scroller, virtualizer, count, following)
  useStayAtEnd(scroller, scrollToEnd, place.opensAtEnd)
  const focusRow = useRowFocus(scroller, virtualizer)
  const [currentKey, setCurrentKey] = useState<string | null>(null)
  const windows = useMemo(
    () => windowNumbersOf({ items: stored, dividerIndexes: rows.dividerIndexes, starts: windowStarts }),
    [stored, rows.dividerIndexes, windowStarts]
  )
  const firstInView = virtualizer.range?.startIndex ?? 0
  const { showRow, foundKey, drawnKeyOf, onFocused } = useFoundRow({
    stored,
    scroller,
    virtualizer,
    heightOf,
    focusRow
  })
  const toLatest = newer?.onLatest ?? (() => focusRow(count - 1))
  const move = (wanted: TranscriptMove) => {
    if (wanted === 'latest') return toLatest()
    const from = indexOf(document.activeElement, scroller.current) ?? firstInView
    const target = targetOfMove(wanted, from, count, {
      turnAt: (index) => startsTurnOnScreen(itemAt(index)),
      windowAt: (index) => rows.dividerIndexes.includes(index)
    })
    if (target !== null) return focusRow(target)
    if (wanted === 'next-turn') return scrollToEnd()
    if (wanted === 'previous-turn') return
    const start = windows.startBeside(from, wanted === 'next-window' ? 'next' : 'previous')
    if (start !== null) onNeedWindow?.(start)
  }
  useImperativeHandle(ref, () => ({ showRow, move }))

  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = moveOfKey(event, event.target instanceof HTMLInputElement)
    if (wanted === null) return
    event.preventDefault()
    move(wanted)
  }
  const onFocus = (event: FocusEvent) => {
    const index = indexOf(event.target, scroller.current)
    if (index === null) return
    const key = itemAt(index)?.key ?? null
    setCurrentKey(key)
    onFocused(key)
  }
  const waiting = live.approvals.length + live.questions.length > 0
  const busy = tail.some((item) => item.kind === 'working' || item.kind === 'retrying')
  const summarising = tail.some((item) => item.kind === 'summarising')
  const doing = summarising ? 'summary' : busy ? 'turn' : 'nothing'
  const drawn = virtualizer.getVirtualItems()
  // The Tab key stops at the row that had the focus last, else at the newest.
  const stop = drawn.find(({ key }) => key === currentKey)?.index ?? drawn.at(-1)?.index
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that rows do not take move between them, as in a feed */}
      <section
        ref={scroller}
        data-testid="transcript"
        aria-label="Conversation"
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {hasOlder && <PageEdge rows="older" state={olderState} onRetry={onNeedOlder} />}
        <div ref={virtualizer.containerRef} className="relative w-full">
          {drawn.map(({ index, key }) => {
            const item = itemAt(index)
            return item === undefined ? null : (
              <VirtualRow
                key={drawnKeyOf(String(key))}
                index={index}
                item={item}
                gapPx={gapAfter(item, itemAt(index + 1))}
                sealed={windows.isSealed(index)}
                current={index === stop}
                found={foundKey === key}
                windowNumber={item.kind === 'divider' ? windows.numberAt(index) : null}
                endedStart={item.kind === 'divider' ? windows.endedAt(index) : null}
                live={item.kind === 'assistant' && item.live ? live : null}
                retryable={canRetry && index === count - 1}
                goesOn={busy && index === stored.length - 1}
                measure={virtualizer.measureElement}
                onShowRow={showRow}
              />
            )
          })}
        </div>
        {newer !== null && (
          <div className="relative">
            <PageEdge rows="newer" state={newer.state} onRetry={newer.onNeed} />
          </div>
        )}
      </section>
      <WindowMark number={windowStarts.length > 1 ? windows.numberAt(firstInView) : null} />
      {!following && (
        <JumpToLatest
          newRows={newer?.newRows ?? follow.newRows}
          waiting={waiting}
          onJump={newer?.onLatest ?? scrollToEnd}
        />
      )}
      <output className="sr-only">{announcementOf(doing, live.approvals.length, live.questions.length)}</output>
    </div>
  )
}
