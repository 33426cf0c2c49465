// Owns the 120 s watch (T-4): a fetch that fails as a network fault when no byte came for too long, before the
// headers and between any two chunks. It counts bytes, not parts of an answer, so a provider that keeps the line
// alive with pings while a model thinks is not cut off. It counts only while somebody waits for the next byte.
import type { Clock } from '@common/clock'
import { PROVIDER_STALL_MS } from '@common/constants'
import { ProviderStalledError } from './provider-failure-error'

/** The same fetch with the watch around it. A stalled request is aborted, so its socket is let go. */
export function withStallWatch(
  fetch: typeof globalThis.fetch,
  clock: Clock,
  stallMs = PROVIDER_STALL_MS
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new AbortController()
    const callerSignal = init?.signal ?? undefined
    const onAbort = (): void => request.abort(callerSignal?.reason)
    if (callerSignal?.aborted === true) onAbort()
    callerSignal?.addEventListener('abort', onAbort, { once: true })
    const release = (): void => callerSignal?.removeEventListener('abort', onAbort)

    const watched = async <T>(work: Promise<T>): Promise<T> => {
      const error = new ProviderStalledError(stallMs)
      try {
        return await beforeStall(work, clock, stallMs, error)
      } catch (failure) {
        release()
        if (failure === error) request.abort(error)
        throw failure
      }
    }

    const response = await watched(fetch(input, { ...init, signal: request.signal }))
    if (response.body === null) {
      release()
      return response
    }
    const reader = response.body.getReader()
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const next = await watched(reader.read())
        if (!next.done) return controller.enqueue(next.value)
        release()
        return controller.close()
      },
      async cancel(reason) {
        release()
        await reader.cancel(reason)
      }
    })
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
  }
}

/** Settles with `work`, or rejects with `stalled` after `stallMs` of waiting. */
async function beforeStall<T>(work: Promise<T>, clock: Clock, stallMs: number, stalled: Error): Promise<T> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      work,
      clock.sleep(stallMs, timer.signal).then(
        () => {
          throw stalled
        },
        // The wait was called off because the work settled first: this branch of the race is over.
        () => new Promise<never>(() => {})
      )
    ])
  } finally {
    timer.abort()
  }
}
