// Owns reading memories: a whole file as text, or what a folder holds. Counts nothing; writes nothing.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { MAX_MEMORY_FILE_BYTES } from '@common/constants'
import { ok, type Result } from '@common/result'
import { listMemories, type Memory } from './list-memories'
import { locateMemory, realpathNative, type MemoryPlace } from './locate-memory'
import { memoryFailure, memoryIoFailure, type MemoryFailure } from './memory-failure'
import { MEMORY_ROOT, memoryPathOf, parseMemoryPath } from './memory-path'
import type { MemoryStore } from './memory-store'

export interface MemoryText {
  readonly kind: 'file'
  readonly path: string
  readonly text: string
  /** Changes with every change of the text. */
  readonly version: string
  readonly modifiedAtMs: number
}

export interface MemoryHead {
  readonly path: string
  /** The whole text, or its first `MAX_MEMORY_FILE_BYTES` without a parted code point. */
  readonly text: string
  readonly isWhole: boolean
  /** Of the whole file. */
  readonly bytes: number
  readonly modifiedAtMs: number
}

export interface MemoryFolder {
  readonly kind: 'folder'
  readonly path: string
  /** Everything below it. */
  readonly memories: readonly Memory[]
}

/** Without O_NONBLOCK a FIFO would block a thread for ever; O_NOFOLLOW refuses a link put there meanwhile. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** A file or a folder; `/memories` itself is one too. */
export async function viewMemory(
  store: MemoryStore,
  path: string
): Promise<Result<MemoryText | MemoryFolder, MemoryFailure>> {
  const parsed = parseMemoryPath(path)
  if (!parsed.ok) return memoryFailure('bad-path', parsed.error)
  if (parsed.value === null) return ok(await folderAt(store, MEMORY_ROOT))
  const place = await locateMemory(store, path)
  if (!place.ok) return place
  if (place.value.kind === 'folder') return ok(await folderAt(store, place.value.path))
  return readPlace(place.value)
}

/** A file as text. */
export async function readMemory(store: MemoryStore, path: string): Promise<Result<MemoryText, MemoryFailure>> {
  const place = await locateMemory(store, path)
  return place.ok ? readPlace(place.value) : place
}

/** A file as text; of one that is too long for a memory, its beginning. */
export async function readMemoryHead(store: MemoryStore, path: string): Promise<Result<MemoryHead, MemoryFailure>> {
  const place = await locateMemory(store, path)
  if (!place.ok) return place
  return openPlace(place.value, async (handle, { size, mtimeMs }) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_MEMORY_FILE_BYTES), 0, MAX_MEMORY_FILE_BYTES, 0)
    const bytes = buffer.subarray(0, bytesRead)
    const isWhole = size <= MAX_MEMORY_FILE_BYTES
    // The decoder keeps back the code point that the cut parted.
    const text = isWhole ? bytes.toString('utf8') : new StringDecoder('utf8').write(bytes)
    if (!isText(isWhole ? bytes : bytes.subarray(0, Buffer.byteLength(text)))) return noText(place.value)
    return ok({ path: place.value.path, text, isWhole, bytes: size, modifiedAtMs: mtimeMs })
  })
}

/** The text at a place that was just looked for. */
export function readPlace(place: MemoryPlace): Promise<Result<MemoryText, MemoryFailure>> {
  const { path } = place
  return openPlace(place, async (handle, { size, mtimeMs }) => {
    if (size > MAX_MEMORY_FILE_BYTES)
      return memoryFailure('refused', `${path} has ${size} bytes, over the ${MAX_MEMORY_FILE_BYTES} of a memory.`)
    const bytes = await handle.readFile()
    if (!isText(bytes)) return noText(place)
    const text = bytes.toString('utf8')
    return ok({ kind: 'file', path, text, version: versionOf(text), modifiedAtMs: mtimeMs })
  })
}

async function openPlace<T>(
  place: MemoryPlace,
  read: (handle: FileHandle, stats: Stats) => Promise<Result<T, MemoryFailure>>
): Promise<Result<T, MemoryFailure>> {
  const { path, absolute, kind, stats: seen } = place
  if (kind === 'missing') return memoryFailure('missing', missingWords(place))
  if (kind === 'folder') return memoryFailure('refused', `${path} is a folder; name a file in it.`)
  try {
    const handle = await open(absolute, READ_FLAGS)
    try {
      const stats = await handle.stat()
      const isSame = stats.isFile() && stats.ino === seen?.ino && stats.dev === seen.dev
      if (!isSame || (await realpathNative(absolute)) !== absolute)
        return memoryFailure('refused', `${path} was replaced while it was opened; try again.`)
      return await read(handle, stats)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    return memoryIoFailure(cause, 'read the memory', path)
  }
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

function noText({ path }: MemoryPlace): Result<never, MemoryFailure> {
  return memoryFailure('refused', `${path} is not text.`)
}

export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function missingWords({ path, scope, names, twin }: MemoryPlace): string {
  const hint = twin === null ? '' : ` There is ${JSON.stringify(twin)} in its place.`
  return `${path} does not exist.${hint} View ${memoryPathOf(scope, names.slice(0, -1))} to see what is there.`
}

async function folderAt(store: MemoryStore, path: string): Promise<MemoryFolder> {
  const { memories } = await listMemories(store)
  return { kind: 'folder', path, memories: memories.filter((memory) => memory.path.startsWith(`${path}/`)) }
}
