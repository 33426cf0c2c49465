// Owns what each event of the app as a whole does to the state, and how notices are kept. Pure.
import type { AppEvent } from '@common/contract/events'
import type { Notice, WorkspaceView } from '@common/contract/views'
import type { AppState, NoticeEntry } from './app-state'

/** Notices kept to be read again: more than a person goes through. */
const MAX_NOTICES = 100

/** The state after `event`; the same one when nothing changed. */
export function applyAppEvent(state: AppState, event: AppEvent): AppState {
  switch (event.type) {
    case 'workspace-changed':
      return withWorkspaces(state, [event.workspace])
    case 'workspace-removed':
      return withoutWorkspace(state, event.workspaceId)
    case 'projects-changed':
      return { ...state, projects: event.projects }
    case 'settings-changed':
      return { ...state, settings: event.settings }
    case 'notice':
      return withNotice(state, event.notice, null)
    // Ask for effects; the receiver acts on them.
    case 'providers-changed':
    case 'shell-command':
      return state
  }
}

/** Adds or replaces workspaces. */
export function withWorkspaces(state: AppState, workspaces: readonly WorkspaceView[]): AppState {
  if (workspaces.length === 0) return state
  const added = Object.fromEntries(workspaces.map((workspace) => [workspace.workspaceId, workspace]))
  return { ...state, workspaces: { ...state.workspaces, ...added } }
}

/** Forgets a workspace and all that was opened of it. */
export function withoutWorkspace(state: AppState, workspaceId: string): AppState {
  const { [workspaceId]: removed, ...workspaces } = state.workspaces
  const { [workspaceId]: _session, ...sessions } = state.sessions
  if (removed === undefined) return state
  const wasOpen = state.selectedWorkspaceId === workspaceId
  return {
    ...state,
    workspaces,
    sessions,
    recentSessionIds: state.recentSessionIds.filter((id) => id !== workspaceId),
    selectedWorkspaceId: wasOpen ? null : state.selectedWorkspaceId,
    selectedProjectId: wasOpen ? removed.projectId : state.selectedProjectId
  }
}

/** Adds a notice once, newest last. */
export function withNotice(state: AppState, notice: Notice, workspaceId: string | null): AppState {
  if (state.notices.some((entry) => entry.notice.id === notice.id)) return state
  const entry: NoticeEntry = { notice, workspaceId, read: false }
  return { ...state, notices: [...state.notices, entry].slice(-MAX_NOTICES) }
}
