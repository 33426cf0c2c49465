// Owns which memories there are: every regular file with a usable name below the scopes' folders, by path.
// Links, hidden files (ours among them) and names that no memory path can have are passed over.
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_MEMORIES_PER_SCOPE, MAX_MEMORY_DEPTH } from '@common/constants'
import { MEMORY_SCOPES, type MemoryScope } from '@common/memory/memory-schema'
import { fileErrorOf, isNotFound, systemCodeOf } from '../files/file-error'
import { readUses, UNUSED, type MemoryUse } from './memory-index'
import { memoryPathOf, nameProblem } from './memory-path'
import type { MemoryStore } from './memory-store'

export interface Memory extends MemoryUse {
  /** `/memories/SCOPE/…` */
  readonly path: string
  readonly scope: MemoryScope
  readonly bytes: number
  readonly modifiedAtMs: number
}

export interface Memories {
  readonly memories: readonly Memory[]
  /** What could not be read, one sentence for a person each. */
  readonly problems: readonly string[]
}

/** The memories of all scopes. Never rejects for what is on disk. */
export async function listMemories(store: MemoryStore): Promise<Memories> {
  const scopes = await Promise.all(MEMORY_SCOPES.map((scope) => listScope(store, scope)))
  return { memories: scopes.flatMap(({ memories }) => memories), problems: scopes.flatMap(({ problems }) => problems) }
}

/** Those of one scope. */
export async function listScope(store: MemoryStore, scope: MemoryScope): Promise<Memories> {
  const folder = store.folders[scope]
  if (folder === null) return { memories: [], problems: [] }
  const found: Found[] = []
  const problems: string[] = []
  await collect(folder, [], found, problems)
  if (found.length > MAX_MEMORIES_PER_SCOPE)
    problems.push(`${folder} holds more than ${MAX_MEMORIES_PER_SCOPE} memories; the others are passed over.`)
  const uses = await usesIn(folder, problems)
  const memories = found.slice(0, MAX_MEMORIES_PER_SCOPE).map(({ names, bytes, modifiedAtMs }): Memory => {
    const { pinned, accessCount, lastAccessedAtMs } = uses.get(names.join('/')) ?? UNUSED
    return { path: memoryPathOf(scope, names), scope, bytes, modifiedAtMs, pinned, accessCount, lastAccessedAtMs }
  })
  return { memories: memories.toSorted((a, b) => compareText(a.path, b.path)), problems }
}

interface Found {
  readonly names: readonly string[]
  readonly bytes: number
  readonly modifiedAtMs: number
}

/** Stops soon after the limit of a scope: a folder of another kind that came here is not walked to its end. */
async function collect(folder: string, names: readonly string[], found: Found[], problems: string[]): Promise<void> {
  const entries = await entriesOf(folder, problems)
  for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name))) {
    if (found.length > MAX_MEMORIES_PER_SCOPE) return
    const name = entry.name.normalize('NFC')
    if (nameProblem(name) !== null) continue
    const here = [...names, name]
    if (entry.isDirectory() && here.length < MAX_MEMORY_DEPTH)
      await collect(join(folder, entry.name), here, found, problems)
    if (!entry.isFile()) continue
    const stats = await statsOf(join(folder, entry.name))
    if (stats !== null) found.push({ names: here, ...stats })
  }
}

async function entriesOf(folder: string, problems: string[]): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (cause) {
    if (!isNotFound(cause)) problems.push(fileErrorOf(cause, 'read the memories', folder).message)
    return []
  }
}

async function statsOf(file: string): Promise<{ bytes: number; modifiedAtMs: number } | null> {
  try {
    const { size, mtimeMs } = await lstat(file)
    return { bytes: size, modifiedAtMs: mtimeMs }
  } catch (cause) {
    // Deleted since the folder was read.
    if (systemCodeOf(cause) === null) throw cause
    return null
  }
}

async function usesIn(folder: string, problems: string[]): ReturnType<typeof readUses> {
  try {
    return await readUses(folder)
  } catch (cause) {
    problems.push(fileErrorOf(cause, 'read the pins and counts', folder).message)
    return new Map()
  }
}

/** By code unit, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
