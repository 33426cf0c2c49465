// Owns the requests of the inspector: the list, and beside it what the chosen one held; on a phone one of the two.
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState, type RefObject } from 'react'
import { Button } from '../ui/button'
import { countText } from '../ui/format'
import { EmptyState, ErrorState, Skeleton } from '../ui/view-states'
import { ContentContainer } from './content-container'
import { RequestList } from './request-list'
import { useRequestList } from './use-request-list'

export interface RequestsContainerProps {
  readonly workspaceId: string
  readonly windowId: string | null
  readonly windowName: (windowId: string) => string
  readonly shows: { readonly list: boolean; readonly content: boolean }
  readonly listRef: RefObject<HTMLDivElement | null>
  readonly contentRef: RefObject<HTMLDivElement | null>
  readonly onEnter: () => void
  readonly onLeave: () => void
  readonly onInside: (isInside: boolean) => void
  readonly onGoToRow: (rowId: string) => void
}

export function RequestsContainer({
  workspaceId,
  windowId,
  windowName,
  shows,
  listRef,
  contentRef,
  ...on
}: RequestsContainerProps) {
  const { list, onEnd, again } = useRequestList(workspaceId, windowId)
  const [wanted, setWanted] = useState<number | null>(null)
  const isReady = list.kind === 'ready' && list.value.requests.length > 0
  useEffect(() => {
    if (isReady) listRef.current?.focus()
  }, [isReady, listRef])
  if (list.kind === 'loading') return <Skeleton bars={[40, 60, 50]} label="Loading requests" className="p-4" />
  if (list.kind === 'failed')
    return (
      <div className="p-4">
        <ErrorState message={list.message} action={<Button onClick={again}>Load again</Button>} />
      </div>
    )
  const { requests, total, damagedLines } = list.value
  const damage =
    damagedLines === 0 ? null : (
      <p role="note" className="border-b border-line bg-warn-surface px-4 py-2 text-small">
        {countText(damagedLines, 'line')} of the log of requests cannot be read; what they said is not listed.
      </p>
    )
  const [newest] = requests
  if (newest === undefined)
    return (
      <>
        {damage}
        <EmptyState
          title={
            windowId === null ? 'No request was sent in this workspace yet.' : 'No request was sent in this window.'
          }
        />
      </>
    )
  // A newer one that comes meanwhile takes nothing away from who reads.
  const chosen = wanted ?? newest.requestSequence
  if (wanted === null) setWanted(chosen)
  const isEnded = requests.find(({ requestSequence }) => requestSequence === chosen)?.outcome !== 'unknown'
  return (
    <>
      {damage}
      <div className="flex min-h-0 flex-1">
        {shows.list && (
          <div className="flex min-h-0 w-full flex-col border-line narrow:w-76 narrow:shrink-0 narrow:border-r">
            <p className="shrink-0 px-4 py-1.5 text-micro text-quiet tabular-nums">{countText(total, 'request')}</p>
            <RequestList
              requests={requests}
              total={total}
              chosen={chosen}
              onChoose={setWanted}
              onEnter={on.onEnter}
              onEnd={onEnd}
              ref={listRef}
            />
          </div>
        )}
        {shows.content && (
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            {!shows.list && (
              <Button
                kind="quiet"
                icon={<ArrowLeft size={14} aria-hidden />}
                className="m-1 self-start"
                onClick={on.onLeave}
              >
                All requests
              </Button>
            )}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it notes where the focus is */}
            <section
              ref={contentRef}
              aria-label={`Request ${chosen}`}
              tabIndex={-1}
              onFocus={() => on.onInside(true)}
              className="min-h-0 flex-1 overflow-y-auto outline-none"
            >
              <ContentContainer
                key={chosen}
                place={{ workspaceId, requestSequence: chosen }}
                isEnded={isEnded}
                windowName={windowName}
                onGoToRow={on.onGoToRow}
              />
            </section>
          </div>
        )}
      </div>
    </>
  )
}
