// Owns the inspector wired to the state (V-3): which window, which request, and how the keyboard goes between the list
// and what a request held. On a phone one of the two is on screen.
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { readLedger, readWindows } from '../store/actions/inspector-actions'
import { jumpToRow } from '../store/actions/jump-actions'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { useViewport } from '../frame/viewport'
import { Button } from '../ui/button'
import { countText } from '../ui/format'
import { Segmented } from '../ui/segmented'
import { Select } from '../ui/select'
import { EmptyState, ErrorState, Skeleton } from '../ui/view-states'
import { WorkbenchDialog } from '../ui/workbench-dialog'
import { ContentContainer } from './content-container'
import { windowText } from './inspector-texts'
import { LedgerTable } from './ledger-table'
import { RequestList } from './request-list'
import { useAnswer } from './use-answer'
import { useRequestList } from './use-request-list'

export function InspectorContainer() {
  const dialog = useAppState((state) => (state.dialog?.kind === 'inspector' ? state.dialog : null))
  // Kept for its way out.
  const [shown, setShown] = useState(dialog)
  const [times, setTimes] = useState(0)
  if (dialog !== null && dialog !== shown) {
    setShown(dialog)
    setTimes(times + 1)
  }
  const workspaceId = (dialog ?? shown)?.workspaceId
  if (workspaceId === undefined) return null
  const windowId = (dialog ?? shown)?.windowId ?? null
  return <Inspector key={times} open={dialog !== null} workspaceId={workspaceId} startWindowId={windowId} />
}

interface InspectorProps {
  readonly open: boolean
  readonly workspaceId: string
  /** Null shows the requests of all windows. */
  readonly startWindowId: string | null
}

const ALL_WINDOWS = 'all'
const TABS = [
  { value: 'requests', label: 'Requests' },
  { value: 'ledger', label: 'Costs' }
] as const
type Tab = (typeof TABS)[number]['value']

function Inspector({ open, workspaceId, startWindowId }: InspectorProps) {
  const app = useApp()
  const isNarrow = useViewport() === 'narrow'
  const [tab, setTab] = useState<Tab>('requests')
  const [windowId, setWindowId] = useState(startWindowId)
  const [isInside, setInside] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const windows = useAnswer(open ? workspaceId : null, () => readWindows(app, workspaceId))
  const known = windows.asked.kind === 'ready' ? windows.asked.value.windows : []
  const options = known.map((each, index) => ({ value: each.windowId, label: `Window ${index + 1}` })).toReversed()

  function leave(): boolean {
    if (tab !== 'requests' || !isInside) return false
    setInside(false)
    requestAnimationFrame(() => list.current?.focus())
    return true
  }
  function goToRow(rowId: string): void {
    openDialog(app, null)
    void jumpToRow(app, { workspaceId, rowId, sequence: null, words: '' })
  }
  function enter(): void {
    setInside(true)
    requestAnimationFrame(() => content.current?.focus())
  }
  function showWindow(next: string | null): void {
    setWindowId(next)
    setTab('requests')
    setInside(false)
  }

  return (
    <WorkbenchDialog
      open={open}
      onOpenChange={(next) => !next && openDialog(app, null)}
      title="What was sent"
      testId="window-inspector"
      onEscape={leave}
      controls={
        <>
          <Segmented label="What to show" value={tab} onChange={setTab} options={TABS} />
          {tab === 'requests' && (
            <div className="min-w-0 flex-1 narrow:max-w-40">
              <Select
                label="Window"
                testId="inspector-window"
                value={windowId ?? ALL_WINDOWS}
                onChange={(next) => showWindow(next === ALL_WINDOWS ? null : next)}
                options={[{ value: ALL_WINDOWS, label: 'All windows' }, ...options]}
              />
            </div>
          )}
        </>
      }
    >
      {tab === 'ledger' ? (
        <LedgerView workspaceId={workspaceId} onWindow={showWindow} />
      ) : (
        <Requests
          key={windowId ?? ALL_WINDOWS}
          workspaceId={workspaceId}
          windowId={windowId}
          windowName={(id) => windowText(known, id)}
          shows={{ list: !isNarrow || !isInside, content: !isNarrow || isInside }}
          listRef={list}
          contentRef={content}
          onEnter={enter}
          onLeave={leave}
          onInside={setInside}
          onGoToRow={goToRow}
        />
      )}
    </WorkbenchDialog>
  )
}

interface RequestsProps {
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

function Requests({ workspaceId, windowId, windowName, shows, listRef, contentRef, ...on }: RequestsProps) {
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

interface LedgerViewProps {
  readonly workspaceId: string
  readonly onWindow: (windowId: string) => void
}

function LedgerView({ workspaceId, onWindow }: LedgerViewProps) {
  const app = useApp()
  const { asked, again } = useAnswer(workspaceId, () => readLedger(app, workspaceId))
  if (asked.kind === 'loading')
    return <Skeleton bars={[80, 80, 80]} label="Adding up what the windows cost" className="p-4" />
  if (asked.kind === 'failed')
    return (
      <div className="p-4">
        <ErrorState message={asked.message} action={<Button onClick={again}>Load again</Button>} />
      </div>
    )
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <LedgerTable ledger={asked.value} onWindow={onWindow} />
    </div>
  )
}
