// Owns locks between processes: a file that names its owner (pid, host, start time) and is there only while held.
// Invariant: the file appears with its whole content or not at all; of several who find it stale, one gets it.
import type { Clock } from '@common/clock'
import { err, type Result } from '@common/result'
import type { FileError } from './file-error'

/** Who holds a lock, as stored in its file. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** When the process started, in a form that only this machine compares; null where it cannot be known. */
  readonly startTime: string | null
  /** Random; tells two holds by one process apart. */
  readonly token: string
}

export interface OwnerLock {
  readonly owner: LockOwner
  /** Gives the lock back; a second call does nothing. Never throws: what cannot be removed is stale once we end. */
  release(): void
}

export type LockError = { readonly kind: 'held'; readonly owner: LockOwner; readonly path: string } | FileError

export interface LockOptions {
  /** How long to wait for another owner, in milliseconds; 0 asks once. */
  readonly waitMs: number
  readonly clock: Clock
}

/** Takes the lock at `path`, waiting up to `waitMs`. A lock whose owner is gone is taken over. */
export async function acquireOwnerLock(path: string, options: LockOptions): Promise<Result<OwnerLock, LockError>> {
  await options.clock.sleep(0)
  return err({ kind: 'io', message: 'Locks are not built yet.', path, code: 'ENOSYS' })
}
