// Owns keeping a lock between tasks that follow each other closely: taking it for each would change the folder
// twice, which the disk's journal then carries with every sync. Invariant: who waits gets it after one task.
import type { Clock } from '@common/clock'
import { ok, type Result } from '@common/result'
import { removeIfThere } from './atomic-write'
import { PRIVATE_FILE_MODE } from './app-paths'
import { fileErrorOf } from './file-error'
import { type FileSystem, nodeFileSystem, OPEN_CREATE_OR_UPDATE } from './file-system'
import { type LockError, OwnerLockFile, type OwnerLock } from './owner-lock'

/** Kept so long after a task; a burst of tasks takes the lock once. */
const LINGER_MS = 10
/** Looks for others who wait are this far apart: a look costs as much as a tenth of a task. */
const LOOK_INTERVAL_MS = 2
/** First wait for another owner's task; it grows to the longest. */
const FIRST_WAIT_MS = 1
const LONGEST_WAIT_MS = 10
const WAIT_GROWTH = 1.5
/** Who gave the lock to another waits longer than that one may sleep between two looks. */
const COURTESY_MS = 15

/** One a store; its tasks never overlap (the store's mutex sees to it). */
export class LeasedLock {
  readonly #file: OwnerLockFile
  readonly #fs: FileSystem
  readonly #clock: Clock
  /** There while somebody waits for the lock. */
  readonly #wantedPath: string
  #held: OwnerLock | null = null
  #isInTask = false
  #isLingering = false
  #tasks = 0
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(path: string, clock: Clock, fs: FileSystem = nodeFileSystem) {
    this.#file = new OwnerLockFile(path, fs)
    this.#wantedPath = `${path}.wanted`
    this.#fs = fs
    this.#clock = clock
  }

  /** True while no other process can hold the lock. */
  get isHeld(): boolean {
    return this.#held !== null
  }

  /** The lock for one task, waiting up to `waitMs` for another owner. Call `endTask` after it. */
  async beginTask(waitMs: number): Promise<Result<void, LockError>> {
    if (this.#held !== null && this.#isTimeToLook()) await this.#yieldToOthers()
    if (this.#held === null) {
      const taken = await this.#take(waitMs)
      if (!taken.ok) return taken
      this.#held = taken.value
    }
    this.#isInTask = true
    this.#tasks++
    return ok(undefined)
  }

  /** Never throws. */
  endTask(): void {
    this.#isInTask = false
    if (!this.#isLingering) void this.#linger()
  }

  close(): void {
    this.#giveBack()
    this.#file.close()
  }

  #isTimeToLook(): boolean {
    const nowMs = this.#clock.now()
    // Bounded on both sides: a wall clock may jump.
    if (Math.abs(nowMs - this.#lookedAtMs) < LOOK_INTERVAL_MS) return false
    this.#lookedAtMs = nowMs
    return true
  }

  async #yieldToOthers(): Promise<void> {
    try {
      if (this.#held?.isStillOurs() !== true) {
        this.#held = null
      } else if (this.#fs.stat(this.#wantedPath) !== null) {
        removeIfThere(this.#fs, this.#wantedPath)
        this.#giveBack()
        await this.#clock.sleep(COURTESY_MS)
      }
    } catch (cause) {
      fileErrorOf(cause, 'look after the lock', this.#wantedPath)
      this.#giveBack()
    }
  }

  async #take(waitMs: number): Promise<Result<OwnerLock, LockError>> {
    let hasAsked = false
    // What was slept is counted, not the time: a wall clock may jump.
    for (let delayMs = FIRST_WAIT_MS, leftMs = waitMs; ; delayMs = Math.min(delayMs * WAIT_GROWTH, LONGEST_WAIT_MS)) {
      const taken = this.#file.tryTake()
      if (taken.ok || taken.error.kind !== 'held' || leftMs <= 0) {
        if (hasAsked) removeIfThere(this.#fs, this.#wantedPath)
        return taken
      }
      hasAsked = this.#ask() || hasAsked
      await this.#clock.sleep(Math.min(delayMs, leftMs))
      leftMs -= delayMs
    }
  }

  /** Without it the wait is only longer: until the owner's burst is over. */
  #ask(): boolean {
    try {
      this.#fs.close(this.#fs.open(this.#wantedPath, OPEN_CREATE_OR_UPDATE, PRIVATE_FILE_MODE))
      return true
    } catch (cause) {
      fileErrorOf(cause, 'ask for the lock', this.#wantedPath)
      return false
    }
  }

  /** Ends when a task begins; the end of that task begins it anew. */
  async #linger(): Promise<void> {
    this.#isLingering = true
    for (let seen = -1; !this.#isInTask && seen !== this.#tasks;) {
      seen = this.#tasks
      await this.#clock.sleep(LINGER_MS)
    }
    this.#isLingering = false
    if (!this.#isInTask) this.#giveBack()
  }

  #giveBack(): void {
    this.#held?.release()
    this.#held = null
  }
}
