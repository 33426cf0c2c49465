// Owns going to a row of the past: its workspace comes on screen, the rows around it are loaded, it is shown.
import type { Answer } from '@common/contract/bridge'
import type { HistorySpan } from '@common/contract/search-views'
import { windowIdOf } from '@common/ids'
import type { Row } from '@common/rows/row-schema'
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
  const { rowId, sequence } = jump
  await loadAround(app, workspaceId, {
    request: () => app.bridge.request('workspace.pageAround', { workspaceId, rowId, sequence }),
    jumpIn: () => jump
  })
}

/** Shows the divider at which a window begins, however far away; `start` is the sequence of its first row. */
export async function jumpToWindow(app: App, workspaceId: string, start: number): Promise<void> {
  const jumpIn = (rows: readonly Row[]): Jump | null => {
    const first = rows.find((row) => row.metadata.historySequence === start)
    return first === undefined ? null : { workspaceId, rowId: first.id, sequence: start, words: '' }
  }
  await loadAround(app, workspaceId, {
    request: () => app.bridge.request('workspace.pageAtWindow', { workspaceId, windowId: windowIdOf(start) }),
    jumpIn
  })
}

/** The transcript has gone there. */
export function jumpDone(app: App): void {
  change(app, (state) => (state.jump === null ? state : { ...state, jump: null }))
}

function isLoaded({ sessions }: AppState, { workspaceId, rowId, sequence }: Jump): boolean {
  const rows = sessions[workspaceId]?.history.rows ?? []
  return rows.some((row) => row.id === rowId && (sequence === null || row.metadata.historySequence === sequence))
}

interface Destination {
  readonly request: () => Promise<Answer<HistorySpan>>
  /** Where to in the rows of the page; null when it is not there. */
  readonly jumpIn: (rows: readonly Row[]) => Jump | null
}

/**
 * Puts the rows around a place in place of those in memory; a failure is told. The jump is set in the same change: the
 * list opens there.
 */
async function loadAround(app: App, workspaceId: string, { request, jumpIn }: Destination): Promise<void> {
  const answer = await upToDate(app, workspaceId, request)
  if (!answer.ok) return report(app, 'warning', answer.error.message, workspaceId)
  const page = answer.value
  let isThere = false
  change(app, (state) => {
    const session = state.sessions[workspaceId]
    if (session?.link.kind !== 'following') return state
    const history = jumpTo(session.history, page)
    const jump = jumpIn(history.rows)
    if (jump === null) return state
    isThere = true
    const there = { ...session, paging: 'idle', pagingNewer: 'idle', history } as const
    return { ...state, jump, sessions: { ...state.sessions, [workspaceId]: there } }
  })
  if (!isThere) report(app, 'warning', CHANGED, workspaceId)
}

const CHANGED = 'The conversation was changed meanwhile. Try again.'
