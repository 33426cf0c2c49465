// Owns the order of the sidebar: projects, and in each the workspaces that match, newest first. Pure.
import type { ProjectView, WorkspaceView } from '@common/contract/views'

export interface SidebarProject {
  readonly project: ProjectView
  readonly workspaces: readonly WorkspaceView[]
}

export interface SidebarInput {
  readonly projects: readonly ProjectView[]
  readonly workspaces: readonly WorkspaceView[]
  readonly filter: string
  readonly archivedShown: boolean
}

/** Projects with their workspaces; while filtering, projects without a match are left out. */
export function sidebarTree({ projects, workspaces, filter, archivedShown }: SidebarInput): SidebarProject[] {
  const wanted = filter.trim().toLocaleLowerCase()
  const listed = workspaces
    .filter((workspace) => archivedShown || !workspace.archived)
    .filter((workspace) => workspace.title.toLocaleLowerCase().includes(wanted))
    .toSorted((a, b) => b.updatedAtMs - a.updatedAtMs)
  const known = new Set(projects.map((project) => project.id))
  const orphans = listed.filter((workspace) => !known.has(workspace.projectId))
  return [...projects, ...projectsOf(orphans)]
    .map((project) => ({ project, workspaces: listed.filter((workspace) => workspace.projectId === project.id) }))
    .filter((entry) => wanted === '' || entry.workspaces.length > 0)
}

/** Workspaces whose project was taken off the list still have to be reachable. */
function projectsOf(workspaces: readonly WorkspaceView[]): ProjectView[] {
  const byId = new Map(workspaces.map((workspace) => [workspace.projectId, workspace]))
  return [...byId].map(([id, workspace]) => ({
    id,
    path: workspace.projectPath,
    name: workspace.projectPath.split(/[\\/]/).filter(Boolean).at(-1) ?? workspace.projectPath,
    readable: workspace.projectReadable,
    addedAtMs: workspace.createdAtMs
  }))
}
