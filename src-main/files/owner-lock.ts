// Owns locks between processes: a file that names its owner (pid, host, start time) and is there only while held.
// Invariant: the file appears with its whole content or not at all; of several who find it stale, one gets it.
import type { Clock } from '@common/clock'
import { err, ok, type Result } from '@common/result'
import { removeIfThere } from './atomic-write'
import { PRIVATE_FILE_MODE } from './app-paths'
import { type FileError, fileErrorOf, systemCodeOf } from './file-error'
import { type FileStamp, type FileSystem, nodeFileSystem, OPEN_NEW, sameFile } from './file-system'
import { findLock, type FoundLock, isStale, type LockOwner, newOwner } from './lock-owner'
import { writeAll } from './write-all'

export type { LockOwner } from './lock-owner'

export interface OwnerLock {
  readonly owner: LockOwner
  /** Gives the lock back; a second call does nothing. Never throws: what cannot be removed is stale once we end. */
  release(): void
  /** False when a person removed or replaced the file meanwhile. Throws the system's error. */
  isStillOurs(): boolean
}

export type LockError =
  | { readonly kind: 'held'; readonly message: string; readonly owner: LockOwner; readonly path: string }
  | FileError

export interface LockOptions {
  /** How long to wait for another owner, in milliseconds; 0 asks once. */
  readonly waitMs: number
  readonly clock: Clock
  readonly fs?: FileSystem
}

/** First wait for a lock that is held for one append (0.3 ms); it grows to the longest. */
const FIRST_WAIT_MS = 1
const LONGEST_WAIT_MS = 25
const WAIT_GROWTH = 1.5
/** Takings in a row that may vanish under our eyes before the lock counts as held. */
const MAX_VANISHED = 8

/** Takes the lock at `path`, waiting up to `waitMs`. A lock whose owner is gone is taken over. */
export async function acquireOwnerLock(path: string, options: LockOptions): Promise<Result<OwnerLock, LockError>> {
  const file = new OwnerLockFile(path, options.fs)
  const lock = await file.acquire(options)
  file.close()
  return lock
}

/** Resolves once nobody holds the lock at `path`, at the latest after `waitMs`. Takes nothing, so nobody is refused. */
export async function untilReleased(path: string, { waitMs, clock, fs = nodeFileSystem }: LockOptions): Promise<void> {
  for (let leftMs = waitMs; leftMs > 0 && isThere(fs, path); leftMs -= LONGEST_WAIT_MS)
    await clock.sleep(Math.min(LONGEST_WAIT_MS, leftMs))
}

/** A lock that cannot be read keeps nobody waiting. */
function isThere(fs: FileSystem, path: string): boolean {
  try {
    return findLock(fs, path) !== null
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return false
  }
}

/**
 * A lock that is taken often: its content waits ready in a file beside it, so that taking it is one
 * `link` and giving it back one `unlink`. `close` removes that file; a held lock stays held.
 */
export class OwnerLockFile {
  readonly #path: string
  readonly #fs: FileSystem
  readonly #owner = newOwner()
  #prepared: FileStamp | null = null
  /** True while the prepared file keeps its own name: no other file can have its inode then. */
  #isPinned = false
  #isHeld = false
  /** Given back, but its removal failed. */
  #isLeft = false

  constructor(path: string, fs: FileSystem = nodeFileSystem) {
    this.#path = path
    this.#fs = fs
  }

  get owner(): LockOwner {
    return this.#owner
  }

  async acquire({ waitMs, clock }: LockOptions): Promise<Result<OwnerLock, LockError>> {
    // What was slept is counted, not the time: a wall clock may jump.
    for (let delayMs = FIRST_WAIT_MS, leftMs = waitMs; ; delayMs = Math.min(delayMs * WAIT_GROWTH, LONGEST_WAIT_MS)) {
      const taken = this.tryTake()
      if (taken.ok || taken.error.kind !== 'held' || leftMs <= 0) return taken
      await clock.sleep(Math.min(delayMs, leftMs))
      leftMs -= delayMs
    }
  }

  /** Asks once, without waiting. */
  tryTake(): Result<OwnerLock, LockError> {
    try {
      for (let vanished = 0; vanished < MAX_VANISHED; vanished++) {
        if (this.#create()) return ok(this.#hold())
        const found = findLock(this.#fs, this.#path)
        if (found === null) continue
        if (this.#isLeftByUs(found) || this.#isTakenOver(found)) return ok(this.#hold())
        return err(heldError(this.#path, found.owner))
      }
      return err(heldError(this.#path, null))
    } catch (cause) {
      // It may be there all the same: the answer was lost.
      this.#isLeft = true
      return err(fileErrorOf(cause, 'take the lock', this.#path))
    }
  }

  /** Removes also a lock that could not be removed when it was given back: else it is held as long as we live. */
  close(): void {
    if (this.#isLeft && !this.#isHeld) this.#remove(this.#prepared)
    if (this.#prepared !== null) removeIfThere(this.#fs, this.#preparedPath)
    this.#prepared = null
    this.#isPinned = false
  }

  get #preparedPath(): string {
    return `${this.#path}.${this.#owner.token}`
  }

  /** Creates the lock file, false when there is one already. */
  #create(): boolean {
    this.#prepared ??= this.#prepare()
    try {
      this.#fs.link(this.#preparedPath, this.#path)
      return true
    } catch (cause) {
      switch (systemCodeOf(cause)) {
        case 'EEXIST':
          return false
        case 'ENOENT':
          // Somebody tidied up; the next try writes it anew.
          this.#prepared = null
          return false
        case 'EPERM':
        case 'ENOSYS':
        case 'ENOTSUP':
        case 'EOPNOTSUPP':
          return this.#createWithoutLink()
        default:
          throw cause
      }
    }
  }

  /** For file systems without hard links (exFAT): the content follows a moment after the name. */
  #createWithoutLink(): boolean {
    try {
      this.#prepared = this.#writeOwner(this.#path)
      this.#isPinned = false
      return true
    } catch (cause) {
      if (systemCodeOf(cause) === 'EEXIST') return false
      throw cause
    }
  }

  #prepare(): FileStamp {
    removeIfThere(this.#fs, this.#preparedPath)
    const stamp = this.#writeOwner(this.#preparedPath)
    this.#isPinned = true
    return stamp
  }

  #writeOwner(path: string): FileStamp {
    const descriptor = this.#fs.open(path, OPEN_NEW, PRIVATE_FILE_MODE)
    try {
      this.#fs.setMode(descriptor, PRIVATE_FILE_MODE)
      writeAll(this.#fs, descriptor, Buffer.from(`${JSON.stringify(this.#owner)}\n`))
      return this.#fs.fstat(descriptor)
    } finally {
      this.#fs.close(descriptor)
    }
  }

  /**
   * Replaces a stale lock by ours. The right to do so is itself a lock, named after the hold that it ends: a
   * dead owner's hold cannot change but by whoever has that right, so a late comer finds another hold and stops.
   */
  #isTakenOver(found: FoundLock): boolean {
    this.#prepared = this.#prepare()
    if (!isStale(found, this.#prepared)) return false
    const right = new OwnerLockFile(`${this.#path}.over-${found.holdId}`, this.#fs)
    const taken = right.tryTake()
    right.close()
    if (!taken.ok) {
      if (taken.error.kind === 'held') return false
      throw Object.assign(new Error(taken.error.message), { code: taken.error.code, syscall: 'link' })
    }
    try {
      if (findLock(this.#fs, this.#path)?.holdId !== found.holdId) return false
      this.#fs.rename(this.#preparedPath, this.#path)
      this.#isPinned = false
      return true
    } finally {
      taken.value.release()
    }
  }

  /** A lock that we gave back but could not remove. */
  #isLeftByUs(found: FoundLock): boolean {
    if (this.#isHeld || found.owner?.token !== this.#owner.token) return false
    this.#prepared = found.stamp
    this.#isPinned = false
    return true
  }

  #hold(): OwnerLock {
    const mine = this.#prepared
    let isReleased = false
    this.#isHeld = true
    this.#isLeft = false
    return {
      owner: this.#owner,
      isStillOurs: () => {
        const found = this.#fs.stat(this.#path)
        return found !== null && mine !== null && sameFile(found, mine) && found.mtimeNs === mine.mtimeNs
      },
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#isHeld = false
        this.#remove(mine)
      }
    }
  }

  /** Only ours: a person may have deleted the file by hand, and another process may hold it now. */
  #remove(mine: FileStamp | null): void {
    try {
      const found = this.#fs.stat(this.#path)
      if (found === null || mine === null || !sameFile(found, mine)) return
      if (this.#isPinned || findLock(this.#fs, this.#path)?.owner?.token === this.#owner.token) {
        this.#fs.unlink(this.#path)
      }
    } catch (cause) {
      // It stays and names us; our next taking finds it and uses it again, or our end removes it.
      this.#isLeft = true
      fileErrorOf(cause, 'release the lock', this.#path)
    }
  }
}

/** For a lock file that names nobody. */
const UNKNOWN_OWNER: LockOwner = { pid: 0, host: 'an unknown computer', startTime: null, token: '' }

function heldError(path: string, owner: LockOwner | null): LockError {
  const who = owner === null ? 'another program' : `process ${owner.pid} on ${owner.host}`
  return {
    kind: 'held',
    owner: owner ?? UNKNOWN_OWNER,
    path,
    message: `It is in use by ${who}. Wait until it is done, or end it; if it is no longer there, delete ${path}.`
  }
}
