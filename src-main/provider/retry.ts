// Owns our own retries (T-4): at most three, 1 s · 2ⁿ with jitter or the server's wish, and only before anything was
// streamed in the step. The SDK's retries must be off (`maxRetries: 0` at streamText and generateText), or they multiply.
// What the model throws or streams as an error leaves here as a ProviderFailureError.
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamResult } from '@ai-sdk/provider'
import type { Clock } from '@common/clock'
import { MAX_PROVIDER_RETRIES, MAX_RETRY_AFTER_MS, RETRY_BASE_DELAY_MS } from '@common/constants'
import type { ProviderFailure } from '@common/models/provider-failure'
import { orAborted, throwIfAborted } from './abort'
import { ProviderFailureError } from './provider-failure-error'
import { guardStream, openStream } from './stream-guard'

/** Share of a delay that chance may add or take, so that clients that failed together do not come back together. */
const JITTER_SHARE = 0.25

export interface RetryOptions {
  readonly clock: Clock
  /** A number from 0 up to 1, as Math.random. */
  random(): number
  classify(error: unknown): ProviderFailure
  /** Told before each wait; `attempt` is the retry that follows it, from 1. */
  onRetry?(retry: { readonly attempt: number; readonly delayMs: number; readonly failure: ProviderFailure }): void
  /** Told before each call to the provider; the first is 0. */
  onAttempt?(attempt: number): void
}

/**
 * The same model with retries and with guarded streams: each call ends in exactly one finish or one
 * ProviderFailureError (thrown before anything was streamed, the last part of the stream after that), or in an AbortError.
 */
export function withRetry(model: LanguageModelV3, options: RetryOptions): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (call) =>
      retrying(call.abortSignal, options, () => orAborted(model.doGenerate(call), call.abortSignal, () => {})),
    doStream: (call) => retrying(call.abortSignal, options, () => streamOnce(model, call, options))
  }
}

/** Milliseconds before retry number `attempt` (from 1), or null when it is not worth waiting for. */
export function retryDelayMs(failure: ProviderFailure, attempt: number, random: number): number | null {
  if (!failure.retryable || attempt > MAX_PROVIDER_RETRIES) return null
  if (failure.retryAfterMs !== null) return failure.retryAfterMs > MAX_RETRY_AFTER_MS ? null : failure.retryAfterMs
  const nominalMs = RETRY_BASE_DELAY_MS * 2 ** (attempt - 1)
  return Math.round(nominalMs * (1 + JITTER_SHARE * (2 * random - 1)))
}

async function streamOnce(
  model: LanguageModelV3,
  call: LanguageModelV3CallOptions,
  options: RetryOptions
): Promise<LanguageModelV3StreamResult> {
  const signal = call.abortSignal
  const result = await orAborted(model.doStream(call), signal, (late) => {
    // Aborted while the answer was on its way: nobody reads it, so its connection is let go.
    late.stream.cancel().catch(() => {})
  })
  const opened = await openStream(result.stream, signal)
  const stream = guardStream(opened, signal, (error) => new ProviderFailureError(options.classify(error)))
  return { ...result, stream }
}

async function retrying<T>(signal: AbortSignal | undefined, options: RetryOptions, call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    throwIfAborted(signal)
    options.onAttempt?.(attempt)
    try {
      return await call()
    } catch (error) {
      throwIfAborted(signal)
      const failure = options.classify(error)
      const delayMs = retryDelayMs(failure, attempt + 1, options.random())
      if (delayMs === null) throw new ProviderFailureError(failure)
      options.onRetry?.({ attempt: attempt + 1, delayMs, failure })
      await orAborted(options.clock.sleep(delayMs, signal), signal, () => {})
    }
  }
}
