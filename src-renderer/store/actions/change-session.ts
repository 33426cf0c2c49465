// Owns changing the picture of one workspace in the state.
import { change, type App } from '../app-store'
import type { SessionState } from '../session-state'

/** Does nothing for a workspace that is not in memory. */
export function changeSession(app: App, workspaceId: string, to: (session: SessionState) => SessionState): void {
  change(app, (state) => {
    const session = state.sessions[workspaceId]
    return session === undefined ? state : { ...state, sessions: { ...state.sessions, [workspaceId]: to(session) } }
  })
}
