// Owns tidying a workspace's folder of what killed processes left: half-written copies, which hold what a person typed,
// and locks that were made ready. Nothing here fails its caller: a leftover does no harm.
import { join } from 'node:path'
import type { Clock } from '@common/clock'
import type { WorkspacePaths } from '../files/app-paths'
import { isTemporaryName, removeIfThere } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { listIfThere } from '../files/open-if-there'
import { acquireOwnerLock } from '../files/owner-lock'
import { removeStaleLocks } from '../files/remove-stale-locks'
import { queueLockOf } from './message-queue'

/** A write by a living process is over within milliseconds; a suspended machine may stretch that. */
const LEFTOVER_AGE_MS = 600_000

/** Call it when a workspace is opened. */
export async function removeLeftovers(paths: WorkspacePaths, clock: Clock): Promise<void> {
  for (const path of [paths.turnLock, queueLockOf(paths.queue)]) {
    const lock = await acquireOwnerLock(path, { waitMs: 0, clock })
    if (!lock.ok) continue
    attempt(paths.root, () => removeStaleLocks(nodeFileSystem, path))
    lock.value.release()
  }
  attempt(paths.root, () => removeOldCopies(paths.root, clock.now() - LEFTOVER_AGE_MS))
}

function removeOldCopies(folder: string, beforeMs: number): void {
  for (const name of listIfThere(nodeFileSystem, folder)) {
    if (!isTemporaryName(name)) continue
    const stamp = nodeFileSystem.stat(join(folder, name))
    if (stamp !== null && Number(stamp.mtimeNs / 1_000_000n) < beforeMs)
      removeIfThere(nodeFileSystem, join(folder, name))
  }
}

function attempt(folder: string, task: () => void): void {
  try {
    task()
  } catch (cause) {
    fileErrorOf(cause, 'tidy', folder)
  }
}
