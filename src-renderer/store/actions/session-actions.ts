// Owns how a workspace is opened, paged and let go. The listener for events runs before any of this
// (start-app), so what arrives while a snapshot is on its way is kept by apply-batch.
import { acceptSnapshot, reopening } from '../apply-batch'
import { withNotice, withWorkspaces } from '../apply-app-event'
import { change, type App } from '../app-store'
import { dropOldPages, olderCursorOf, prependPage } from '../loaded-history'
import { isBusy, openingSession, type SessionState } from '../session-state'
import { adoptDraft } from './draft-actions'
import { prepareProject } from './project-actions'
import { ask } from './report'

/** Snapshots asked for in a row before the link counts as broken: each gap means one more. */
const MAX_SNAPSHOTS_IN_A_ROW = 4
/** Workspaces that stay in memory after they were left; the one used longest ago goes first. */
const MAX_SESSIONS_IN_MEMORY = 4
/** Rows kept at the end of the transcript, some ten screens (F-19). */
const KEEP_ROWS = 400
/** Rows appended to one page before it is taken afresh, so that a long session does not grow for ever. */
const MAX_ROWS_OF_NEWEST_PAGE = 1_500

/** Shows a workspace and follows it; the one before is let go, so that main marks what comes there as unread. */
export async function selectWorkspace(app: App, workspaceId: string): Promise<void> {
  const { selectedWorkspaceId: before, sessions } = app.store.getState()
  const session = sessions[workspaceId]
  const isFollowed = before === workspaceId && session !== undefined && session.link.kind !== 'failed'
  change(app, (state) => ({
    ...state,
    selectedWorkspaceId: workspaceId,
    selectedProjectId: state.workspaces[workspaceId]?.projectId ?? state.selectedProjectId,
    recentSessionIds: [...state.recentSessionIds.filter((id) => id !== workspaceId), workspaceId],
    // What was known stays on screen until the snapshot is there.
    sessions: isFollowed
      ? state.sessions
      : { ...state.sessions, [workspaceId]: reopening(session ?? openingSession(workspaceId), []) },
    layout: { ...state.layout, sheet: null }
  }))
  // Asked first: what follows is answered behind it.
  const joined = isFollowed ? Promise.resolve() : takeSnapshot(app, workspaceId)
  const projectId = app.store.getState().selectedProjectId
  if (projectId !== null) prepareProject(app, projectId)
  if (before !== null && before !== workspaceId) leaveWorkspace(app, before)
  await joined
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

/** Stops following; the newest few stay in memory, to be shown at once when they are opened again. */
function leaveWorkspace(app: App, workspaceId: string): void {
  change(app, (state) => {
    const recentSessionIds = state.recentSessionIds.slice(-MAX_SESSIONS_IN_MEMORY)
    const kept = Object.entries(state.sessions).filter(([id]) => recentSessionIds.includes(id))
    return { ...state, recentSessionIds, sessions: Object.fromEntries(kept) }
  })
  changeSession(app, workspaceId, (session) => reopening(session, []))
  void ask(app, 'workspace.close', { workspaceId })
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
