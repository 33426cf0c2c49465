// Owns looking at a file that the model saw: what is there now, found by its times, or read where those tell nothing.
// No link is followed and nothing outside of the project is opened.
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { NoContent, SeenFile } from '@common/rows/seen-file'
import { systemCodeOf } from '../files/file-error'
import { ContentReader, type FileContent } from './file-content'
import { openGuarded } from './open-guarded'
import { guardPath } from './path-guard'
import type { SeenFiles } from './seen-files'

export interface Looked {
  readonly seen: SeenFile
  /** The whole content, where it was read and is short. */
  readonly bytes: Buffer | null
}

export interface LookAround {
  /** Resolved: no symbolic link in it. */
  readonly root: string
  readonly seenFiles: SeenFiles
  now(): number
}

/** What is at the path of `seen` now; with the content of `seen` when it did not change. */
export async function lookAtFile(seen: SeenFile, around: LookAround): Promise<Looked> {
  const absolute = path.join(around.root, ...seen.path.split('/'))
  const stats = await statsOf(absolute)
  if (typeof stats === 'string') return nothing(seen.path, stats, around)
  const lookedAtMs = around.now()
  const known = around.seenFiles.contentByTimes(seen, stats)
  if (known !== null) return found(seen.path, stats, { content: known, bytes: null }, lookedAtMs)
  const read = await readContent(absolute, seen.path, around)
  if (typeof read === 'string') return nothing(seen.path, read, around)
  const { content } = read
  around.seenFiles.found(seen.path, content.content, read.stats, lookedAtMs)
  return found(seen.path, read.stats, content, lookedAtMs)
}

async function statsOf(absolute: string): Promise<Stats | NoContent> {
  try {
    const stats = await lstat(absolute)
    if (stats.isFile()) return stats
    if (stats.isDirectory()) return 'folder'
    return stats.isSymbolicLink() ? 'link' : 'special'
  } catch (cause) {
    return absence(cause)
  }
}

async function readContent(
  absolute: string,
  relative: string,
  { root }: LookAround
): Promise<{ readonly stats: Stats; readonly content: FileContent } | NoContent> {
  const guarded = await guardPath(root, relative)
  if (!guarded.ok) return 'unreadable'
  if (fold(guarded.value.absolute) !== fold(absolute)) return 'link'
  const opened = await openGuarded(guarded.value)
  if (!opened.ok) return opened.error.kind === 'missing' ? 'none' : 'unreadable'
  const { handle, stats } = opened.value
  try {
    return { stats, content: await new ContentReader(stats).finish(handle) }
  } catch (cause) {
    return absence(cause)
  } finally {
    await handle.close()
  }
}

function absence(cause: unknown): NoContent {
  const code = systemCodeOf(cause)
  if (code === null) throw cause
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'none' : 'unreadable'
}

function nothing(relative: string, content: NoContent, { now }: LookAround): Looked {
  return { seen: { path: relative, content, seenAtMs: now() }, bytes: null }
}

function found(relative: string, stats: Stats, { content, bytes }: FileContent, seenAtMs: number): Looked {
  const { size, mtimeMs, ctimeMs } = stats
  return { seen: { path: relative, content, bytes: size, mtimeMs, ctimeMs, seenAtMs }, bytes }
}

/** Some systems pass over letter case and Unicode form. */
function fold(absolute: string): string {
  return absolute.normalize('NFC').toLowerCase()
}
