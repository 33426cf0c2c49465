// Owns the transcript wired to the state and to its actions.
import { useMemo } from 'react'
import { canRetryTurn } from '@common/rows/display-rows'
import { jumpToWindow } from '../store/actions/jump-actions'
import { loadNewer, loadOlder, showLatest } from '../store/actions/page-actions'
import { reopenSession } from '../store/actions/session-actions'
import { useApp, useAppState } from '../store/app-context'
import type { App } from '../store/app-store'
import { olderCursorOf, skippedLinesOf } from '../store/loaded-history'
import { isBusy, openingSession } from '../store/session-state'
import { WelcomeContainer } from '../first-run/welcome-container'
import { Transcript } from '../transcript/transcript'
import { useTranscriptItems } from '../transcript/use-transcript-items'
import { Button } from '../ui/button'
import { focusComposer } from './regions'
import { transcriptActions } from './transcript-actions-of'
import { useJump } from './use-jump'
import { useTrimAtEnd } from './use-trim-at-end'

export function TranscriptContainer({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const opening = useMemo(() => openingSession(workspaceId), [workspaceId])
  const session = useAppState((state) => state.sessions[workspaceId] ?? opening)
  const { history, live, status, approvals, questions, toolOutputs, link, loaded } = session
  const debug = useAppState((state) => state.settings.machineRows)
  const busy = isBusy(status)
  const hasOlder = olderCursorOf(history) !== null
  const apart = history.after !== null
  const { rows, tail } = useTranscriptItems({
    rows: history.rows,
    busy,
    hasOlder,
    skippedLines: skippedLinesOf(history),
    apart,
    debug,
    live,
    status,
    waiting: approvals.length + questions.length > 0
  })
  const actions = useMemo(() => transcriptActions(app, workspaceId), [app, workspaceId])
  const liveState = useMemo(() => ({ approvals, questions, toolOutputs }), [approvals, questions, toolOutputs])
  const state =
    link.kind === 'failed'
      ? { kind: 'failed' as const, message: link.message }
      : { kind: loaded ? ('ready' as const) : ('loading' as const) }
  const onScroll = useTrimAtEnd(app, workspaceId)
  const { transcript, jumping } = useJump(workspaceId)
  const { span, newerRows } = history
  const pagingNewer = session.pagingNewer
  const place = useMemo(
    () => ({
      span,
      opensAtEnd: !jumping,
      newer: apart
        ? {
            state: pagingNewer,
            newRows: newerRows,
            onNeed: () => void loadNewer(app, workspaceId),
            onLatest: () => void goToLatest(app, workspaceId)
          }
        : null
    }),
    [app, workspaceId, span, jumping, apart, pagingNewer, newerRows]
  )
  return (
    // `contents`: the wrapper only hears the scrolling, which does not bubble.
    <div className="contents" onScrollCapture={onScroll}>
      <Transcript
        ref={transcript}
        rows={rows}
        tail={tail}
        live={liveState}
        state={state}
        hasOlder={hasOlder}
        olderState={session.paging}
        onNeedOlder={() => void loadOlder(app, workspaceId)}
        windowStarts={session.windowStarts}
        onNeedWindow={(start) => void jumpToWindow(app, workspaceId, start)}
        place={place}
        canRetry={!apart && canRetryTurn(status, history.rows.at(-1) ?? null)}
        actions={actions}
        empty={<WelcomeContainer />}
        failedAction={<Button onClick={() => void reopenSession(app, workspaceId)}>Load again</Button>}
      />
    </div>
  )
}

/** The list begins anew there; where the focus went with the old one it goes to the message field. */
async function goToLatest(app: App, workspaceId: string): Promise<void> {
  await showLatest(app, workspaceId)
  requestAnimationFrame(() => document.activeElement === document.body && focusComposer())
}
