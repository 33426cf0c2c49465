import { describe, expect, it } from 'vitest'
import { systemClock } from './system-clock'

describe('the system clock', () => {
  it('sleeps at least as long as it is asked to', async () => {
    const before = systemClock.now()
    await systemClock.sleep(10)
    // A timer may fire up to a millisecond early against the wall clock.
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(9)
  })

  it('T-1 wakes with the reason of the signal when it is aborted', async () => {
    const abort = new AbortController()
    const reason = new Error('the person stopped the turn')
    const asleep = systemClock.sleep(60_000, abort.signal)
    abort.abort(reason)
    await expect(asleep).rejects.toBe(reason)
    await expect(systemClock.sleep(60_000, abort.signal)).rejects.toBe(reason)
  })

  it('leaves no listener behind on a signal that lives longer', async () => {
    const listeners = new Set<() => void>()
    const signal = {
      aborted: false,
      reason: undefined,
      addEventListener: (_type: 'abort', listener: () => void) => void listeners.add(listener),
      removeEventListener: (_type: 'abort', listener: () => void) => void listeners.delete(listener)
    }
    await systemClock.sleep(1, signal)
    expect(listeners.size).toBe(0)
  })
})
