// Owns what a person does to workspaces as wholes.
import type { RequestInput } from '@common/contract/requests'
import { withoutWorkspace, withWorkspaces } from '../apply-app-event'
import { change, type App } from '../app-store'
import { newestWorkspaceOf } from '../selectors'
import { pickProject } from './project-actions'
import { ask } from './report'
import { selectWorkspace } from './session-actions'

export type WorkspaceChange = Omit<RequestInput<'workspace.update'>, 'workspaceId'>

/** Makes a workspace in a project and shows it; null when main refused. */
export async function createWorkspace(app: App, projectId: string): Promise<string | null> {
  const made = await ask(app, 'workspace.create', { projectId })
  if (made === null) return null
  change(app, (state) => withWorkspaces(state, [made.workspace]))
  await selectWorkspace(app, made.workspace.workspaceId)
  return made.workspace.workspaceId
}

/** Changes title, model, agent, modes or place of a workspace; true when it was done. */
export async function updateWorkspace(app: App, workspaceId: string, changes: WorkspaceChange): Promise<boolean> {
  const updated = await ask(app, 'workspace.update', { workspaceId, ...changes })
  if (updated === null) return false
  change(app, (state) => withWorkspaces(state, [updated.workspace]))
  return true
}

/** Moves a workspace to the trash; when it was on screen, another one of its project follows, a new one at last. */
export async function deleteWorkspace(app: App, workspaceId: string): Promise<void> {
  const { selectedWorkspaceId, workspaces } = app.store.getState()
  const projectId = workspaces[workspaceId]?.projectId
  const done = await ask(app, 'workspace.delete', { workspaceId })
  if (done === null) return
  change(app, (state) => withoutWorkspace(state, workspaceId))
  if (selectedWorkspaceId !== workspaceId || projectId === undefined) return
  await openProject(app, projectId)
}

/** Shows or hides archived workspaces, loading them when shown. */
export async function showArchived(app: App, shown: boolean): Promise<void> {
  change(app, (state) => ({ ...state, archivedShown: shown }))
  if (!shown) return
  const listed = await ask(app, 'workspace.list', { archived: true })
  if (listed !== null) change(app, (state) => withWorkspaces(state, listed.workspaces))
}

/** Lets the person choose a folder; opens its newest workspace or makes one. Null when cancelled. */
export async function openFolder(app: App): Promise<string | null> {
  const project = await pickProject(app)
  return project === null ? null : openProject(app, project.id)
}

/** Shows a project: its newest workspace, or a new one when it has none. */
export async function openProject(app: App, projectId: string): Promise<string | null> {
  const newest = newestWorkspaceOf(app.store.getState(), projectId)
  if (newest === null) return createWorkspace(app, projectId)
  await selectWorkspace(app, newest.workspaceId)
  return newest.workspaceId
}

/** Points a workspace to the folder that its project moved to; the person chooses it. */
export async function relocateWorkspace(app: App, workspaceId: string): Promise<void> {
  const project = await pickProject(app)
  if (project !== null) await updateWorkspace(app, workspaceId, { projectPath: project.path })
}
