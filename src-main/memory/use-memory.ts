// Owns marking memories: a person's pins, and how often agents used one (Y-1). The memories stay as they are.
import { ok, type Result } from '@common/result'
import { locateMemory, type MemoryPlace } from './locate-memory'
import { memoryFailure, type MemoryFailure } from './memory-failure'
import { changeUses, UNUSED, type MemoryUse } from './memory-index'
import { withMemoryLock } from './memory-lock'
import type { MemoryStore } from './memory-store'
import { missingWords } from './read-memory'

/** Pins a memory or takes the pin away. */
export function pinMemory(store: MemoryStore, path: string, pinned: boolean): Promise<Result<void, MemoryFailure>> {
  return changeUse(store, path, 'pin the memory', (use) => ({ ...use, pinned }))
}

/** Counts one use by an agent. Failing to count is logged and fails nobody. */
export async function countAccess(store: MemoryStore, path: string): Promise<void> {
  const counted = await changeUse(store, path, 'count the use', (use) => ({
    ...use,
    accessCount: use.accessCount + 1,
    lastAccessedAtMs: store.clock.now()
  }))
  if (!counted.ok) store.log.warn('memory-use-not-counted', { reason: counted.error.kind })
}

async function changeUse(
  store: MemoryStore,
  path: string,
  action: string,
  change: (use: MemoryUse) => MemoryUse
): Promise<Result<void, MemoryFailure>> {
  const place = await locateFile(store, path)
  if (!place.ok) return place
  const { names, folder } = place.value
  const key = names.join('/')
  return withMemoryLock(store, [place.value], action, async () => {
    await changeUses(folder, store.log, (uses) => void uses.set(key, change(uses.get(key) ?? UNUSED)))
    return ok(undefined)
  })
}

async function locateFile(store: MemoryStore, path: string): Promise<Result<MemoryPlace, MemoryFailure>> {
  const place = await locateMemory(store, path)
  if (!place.ok || place.value.kind === 'file') return place
  if (place.value.kind === 'folder') return memoryFailure('refused', `${place.value.path} is a folder.`)
  return memoryFailure('missing', missingWords(place.value))
}
