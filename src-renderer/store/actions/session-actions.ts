// Owns how a workspace is opened, paged and let go. The listener for events runs before any of this
// (start-app), so what arrives while a snapshot is on its way is kept by apply-batch.
import { acceptSnapshot, reopening } from '../apply-batch'
import { withNotice, withWorkspaces } from '../apply-app-event'
import type { AppState } from '../app-state'
import { change, type App } from '../app-store'
import { dropOldPages, olderCursorOf, prependPage } from '../loaded-history'
import { isBusy, openingSession, type SessionState } from '../session-state'
import { adoptDraft } from './draft-actions'
import { prepareProject } from './project-actions'
import { ask } from './report'

/** Snapshots asked for in a row before the link counts as broken: each gap means one more. */
const MAX_SNAPSHOTS_IN_A_ROW = 4
/** Opened workspaces that stay in memory; more are closed, the one used longest ago first. */
const MAX_OPEN_SESSIONS = 4
/** Rows kept at the end of the transcript, some ten screens (F-19). */
const KEEP_ROWS = 400
/** Rows appended to one page before it is taken afresh, so that a long session does not grow for ever. */
const MAX_ROWS_OF_NEWEST_PAGE = 1_500

/** Shows a workspace, opening it when it is not. */
export async function selectWorkspace(app: App, workspaceId: string): Promise<void> {
  const known = app.store.getState().sessions[workspaceId]
  change(app, (state) => ({
    ...state,
    selectedWorkspaceId: workspaceId,
    selectedProjectId: state.workspaces[workspaceId]?.projectId ?? state.selectedProjectId,
    recentSessionIds: [...state.recentSessionIds.filter((id) => id !== workspaceId), workspaceId],
    sessions: known ? state.sessions : { ...state.sessions, [workspaceId]: openingSession(workspaceId) },
    layout: { ...state.layout, sheet: null }
  }))
  closeUnused(app)
  const projectId = app.store.getState().selectedProjectId
  if (projectId !== null) prepareProject(app, projectId)
  if (known === undefined) await takeSnapshot(app, workspaceId)
  else if (known.link.kind === 'failed') await reopenSession(app, workspaceId)
}

/** Tries again after the link to a workspace failed. */
export async function reopenSession(app: App, workspaceId: string): Promise<void> {
  changeSession(app, workspaceId, (session) => reopening(session, []))
  await takeSnapshot(app, workspaceId)
}

/** Asks for snapshots until the stream joins one; the session must be `opening`. */
export async function takeSnapshot(app: App, workspaceId: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_SNAPSHOTS_IN_A_ROW; attempt += 1) {
    const answer = await app.bridge.request('workspace.open', { workspaceId })
    if (!answer.ok) return failSession(app, workspaceId, answer.error.message)
    const snapshot = answer.value
    adoptDraft(app, workspaceId, snapshot.draft, snapshot.draftAttachments ?? [])
    change(app, (state) => {
      const session = state.sessions[workspaceId]
      if (session === undefined) return state
      const opened = { ...state, sessions: { ...state.sessions, [workspaceId]: acceptSnapshot(session, snapshot) } }
      const told = withWorkspaces(opened, [snapshot.workspace])
      return snapshot.notices.reduce((next, notice) => withNotice(next, notice, workspaceId), told)
    })
    if (app.store.getState().sessions[workspaceId]?.link.kind !== 'opening') return
  }
  failSession(app, workspaceId, 'The conversation could not be followed: events keep missing. Load it again.')
}

/** Loads the page before the oldest row. Does nothing at the start of the history or while one is loading. */
export async function loadOlder(app: App, workspaceId: string): Promise<void> {
  const session = app.store.getState().sessions[workspaceId]
  const before = session ? olderCursorOf(session.history) : null
  if (before === null || session?.paging === 'loading') return
  changeSession(app, workspaceId, (current) => ({ ...current, paging: 'loading' }))
  const page = await ask(app, 'workspace.page', { workspaceId, before })
  changeSession(app, workspaceId, (current) => {
    if (page === null) return { ...current, paging: 'failed' }
    // A snapshot taken meanwhile has other pages: this one no longer fits.
    if (olderCursorOf(current.history) !== before) return { ...current, paging: 'idle' }
    return { ...current, paging: 'idle', history: prependPage(current.history, page) }
  })
}

/** Called when the reader is back at the end: far rows leave memory, they can be loaded again. */
export function trimHistory(app: App, workspaceId: string): void {
  const session = app.store.getState().sessions[workspaceId]
  if (session === undefined || session.paging === 'loading') return
  const history = dropOldPages(session.history, KEEP_ROWS)
  if (history !== session.history) changeSession(app, workspaceId, (current) => ({ ...current, history }))
  if (history.rows.length > MAX_ROWS_OF_NEWEST_PAGE && !isBusy(session.status) && session.link.kind === 'following')
    void reopenSession(app, workspaceId)
}

function closeUnused(app: App): void {
  const { recentSessionIds, sessions, selectedWorkspaceId } = app.store.getState()
  const unused = recentSessionIds
    .slice(0, -MAX_OPEN_SESSIONS)
    .filter((id) => id !== selectedWorkspaceId && sessions[id] !== undefined && !isBusy(sessions[id].status))
  for (const workspaceId of unused) {
    change(app, (state) => withoutSession(state, workspaceId))
    void ask(app, 'workspace.close', { workspaceId })
  }
}

function withoutSession(state: AppState, workspaceId: string): AppState {
  const { [workspaceId]: _closed, ...sessions } = state.sessions
  return { ...state, sessions, recentSessionIds: state.recentSessionIds.filter((id) => id !== workspaceId) }
}

function failSession(app: App, workspaceId: string, message: string): void {
  changeSession(app, workspaceId, (session) => ({ ...session, link: { kind: 'failed', message } }))
}

function changeSession(app: App, workspaceId: string, to: (session: SessionState) => SessionState): void {
  change(app, (state) => {
    const session = state.sessions[workspaceId]
    return session === undefined ? state : { ...state, sessions: { ...state.sessions, [workspaceId]: to(session) } }
  })
}
