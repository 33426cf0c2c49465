// Owns tidying up after processes that were killed: lock files beside a lock whose owners are gone.
import { basename, dirname, join } from 'node:path'
import { removeIfThere } from './atomic-write'
import type { FileSystem } from './file-system'
import { findLock } from './lock-owner'
import { listIfThere } from './open-if-there'
import { mayBeRunning } from './process-identity'

/** Call it while you hold the lock at `path`; that one stays. Throws the system's error. */
export function removeStaleLocks(fs: FileSystem, path: string): void {
  const folder = dirname(path)
  for (const name of listIfThere(fs, folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const beside = join(folder, name)
    const owner = findLock(fs, beside)?.owner ?? null
    if (owner !== null && !mayBeRunning(owner)) removeIfThere(fs, beside)
  }
}
