// Owns what glob and grep search: a guarded folder (or file) of the project, and what is left out of it.
import { lstat } from 'node:fs/promises'
import { err, ok, type Result } from '@common/result'
import { systemCodeOf } from '../files/file-error'
import { guardForRun, guardPath, type GuardedPath } from './path-guard'
import type { ToolRun, ToolTouch } from './tool-types'

export interface SearchTarget extends GuardedPath {
  readonly isFolder: boolean
}

/** `.git/` and `.tidemark/` always ask, so that a search of what is around them passes them over. */
export function exclusionsFor(target: GuardedPath): string[] {
  return target.place === 'protected' ? [] : ['--glob=!.git', '--glob=!.tidemark']
}

/** What a search would touch, for the gate. */
export async function touchSearch(
  path: string | null | undefined,
  run: Pick<ToolRun, 'projectRoot'>
): Promise<Result<ToolTouch, string>> {
  const guarded = await guardPath(run.projectRoot, path ?? '.')
  if (!guarded.ok) return guarded
  const { absolute, relative, place } = guarded.value
  const subject = { kind: 'read' as const, path: relative }
  return ok({ effect: 'read', paths: [absolute], outside: place === 'outside', command: null, subject })
}

/** The folder or regular file to search; a device or a FIFO would never end. */
export async function searchTarget(
  path: string | null | undefined,
  run: ToolRun
): Promise<Result<SearchTarget, string>> {
  const guarded = await guardForRun(run, path ?? '.')
  if (!guarded.ok) return guarded
  try {
    const stats = await lstat(guarded.value.absolute)
    if (stats.isDirectory() || stats.isFile()) return ok({ ...guarded.value, isFolder: stats.isDirectory() })
    return err(`${guarded.value.relative} is neither a folder nor a regular file.`)
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === null) throw cause
    return err(code === 'ENOENT' ? `${guarded.value.relative} does not exist.` : `${guarded.value.relative}: ${code}.`)
  }
}
