// Owns questions asked of the state by more than one place. Each returns a reference that stays the same
// while what it reads stays the same.
import type { AgentView, ProjectView, WorkspaceView } from '@common/contract/views'
import { splitModelRef } from '@common/ids'
import type { ModelInfo } from '@common/models/model-info'
import type { AppState } from './app-state'
import type { SessionState } from './session-state'

const NO_AGENTS: readonly AgentView[] = []

/** The session on screen, or null. */
export function selectedSession(state: AppState): SessionState | null {
  return state.selectedWorkspaceId === null ? null : (state.sessions[state.selectedWorkspaceId] ?? null)
}

/** The workspace on screen, or null. */
export function selectedWorkspace(state: AppState): WorkspaceView | null {
  return state.selectedWorkspaceId === null ? null : (state.workspaces[state.selectedWorkspaceId] ?? null)
}

/** The project of the workspace on screen, or the one that was opened last. */
export function selectedProject(state: AppState): ProjectView | null {
  const projectId = selectedWorkspace(state)?.projectId ?? state.selectedProjectId
  return state.projects.find((project) => project.id === projectId) ?? null
}

/** The workspace of a project that changed last and is not archived. */
export function newestWorkspaceOf(state: AppState, projectId: string): WorkspaceView | null {
  let newest: WorkspaceView | null = null
  for (const workspace of Object.values(state.workspaces))
    if (workspace.projectId === projectId && !workspace.archived)
      if (newest === null || workspace.updatedAtMs > newest.updatedAtMs) newest = workspace
  return newest
}

/** Agents that can be chosen in a project. */
export function agentsOf(state: AppState, projectId: string | null): readonly AgentView[] {
  return state.agents[projectId ?? ''] ?? state.agents[''] ?? NO_AGENTS
}

/** What is known of a model; null when it is not in the list, or the list is not there yet. */
export function modelOf(state: AppState, modelRef: string): ModelInfo | null {
  return state.models?.find((model) => model.ref === modelRef) ?? null
}

/** The model of a workspace's next turn: its agent's own, else the workspace's. */
export function runningModelRef(state: AppState, workspaceId: string): string {
  const workspace = state.workspaces[workspaceId]
  if (workspace === undefined) return ''
  const agent = agentsOf(state, workspace.projectId).find(({ id }) => id === workspace.agentId)
  return agent?.model ?? workspace.model
}

/** True when the provider of a model is set up and has its key, or needs none. */
export function isProviderReady(state: AppState, modelRef: string): boolean {
  const providerId = splitModelRef(modelRef)?.providerId
  const provider = state.providers?.find((each) => each.id === providerId)
  return provider !== undefined && provider.keySource !== 'none'
}
