// Owns finding what a memory path names on disk, name by name. Invariant: no link is followed below a scope's
// folder, and a name counts only as it is written there, also where the disk itself does not mind its case.
import { realpath, type Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ok, type Result } from '@common/result'
import { isNotFound } from '../files/file-error'
import { memoryFailure, memoryIoFailure, type MemoryFailure } from './memory-failure'
import { foldName, memoryPathOf, parseMemoryPath, type ScopedPath } from './memory-path'
import type { MemoryStore } from './memory-store'

export interface MemoryPlace extends ScopedPath {
  /** As it is written: `/memories/SCOPE/…`. */
  readonly path: string
  /** The scope's folder, links to it followed. */
  readonly folder: string
  readonly absolute: string
  readonly kind: 'file' | 'folder' | 'missing'
  /** What is there; null when missing. */
  readonly stats: Stats | null
  /** A name beside a missing one that a person or another disk takes for it. */
  readonly twin: string | null
}

export const realpathNative = promisify(realpath.native)

/** Finds a path of one scope; `/memories` itself is refused. */
export async function locateMemory(store: MemoryStore, input: string): Promise<Result<MemoryPlace, MemoryFailure>> {
  const parsed = parseMemoryPath(input)
  if (!parsed.ok) return memoryFailure('bad-path', parsed.error)
  if (parsed.value === null) return memoryFailure('refused', 'Name a scope below /memories, and a file in it.')
  const { scope, names } = parsed.value
  const folder = store.folders[scope]
  if (folder === null) return memoryFailure('refused', 'This workspace has no project, so it has no project memories.')
  const shown = memoryPathOf(scope, names)
  try {
    return await walk({ scope, names, path: shown, folder: await realFolder(folder) })
  } catch (cause) {
    return memoryIoFailure(cause, 'look for the memory', shown)
  }
}

type Start = Pick<MemoryPlace, 'scope' | 'names' | 'path' | 'folder'>

async function walk(start: Start): Promise<Result<MemoryPlace, MemoryFailure>> {
  let absolute = start.folder
  let stats = await lstatIfThere(absolute)
  for (const [index, name] of start.names.entries()) {
    const entries = stats === null ? [] : await readdir(absolute)
    const known = entries.find((entry) => entry.normalize('NFC') === name)
    if (known === undefined) {
      const twin = entries.find((entry) => foldName(entry) === foldName(name)) ?? null
      absolute = path.join(absolute, ...start.names.slice(index))
      return ok({ ...start, absolute, kind: 'missing', stats: null, twin })
    }
    absolute = path.join(absolute, known)
    stats = await lstatIfThere(absolute)
    if (stats === null) return ok({ ...start, absolute, kind: 'missing', stats: null, twin: null })
    const isLast = index === start.names.length - 1
    if (!stats.isDirectory() && !(isLast && stats.isFile()))
      return memoryFailure(
        'refused',
        `${memoryPathOf(start.scope, start.names.slice(0, index + 1))} is ${wordsFor(stats)}.`
      )
  }
  // A scope's folder counts as there before its first memory.
  const kind = start.names.length > 0 && stats?.isFile() === true ? 'file' : 'folder'
  return ok({ ...start, absolute, kind, stats, twin: null })
}

function wordsFor(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link, and links are not followed in memories'
  return stats.isFile() ? 'a file, not a folder' : 'no regular file'
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await realpathNative(folder)
  } catch (cause) {
    if (isNotFound(cause)) return folder
    throw cause
  }
}

async function lstatIfThere(absolute: string): Promise<Stats | null> {
  try {
    return await lstat(absolute)
  } catch (cause) {
    if (isNotFound(cause)) return null
    throw cause
  }
}
