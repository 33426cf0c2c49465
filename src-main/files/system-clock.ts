// Owns the real clock; everything else takes a Clock.
import { setTimeout as wait } from 'node:timers/promises'
import type { AbortLike, Clock } from '@common/clock'

export const systemClock: Clock = { now: () => Date.now(), sleep }

async function sleep(delayMs: number, abortSignal?: AbortLike): Promise<void> {
  if (abortSignal === undefined) {
    await wait(delayMs)
    return
  }
  if (abortSignal.aborted) throw abortSignal.reason
  const cancel = new AbortController()
  const onAbort = (): void => cancel.abort()
  abortSignal.addEventListener('abort', onAbort, { once: true })
  try {
    await wait(delayMs, undefined, { signal: cancel.signal })
  } catch (error) {
    throw abortSignal.aborted ? abortSignal.reason : error
  } finally {
    abortSignal.removeEventListener('abort', onAbort)
  }
}
