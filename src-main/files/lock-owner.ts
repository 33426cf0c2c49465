// Owns the content of a lock file: who holds it, and whether that owner may still be there.
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { FileStamp, FileSystem } from './file-system'
import { openIfThere } from './open-if-there'
import { mayBeRunning, ownIdentity } from './process-identity'

/** Who holds a lock, as stored in its file. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** When the process started, in a form that only this machine compares; null where it cannot be known. */
  readonly startTime: string | null
  /** Random; tells two holds by one process apart. */
  readonly token: string
}

export interface FoundLock {
  /** Null when the content names nobody (a machine that lost power may leave an empty file). */
  readonly owner: LockOwner | null
  readonly stamp: FileStamp
  /** Names this very hold, also where there is no owner to read. */
  readonly holdId: string
}

const StoredOwner = z.looseObject({
  pid: z.number(),
  host: z.string(),
  startTime: z.union([z.string(), z.number()]).nullish(),
  token: z.string().optional()
})

/** A lock file is a line; more than this is not ours. */
const MAX_LOCK_BYTES = 4_096
/** A lock without a readable owner is given this long: a slow writer without hard links may be filling it. */
const UNREADABLE_GRACE_NS = 10_000_000_000n

export function newOwner(): LockOwner {
  return { ...ownIdentity(), token: randomBytes(8).toString('hex') }
}

/** Reads the lock at `path`, null when there is none. Throws the system's error. */
export function findLock(fs: FileSystem, path: string): FoundLock | null {
  const descriptor = openIfThere(fs, path)
  if (descriptor === null) return null
  try {
    const stamp = fs.fstat(descriptor)
    const bytes = Buffer.alloc(MAX_LOCK_BYTES)
    const text = bytes.toString('utf8', 0, fs.read(descriptor, bytes, 0, MAX_LOCK_BYTES, 0))
    const owner = parseOwner(text)
    const holdId = createHash('sha256').update(`${stamp.inode}:${text}`).digest('hex').slice(0, 16)
    return { owner, stamp, holdId }
  } finally {
    fs.close(descriptor)
  }
}

/** True when the owner is certainly gone. `now` is the stamp of a file written at this moment, by the same clock. */
export function isStale(lock: FoundLock, now: FileStamp): boolean {
  if (lock.owner !== null) return !mayBeRunning(lock.owner)
  return now.mtimeNs - lock.stamp.mtimeNs > UNREADABLE_GRACE_NS
}

function parseOwner(text: string): LockOwner | null {
  const parsed = StoredOwner.safeParse(parseJson(text))
  if (!parsed.success) return null
  const { pid, host, startTime, token } = parsed.data
  return { pid, host, startTime: startTime == null ? null : String(startTime), token: token ?? '' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}
