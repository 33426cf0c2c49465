// Owns the list of projects in config.json: folders that a person opened, each once, by their real path.
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { ProjectView } from '@common/contract/views'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import type { ProjectEntry } from '@common/settings/settings-schema'
import { systemCodeOf } from '../files/file-error'
import type { SettingsStore } from '../settings/settings-store'
import { isFolderReadable, isImpossiblePath } from './folder-readable'

/** The project with its present state. */
export function projectViewOf(entry: ProjectEntry): ProjectView {
  return { ...entry, readable: isFolderReadable(entry.path) }
}

/** Adds the folder to the list, or finds it there; fails in words when it cannot be read. */
export async function openProject(
  settings: SettingsStore,
  path: string,
  nowMs: number
): Promise<Result<ProjectView, string>> {
  const real = await realPathOf(resolve(path))
  if (real === null || !isFolderReadable(real)) {
    return err(`The folder ${resolve(path)} is not there or cannot be read. Check its name and its permissions.`)
  }
  const known = settings.settings().projects.find((project) => project.path === real)
  if (known !== undefined) return ok(projectViewOf(known))
  const entry: ProjectEntry = { id: projectIdOf(real), path: real, name: basename(real) || real, addedAtMs: nowMs }
  const saved = await settings.update('projects', (projects) =>
    projects.some((project) => project.path === real) ? projects : [...projects, entry]
  )
  if (!saved.ok && saved.error.kind !== 'broken') return err(saved.error.message)
  // A broken config.json is never written over: the project then lasts as long as the app runs.
  const held = settings.settings().projects
  if (!saved.ok && !held.some((project) => project.path === real))
    settings.holdUntilRepaired('projects', [...held, entry])
  return ok(projectViewOf(entry))
}

/** Stable: the same folder has the same id on every run. */
export function projectIdOf(realPath: string): string {
  return `p-${createHash('sha256').update(realPath).digest('hex').slice(0, 12)}`
}

async function realPathOf(path: string): Promise<string | null> {
  if (isImpossiblePath(path)) return null
  try {
    return await realpath(path)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return null
  }
}
