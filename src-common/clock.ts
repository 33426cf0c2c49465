// Owns the clock seam: everything that asks for the time takes one of these, so that tests can fix it.

/** The part of an AbortSignal that waiting needs; the platform's own signal fits. */
export interface AbortLike {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface Clock {
  /** Wall-clock time, milliseconds since the epoch. */
  now(): number
  /** Resolves after `delayMs`, or rejects with the signal's reason when aborted first. */
  sleep(delayMs: number, abortSignal?: AbortLike): Promise<void>
}
