// Owns the one conversion from a provider's usage, as the AI SDK reports it, to our TokenUsage (E-1).
// The SDK's input total already holds the cached tokens; ours keeps the uncached part by itself.
import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import type { LanguageModelUsage } from 'ai'
import type { TokenUsage } from '@common/rows/row-schema'

interface InputCounts {
  readonly total: number | undefined
  readonly noCache: number | undefined
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
}

/**
 * Token counts of one request. Takes both shapes of AI SDK 6: the one of a model's `finish` part
 * (counts nested under `inputTokens`) and the one of `streamText` (`inputTokenDetails`).
 * A count that the provider did not give, or gave as NaN or below zero, is 0.
 * Where only a total is given, the whole total counts as uncached.
 */
export function usageOf(usage: LanguageModelV3Usage | LanguageModelUsage): TokenUsage {
  const { input, output } = isNested(usage)
    ? { input: usage.inputTokens, output: usage.outputTokens }
    : { input: flatInputOf(usage), output: flatOutputOf(usage) }
  const cacheReadTokens = count(input.cacheRead)
  const cacheWriteTokens = count(input.cacheWrite)
  return {
    inputTokens: uncachedOf(input, cacheReadTokens + cacheWriteTokens),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: count(output.total),
    reasoningTokens: count(output.reasoning)
  }
}

function isNested(usage: LanguageModelV3Usage | LanguageModelUsage): usage is LanguageModelV3Usage {
  return typeof usage.inputTokens === 'object'
}

/** The details are typed as present, but usage that went through JSON or an older SDK comes without. */
function flatInputOf(usage: Partial<LanguageModelUsage>): InputCounts {
  return {
    total: usage.inputTokens,
    noCache: usage.inputTokenDetails?.noCacheTokens,
    cacheRead: usage.inputTokenDetails?.cacheReadTokens ?? usage.cachedInputTokens,
    cacheWrite: usage.inputTokenDetails?.cacheWriteTokens
  }
}

function flatOutputOf(usage: Partial<LanguageModelUsage>): {
  total: number | undefined
  reasoning: number | undefined
} {
  return {
    total: usage.outputTokens,
    reasoning: usage.outputTokenDetails?.reasoningTokens ?? usage.reasoningTokens
  }
}

/** A server whose total leaves the cached tokens out makes the difference negative: then the total is the uncached part. */
function uncachedOf(input: InputCounts, cachedTokens: number): number {
  const total = count(input.total)
  const noCache = input.noCache ?? total - cachedTokens
  return noCache >= 0 ? count(noCache) : total
}

function count(value: number | undefined): number {
  return value === undefined || !Number.isFinite(value) || value < 0 ? 0 : value
}
