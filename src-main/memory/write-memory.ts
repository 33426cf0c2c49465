// Owns changing memories: create, edit, save, delete, rename. Each is made under the scope's lock, whole or not at
// all. Who may write is decided above; here only what a memory can be is.
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MAX_MEMORIES_PER_SCOPE, MAX_MEMORY_FILE_BYTES } from '@common/constants'
import { ok, type Result } from '@common/result'
import { replaceFile } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { listScope, type Memory } from './list-memories'
import { locateMemory, realpathNative, type MemoryPlace } from './locate-memory'
import { memoryFailure, type MemoryFailure } from './memory-failure'
import { changeUses, type MemoryUse } from './memory-index'
import { makeFolderOf, withMemoryLock } from './memory-lock'
import type { MemoryStore } from './memory-store'
import { copyToTrash, moveToTrash } from './memory-trash'
import { missingWords, readPlace, type MemoryText } from './read-memory'

export interface MemoryCreated {
  readonly path: string
  readonly bytes: number
  /** Where the text that it replaced is kept; null when it is new. */
  readonly replacedKeptAt: string | null
}

/** Writes a whole memory. One that is there is replaced only where `replace` says so, and kept in the trash then. */
export function createMemory(
  store: MemoryStore,
  input: { readonly path: string; readonly text: string; readonly replace: boolean }
): Promise<Result<MemoryCreated, MemoryFailure>> {
  return changePlace(store, input.path, 'write the memory', async (place) => {
    if (place.kind === 'missing') return writeText(store, place, input.text, null)
    if (!input.replace || place.kind === 'folder') return memoryFailure('exists', existsWords(place))
    const present = await readPlace(place)
    if (!present.ok) return present
    if (present.value.text === input.text) return ok(written(place, input.text, null))
    return writeText(store, place, input.text, present.value.text)
  })
}

/** Saves what a person wrote: over the version that they saw, or as a new memory where they saw none (null). */
export function saveMemory(
  store: MemoryStore,
  input: { readonly path: string; readonly text: string; readonly version: string | null }
): Promise<Result<MemoryText, MemoryFailure>> {
  return changePlace(store, input.path, 'save the memory', async (place) => {
    if (place.kind === 'folder' || (input.version === null && place.kind === 'file'))
      return memoryFailure('exists', existsWords(place))
    if (input.version !== null) {
      const present = await readPlace(place)
      if (!present.ok) return present
      if (present.value.version !== input.version)
        return memoryFailure('refused', `${place.path} changed meanwhile. Read it again, then make your change.`)
    }
    const saved = await writeText(store, place, input.text, null)
    return saved.ok ? reread(store, place.path) : saved
  })
}

/** Changes the text of a memory that is there. `change` fails with words for the model. */
export function editMemory(
  store: MemoryStore,
  path: string,
  change: (text: string) => Result<string, string>
): Promise<Result<MemoryCreated, MemoryFailure>> {
  return changePlace(store, path, 'change the memory', async (place) => {
    const present = await readPlace(place)
    if (!present.ok) return present
    const changed = change(present.value.text)
    if (!changed.ok) return memoryFailure('refused', changed.error)
    return writeText(store, place, changed.value, null)
  })
}

/** Moves a memory, or a folder of them, into the trash of its scope; answers where it is now. */
export function deleteMemory(
  store: MemoryStore,
  path: string
): Promise<Result<{ readonly path: string; readonly keptAt: string }, MemoryFailure>> {
  return changePlace(store, path, 'delete the memory', async (place) => {
    if (place.kind === 'missing') return memoryFailure('missing', missingWords(place))
    const keptAt = await moveToTrash(place, store.clock.now())
    await forgetUses(store, place)
    return ok({ path: place.path, keptAt })
  })
}

/** Gives a memory, or a folder of them, another path, in another scope too. Its pin and counts go with it. */
export async function renameMemory(
  store: MemoryStore,
  oldPath: string,
  newPath: string
): Promise<Result<{ readonly path: string; readonly newPath: string }, MemoryFailure>> {
  const places = await locateBoth(store, oldPath, newPath)
  if (!places.ok) return places
  return withMemoryLock(store, places.value, 'rename the memory', async () => {
    const again = await locateBoth(store, oldPath, newPath)
    if (!again.ok) return again
    const [from, to] = again.value
    if (from.kind === 'missing') return memoryFailure('missing', missingWords(from))
    // Its own name in another letter case is no other memory.
    const isTaken = to.twin !== null && join(dirname(to.absolute), to.twin) !== from.absolute
    if (to.kind !== 'missing' || isTaken) return memoryFailure('exists', existsWords(to))
    if (to.path.startsWith(`${from.path}/`)) return memoryFailure('refused', `${to.path} lies inside ${from.path}.`)
    const room = await roomIn(store, to, from)
    if (!room.ok) return room
    makeFolderOf(to)
    const still = await isStillThere(to)
    if (!still.ok) return still
    await rename(from.absolute, to.absolute)
    await moveUses(store, from, to)
    return ok({ path: from.path, newPath: to.path })
  })
}

type Change<T> = (place: MemoryPlace) => Promise<Result<T, MemoryFailure>>

/** Looks the place up before the lock, so that a bad path makes no folder, and again under it. */
async function changePlace<T>(
  store: MemoryStore,
  path: string,
  action: string,
  change: Change<T>
): Promise<Result<T, MemoryFailure>> {
  const place = await locateNamed(store, path)
  if (!place.ok) return place
  return withMemoryLock(store, [place.value], action, async () => {
    const again = await locateNamed(store, path)
    return again.ok ? change(again.value) : again
  })
}

/** A scope's own folder is nobody's to write, delete or rename. */
async function locateNamed(store: MemoryStore, path: string): Promise<Result<MemoryPlace, MemoryFailure>> {
  const place = await locateMemory(store, path)
  if (place.ok && place.value.names.length === 0)
    return memoryFailure('refused', `${place.value.path} is a scope itself; name a file in it.`)
  return place
}

async function locateBoth(
  store: MemoryStore,
  oldPath: string,
  newPath: string
): Promise<Result<[MemoryPlace, MemoryPlace], MemoryFailure>> {
  const from = await locateNamed(store, oldPath)
  if (!from.ok) return from
  const to = await locateNamed(store, newPath)
  return to.ok ? ok([from.value, to.value]) : to
}

async function writeText(
  store: MemoryStore,
  place: MemoryPlace,
  text: string,
  replaced: string | null
): Promise<Result<MemoryCreated, MemoryFailure>> {
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_MEMORY_FILE_BYTES)
    return memoryFailure(
      'refused',
      `${place.path} would have ${bytes} bytes, over the ${MAX_MEMORY_FILE_BYTES} of a memory.`
    )
  if (text.includes('\0')) return memoryFailure('refused', 'The text holds a NUL byte; memories are plain text.')
  if (place.twin !== null) return memoryFailure('exists', existsWords(place))
  if (place.kind === 'missing') {
    const room = await roomIn(store, place, null)
    if (!room.ok) return room
    makeFolderOf(place)
  }
  const still = await isStillThere(place)
  if (!still.ok) return still
  const keptAt = replaced === null ? null : await copyToTrash(place, replaced, store.clock.now())
  await replaceFile(place.absolute, text)
  return ok(written(place, text, keptAt))
}

function written(place: MemoryPlace, text: string, replacedKeptAt: string | null): MemoryCreated {
  return { path: place.path, bytes: Buffer.byteLength(text), replacedKeptAt }
}

async function reread(store: MemoryStore, path: string): Promise<Result<MemoryText, MemoryFailure>> {
  const place = await locateMemory(store, path)
  return place.ok ? readPlace(place.value) : place
}

/** A folder that turned into a link meanwhile is noticed before anything is written through it. */
async function isStillThere({ absolute, path }: MemoryPlace): Promise<Result<void, MemoryFailure>> {
  const folder = dirname(absolute)
  return (await realpathNative(folder)) === folder
    ? ok(undefined)
    : memoryFailure('refused', `The folder of ${path} was replaced; try again.`)
}

/** `from` is what moves within the scope, and so takes no room. */
async function roomIn(
  store: MemoryStore,
  to: MemoryPlace,
  from: MemoryPlace | null
): Promise<Result<void, MemoryFailure>> {
  if (from?.scope === to.scope) return ok(undefined)
  const inScope = (await listScope(store, to.scope)).memories.length
  const coming = from === null ? 1 : (await memoriesBelow(store, from)).length
  return inScope + coming <= MAX_MEMORIES_PER_SCOPE
    ? ok(undefined)
    : memoryFailure(
        'refused',
        `There are ${inScope} memories in this scope, and ${MAX_MEMORIES_PER_SCOPE} fit; delete some first.`
      )
}

async function memoriesBelow(store: MemoryStore, { scope, path }: MemoryPlace): Promise<Memory[]> {
  return (await listScope(store, scope)).memories.filter((memory) => isBelow(memory.path, path))
}

function existsWords({ path, twin }: MemoryPlace): string {
  if (twin !== null)
    return `${path} is too close to ${JSON.stringify(twin)}, which already exists: other disks take them for the same. Choose another name.`
  return `${path} already exists. View it, then change it with str_replace or insert, or choose another name.`
}

async function forgetUses(store: MemoryStore, place: MemoryPlace): Promise<void> {
  const gone = place.names.join('/')
  await bookkeep(store, () =>
    changeUses(place.folder, store.log, (uses) => {
      for (const path of uses.keys()) if (isBelow(path, gone)) uses.delete(path)
    })
  )
}

async function moveUses(store: MemoryStore, from: MemoryPlace, to: MemoryPlace): Promise<void> {
  const [old, now] = [from.names.join('/'), to.names.join('/')]
  const moved: [string, MemoryUse][] = []
  await bookkeep(store, async () => {
    await changeUses(from.folder, store.log, (uses) => {
      for (const [path, use] of uses)
        if (isBelow(path, old) && uses.delete(path)) moved.push([now + path.slice(old.length), use])
    })
    await changeUses(to.folder, store.log, (uses) => {
      for (const [path, use] of moved) uses.set(path, use)
    })
  })
}

/** The memory itself is where it should be by now: pins and counts that cannot be written fail nobody. */
async function bookkeep(store: MemoryStore, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    const { code } = fileErrorOf(cause, 'write the pins and counts', '')
    store.log.warn('memory-index-not-written', { code })
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
