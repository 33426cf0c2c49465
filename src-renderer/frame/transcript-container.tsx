// Owns the transcript wired to the state and to its actions.
import { useMemo } from 'react'
import { canRetryTurn } from '@common/rows/display-rows'
import { loadOlder, reopenSession } from '../store/actions/session-actions'
import { useApp, useAppState } from '../store/app-context'
import { olderCursorOf } from '../store/loaded-history'
import { isBusy, openingSession } from '../store/session-state'
import { WelcomeContainer } from '../first-run/welcome-container'
import { Transcript } from '../transcript/transcript'
import { useTranscriptItems } from '../transcript/use-transcript-items'
import { Button } from '../ui/button'
import { transcriptActions } from './transcript-actions-of'
import { useJump } from './use-jump'
import { useTrimAtEnd } from './use-trim-at-end'

export function TranscriptContainer({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const opening = useMemo(() => openingSession(workspaceId), [workspaceId])
  const session = useAppState((state) => state.sessions[workspaceId] ?? opening)
  const { history, live, status, approvals, questions, toolOutputs, link, loaded } = session
  const busy = isBusy(status)
  const hasOlder = olderCursorOf(history) !== null
  const { rows, tail } = useTranscriptItems({
    rows: history.rows,
    busy,
    hasOlder,
    skippedLines: history.skippedLines,
    debug: false,
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
  const transcript = useJump(workspaceId)
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
        canRetry={canRetryTurn(status, history.rows.at(-1) ?? null)}
        actions={actions}
        empty={<WelcomeContainer />}
        failedAction={<Button onClick={() => void reopenSession(app, workspaceId)}>Load again</Button>}
      />
    </div>
  )
}
