// Owns a clock that stands still until a test moves it. Sleeps end when time is moved past them, in order.
import type { Clock } from '../../../src-common/clock'

export interface ManualClock extends Clock {
  /** Moves time and ends the sleeps that it passes. */
  advance(byMs: number): Promise<void>
  /** Resolves once something sleeps for exactly `delayMs`, now or later. */
  sleeping(delayMs: number): Promise<void>
  /** How long each sleep was asked to last, in order. */
  readonly sleeps: readonly number[]
}

interface Sleeper {
  readonly wakeAtMs: number
  readonly wake: () => void
}

/**
 * A clock for tests. With `instant` every sleep up to that many milliseconds ends by itself and moves the time:
 * for tests of retries, where longer sleeps are watches that must not end.
 */
export function createManualClock(startMs = 1_790_000_000_000, instantUpToMs = 0): ManualClock {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  const sleeps: number[] = []
  const waiting: { delayMs: number; resolve: () => void }[] = []
  return {
    sleeps,
    now: () => nowMs,
    sleep: (delayMs, abortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (abortSignal?.aborted === true) return reject(abortSignal.reason)
        sleeps.push(delayMs)
        for (const waiter of waiting.splice(0))
          if (waiter.delayMs === delayMs) waiter.resolve()
          else waiting.push(waiter)
        if (delayMs <= instantUpToMs) {
          nowMs += delayMs
          return resolve()
        }
        const onAbort = (): void => {
          sleepers.delete(sleeper)
          reject(abortSignal?.reason)
        }
        const sleeper: Sleeper = {
          wakeAtMs: nowMs + delayMs,
          wake: () => {
            abortSignal?.removeEventListener('abort', onAbort)
            resolve()
          }
        }
        sleepers.add(sleeper)
        abortSignal?.addEventListener('abort', onAbort, { once: true })
      }),
    async advance(byMs) {
      nowMs += byMs
      for (const sleeper of [...sleepers].toSorted((a, b) => a.wakeAtMs - b.wakeAtMs)) {
        if (sleeper.wakeAtMs > nowMs) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
      await new Promise((resolve) => setImmediate(resolve))
    },
    sleeping: (delayMs) =>
      sleeps.includes(delayMs) ? Promise.resolve() : new Promise((resolve) => waiting.push({ delayMs, resolve }))
  }
}
