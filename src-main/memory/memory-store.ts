// Owns where the memories of a workspace are: one folder for each scope (00, files on disk).
import { join } from 'node:path'
import type { Clock } from '@common/clock'
import type { MemoryScope } from '@common/memory/memory-schema'
import type { AppPaths } from '../files/app-paths'
import { workspacePathsOf } from '../files/app-paths'
import type { Log } from '../files/log'

export interface MemoryStore {
  /** Absolute folders, made on the first write; null for a workspace without a project. */
  readonly folders: Readonly<Record<MemoryScope, string | null>>
  readonly clock: Clock
  readonly log: Log
}

/** Ids of projects come out of files that a person may edit, and become folder names: nothing else may. */
const PROJECT_ID = /^[a-z0-9][a-z0-9_-]{0,99}$/i

/** The memories that a workspace sees. Reads and creates nothing. */
export function memoryStoreOf(
  seams: { readonly paths: AppPaths; readonly clock: Clock; readonly log: Log },
  workspace: { readonly folder: string; readonly projectId: string }
): MemoryStore {
  const { paths, clock, log } = seams
  const hasProject = PROJECT_ID.test(workspace.projectId)
  return {
    folders: {
      global: paths.globalMemories,
      project: hasProject ? join(paths.projects, workspace.projectId, 'memories') : null,
      workspace: workspacePathsOf(workspace.folder).memories
    },
    clock,
    log
  }
}
