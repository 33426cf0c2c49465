// Owns how to wait for the disk: in place while it answers within a fraction of a frame, else on another thread.
// Handing 0.2 ms of waiting to a thread costs up to as much again; a slow disk must never stop the main thread.

export interface SyncCalls {
  /** Waits in place; throws the system's error. */
  now(descriptor: number): void
  /** Waits on another thread. */
  later(descriptor: number): Promise<void>
  /** Milliseconds on a clock that never goes back. */
  elapsedMs(): number
}

/** A quarter of a frame: nobody sees that the main thread waited. */
const QUICK_MS = 4
/** So many quick answers in a row before the disk is trusted (again). */
const TRIAL_SYNCS = 8

/** At most one sync in so many can stop the caller longer than QUICK_MS: the one that finds the disk has become slow. */
export function createPacedSync(calls: SyncCalls): (descriptor: number) => Promise<void> {
  let trialsLeft = TRIAL_SYNCS
  const learn = (tookMs: number): void => {
    if (tookMs > QUICK_MS) trialsLeft = TRIAL_SYNCS
    else if (trialsLeft > 0) trialsLeft--
  }
  return async (descriptor) => {
    const startMs = calls.elapsedMs()
    if (trialsLeft > 0) await calls.later(descriptor)
    else calls.now(descriptor)
    learn(calls.elapsedMs() - startMs)
  }
}
