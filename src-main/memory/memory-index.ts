// Owns the pins and access counts of a scope, kept beside its memories in `.memory-index.json`. They are worth
// less than the memories: a damaged file is kept aside and begun anew. Unknown fields are kept.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../files/atomic-write'
import { isNotFound } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import type { Log } from '../files/log'

export interface MemoryUse {
  readonly pinned: boolean
  readonly accessCount: number
  readonly lastAccessedAtMs: number | null
}

export const UNUSED: MemoryUse = { pinned: false, accessCount: 0, lastAccessedAtMs: null }

/** By path below the scope's folder, with forward slashes. */
export type MemoryUses = ReadonlyMap<string, MemoryUse>

const INDEX_NAME = '.memory-index.json'

/** Each field by itself: one that cannot be used costs that field. */
const StoredUse = z.looseObject({
  pinned: z.boolean().catch(false),
  accessCount: z.number().int().min(0).catch(0),
  lastAccessedAtMs: z.number().nullable().catch(null)
})
type StoredUse = z.infer<typeof StoredUse>

interface Index {
  /** Everything in the file but the memories. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly memories: Map<string, StoredUse>
  /** What the file holds when it does not parse. */
  readonly damaged: Buffer | null
}

/** The uses in this scope. Throws the system's error; damage reads as nothing. */
export async function readUses(folder: string): Promise<MemoryUses> {
  return (await readIndex(folder)).memories
}

/** Changes the uses and writes them as a whole. Call it under the scope's lock. Throws the system's error. */
export async function changeUses(
  folder: string,
  log: Log,
  change: (uses: Map<string, MemoryUse>) => void
): Promise<void> {
  const { rest, memories, damaged } = await readIndex(folder)
  const file = join(folder, INDEX_NAME)
  if (damaged !== null) {
    const kept = await keepAside(file, damaged)
    // Without a copy it is not written over.
    if (!kept.ok) throw Object.assign(new Error(kept.error.message), { code: kept.error.code, syscall: 'write' })
    log.warn('memory-index-damaged', { file, keptAs: kept.value })
  }
  const uses = new Map<string, MemoryUse>(memories)
  change(uses)
  const stored = { ...rest, version: 1, memories: Object.fromEntries(uses) }
  // Counts may lag behind a power cut; the file is whole in any case.
  await replaceFile(file, `${JSON.stringify(stored, null, 2)}\n`, { durable: false })
}

async function readIndex(folder: string): Promise<Index> {
  let bytes: Buffer
  try {
    bytes = await readFile(join(folder, INDEX_NAME))
  } catch (cause) {
    if (isNotFound(cause)) return { rest: {}, memories: new Map(), damaged: null }
    throw cause
  }
  const parsed = IndexFile.safeParse(parseJson(bytes.toString('utf8')))
  if (!parsed.success) return { rest: {}, memories: new Map(), damaged: bytes }
  const { memories, ...rest } = parsed.data
  const entries = Object.entries(memories).flatMap(([path, value]) => {
    const use = StoredUse.safeParse(value)
    return use.success ? [[path, use.data] as const] : []
  })
  return { rest, memories: new Map(entries), damaged: null }
}

const IndexFile = z.looseObject({ memories: z.record(z.string(), z.unknown()) })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}
