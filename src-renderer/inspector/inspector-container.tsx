// Owns the inspector wired to the state (V-3): which window, which request, and how the keyboard goes between the list
// and what a request held. On a phone one of the two is on screen.
import { useRef, useState } from 'react'
import { readWindows } from '../store/actions/inspector-actions'
import { jumpToRow } from '../store/actions/jump-actions'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { useViewport } from '../frame/viewport'
import { Segmented } from '../ui/segmented'
import { Select } from '../ui/select'
import { WorkbenchDialog } from '../ui/workbench-dialog'
import { windowText } from './inspector-texts'
import { LedgerContainer } from './ledger-container'
import { RequestsContainer } from './requests-container'
import { useAnswer } from './use-answer'

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
        <LedgerContainer workspaceId={workspaceId} onWindow={showWindow} />
      ) : (
        <RequestsContainer
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
