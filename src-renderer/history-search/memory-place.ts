// Owns who sees a memory that was found, in words. Pure.
import type { MemoryHit } from '@common/contract/search-views'
import type { ProjectView, WorkspaceView } from '@common/contract/views'
import { MEMORY_SCOPES } from '@common/memory/memory-schema'
import { SCOPE_TEXTS } from '../memory/memory-texts'

/** The scope's name, or which project or workspace where all of them were searched. */
export function memoryPlace(
  { path, workspaceId }: MemoryHit,
  everywhere: boolean,
  workspaces: Readonly<Record<string, Pick<WorkspaceView, 'title' | 'projectId'>>>,
  projects: ReadonlyArray<Pick<ProjectView, 'id' | 'name'>>
): string {
  const scope = MEMORY_SCOPES.find((each) => path.startsWith(`/memories/${each}/`)) ?? 'workspace'
  const workspace = workspaces[workspaceId]
  if (!everywhere || scope === 'global' || workspace === undefined) return SCOPE_TEXTS[scope].title
  if (scope === 'workspace') return workspace.title || 'New workspace'
  return projects.find(({ id }) => id === workspace.projectId)?.name ?? SCOPE_TEXTS.project.title
}
