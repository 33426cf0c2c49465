// Owns how an abort looks in this layer: always a DOMException named AbortError, whatever reason the caller gave,
// because the SDK knows an abort by that name only and reports anything else as a failure.

/** The error that an aborted call ends with. */
export function abortErrorOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error && reason.name === 'AbortError') return reason
  return new DOMException(typeof reason === 'string' ? reason : 'The request was stopped.', 'AbortError')
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortErrorOf(signal)
}

/**
 * Settles with `work`, or rejects with an AbortError the moment the signal is aborted, also when the work
 * itself ignores the signal. A result that comes too late goes to `discard`.
 */
export function orAborted<T>(
  work: PromiseLike<T>,
  signal: AbortSignal | undefined,
  discard: (late: T) => void
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let settled = false
    const onAbort = (): void => {
      settled = true
      if (signal !== undefined) reject(abortErrorOf(signal))
    }
    if (signal?.aborted === true) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    work.then(
      (value) => {
        signal?.removeEventListener('abort', onAbort)
        if (settled) discard(value)
        else resolve(value)
      },
      (error: unknown) => {
        signal?.removeEventListener('abort', onAbort)
        reject(signal?.aborted === true ? abortErrorOf(signal) : error)
      }
    )
  })
}
