// Owns who may change a scope now: one change at a time, across sessions and processes.
import { dirname, join } from 'node:path'
import { MEMORY_LOCK_WAIT_MS } from '@common/constants'
import type { Result } from '@common/result'
import { nodeFileSystem } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'
import { acquireOwnerLock, type OwnerLock } from '../files/owner-lock'
import { removeStaleLocks } from '../files/remove-stale-locks'
import { memoryFailure, memoryIoFailure, type MemoryFailure } from './memory-failure'
import type { MemoryPlace } from './locate-memory'
import type { MemoryStore } from './memory-store'

const LOCK_NAME = '.memory.lock'

/**
 * Runs `task` while no other change is made in the scopes of `places`; makes their folders first. A system error
 * that it throws becomes a failure (`action` is a verb phrase). Look at the places again inside: they may have changed.
 */
export async function withMemoryLock<T>(
  store: MemoryStore,
  places: readonly MemoryPlace[],
  action: string,
  task: () => Promise<Result<T, MemoryFailure>>
): Promise<Result<T, MemoryFailure>> {
  const path = places[0]?.path ?? ''
  // Always in one order, so that two renames between two scopes do not wait for each other.
  const folders = [...new Set(places.map(({ folder }) => folder))].toSorted()
  const held: OwnerLock[] = []
  try {
    for (const folder of folders) {
      makePrivateFolder(nodeFileSystem, folder)
      const lockPath = join(folder, LOCK_NAME)
      const lock = await acquireOwnerLock(lockPath, { waitMs: MEMORY_LOCK_WAIT_MS, clock: store.clock })
      if (!lock.ok) {
        if (lock.error.kind !== 'held') return memoryFailure('io', lock.error.message)
        return memoryFailure('locked', `Could not ${action} (${path}). ${lock.error.message}`)
      }
      held.push(lock.value)
      removeStaleLocks(nodeFileSystem, lockPath)
    }
    return await task()
  } catch (cause) {
    return memoryIoFailure(cause, action, path)
  } finally {
    for (const lock of held) lock.release()
  }
}

/** Makes the folders above a memory, private. */
export function makeFolderOf(place: MemoryPlace): void {
  makePrivateFolder(nodeFileSystem, dirname(place.absolute))
}
