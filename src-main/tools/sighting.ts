// Owns what a tool says of a file whose content it gave to the model or wrote for it (O-4): only of files that are the
// project's own, and of the plan, which an agent may write without asking.
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { isPlanFile } from '@common/agents/protected-paths'
import { systemCodeOf } from '../files/file-error'
import { contentOf, type FileContent } from './file-content'
import type { GuardedPath } from './path-guard'
import type { SeenFiles } from './seen-files'

/** A `SeenFile` without its time: who carries out the call adds that. */
export interface Sighting extends FileTimes {
  readonly path: string
  readonly content: string
  readonly bytes: number
  readonly isPart?: boolean
  readonly before?: string
}

/** Missing where the file was gone at once. */
interface FileTimes {
  readonly mtimeMs?: number
  readonly ctimeMs?: number
}

/** True for a file whose changes are told. */
export function isFollowed({ place, relative }: GuardedPath): boolean {
  return place === 'inside' || (place === 'protected' && isPlanFile(relative))
}

/** A file as it was read: `stats` from before. */
export function sightOfRead(
  { relative }: GuardedPath,
  stats: Stats,
  { content, bytes }: FileContent,
  seenFiles: SeenFiles
): Sighting {
  if (bytes !== null) seenFiles.keepText(content, bytes)
  return { path: relative, content, bytes: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs }
}

/** A file as a tool just wrote it. */
export async function sightOfWritten(guarded: GuardedPath, bytes: Buffer, seenFiles: SeenFiles): Promise<Sighting> {
  const content = contentOf(bytes)
  seenFiles.keepText(content, bytes)
  const times = await timesOf(guarded.absolute)
  return { path: guarded.relative, content, bytes: bytes.length, ...times }
}

/** Nothing where the file is gone already: then it is read before anything is said of it. */
async function timesOf(absolute: string): Promise<FileTimes> {
  try {
    const { mtimeMs, ctimeMs } = await lstat(absolute)
    return { mtimeMs, ctimeMs }
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return {}
  }
}
