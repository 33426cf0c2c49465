// Owns going to a row of the past: its workspace comes on screen, the rows around it are loaded, it is shown.
import type { RequestFailure } from '@common/contract/bridge'
import type { AppState, Jump } from '../app-state'
import { change, type App } from '../app-store'
import { jumpTo } from '../loaded-history'
import { upToDate } from './page-actions'
import { report } from './report'
import { selectWorkspace } from './session-actions'
import { changeLayout } from './view-actions'

/** Shows a row, however far away: one page is loaded, or none where the row is in memory. A row that is gone is told. */
export async function jumpToRow(app: App, jump: Jump): Promise<void> {
  const { workspaceId } = jump
  if (app.store.getState().layout.sheet !== null) changeLayout(app, (layout) => ({ ...layout, sheet: null }))
  if (app.store.getState().selectedWorkspaceId !== workspaceId) await selectWorkspace(app, workspaceId)
  if (isLoaded(app.store.getState(), jump)) return change(app, (state) => ({ ...state, jump }))
  const failure = await loadAround(app, jump)
  if (failure !== null) report(app, 'warning', failure.message, workspaceId)
}

/** The transcript has gone there. */
export function jumpDone(app: App): void {
  change(app, (state) => (state.jump === null ? state : { ...state, jump: null }))
}

function isLoaded({ sessions }: AppState, { workspaceId, rowId, sequence }: Jump): boolean {
  const rows = sessions[workspaceId]?.history.rows ?? []
  return rows.some((row) => row.id === rowId && (sequence === null || row.metadata.historySequence === sequence))
}

/** Puts the rows around the row in place of those in memory. The jump is set in the same change: the list opens there. */
async function loadAround(app: App, jump: Jump): Promise<RequestFailure | null> {
  const { workspaceId, rowId, sequence } = jump
  const answer = await upToDate(app, workspaceId, () =>
    app.bridge.request('workspace.pageAround', { workspaceId, rowId, sequence })
  )
  if (!answer.ok) return answer.error
  const page = answer.value
  let failure: RequestFailure | null = CHANGED
  change(app, (state) => {
    const session = state.sessions[workspaceId]
    if (session?.link.kind !== 'following') return state
    failure = null
    const there = { ...session, paging: 'idle', pagingNewer: 'idle', history: jumpTo(session.history, page) } as const
    return { ...state, jump, sessions: { ...state.sessions, [workspaceId]: there } }
  })
  return failure
}

const CHANGED: RequestFailure = { kind: 'io', message: 'The conversation was changed meanwhile. Search again.' }
