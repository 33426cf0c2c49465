// Owns how a workspace is opened, followed and let go. The listener for events runs before any of this
// (start-app), so what arrives while a snapshot is on its way is kept by apply-batch.
import { acceptSnapshot, reopening } from '../apply-batch'
import { withNotice, withWorkspaces } from '../apply-app-event'
import { change, type App } from '../app-store'
import { openingSession } from '../session-state'
import { changeSession } from './change-session'
import { adoptDraft } from './draft-actions'
import { prepareProject } from './project-actions'
import { ask } from './report'

/** Snapshots asked for in a row before the link counts as broken: each gap means one more. */
const MAX_SNAPSHOTS_IN_A_ROW = 4
/** Workspaces that stay in memory after they were left; the one used longest ago goes first. */
const MAX_SESSIONS_IN_MEMORY = 4

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

/** Stops following; the newest few stay in memory, to be shown at once when they are opened again. */
function leaveWorkspace(app: App, workspaceId: string): void {
  change(app, (state) => {
    const recentSessionIds = state.recentSessionIds.slice(-MAX_SESSIONS_IN_MEMORY)
    // One that stood in the past opens at its end: it would show old rows first, then others.
    const kept = Object.entries(state.sessions).filter(
      ([id, session]) => recentSessionIds.includes(id) && !(id === workspaceId && session.history.after !== null)
    )
    return { ...state, recentSessionIds, sessions: Object.fromEntries(kept) }
  })
  changeSession(app, workspaceId, (session) => reopening(session, []))
  void ask(app, 'workspace.close', { workspaceId })
}

function failSession(app: App, workspaceId: string, message: string): void {
  changeSession(app, workspaceId, (session) => ({ ...session, link: { kind: 'failed', message } }))
}
