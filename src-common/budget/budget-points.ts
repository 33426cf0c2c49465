// Owns the points of a context budget: output reserve and hard ceiling. At the ceiling counts as over.
import { OUTPUT_RESERVE_TOKENS } from '../constants'

/** The part of ModelInfo that a budget needs; both in tokens, null when unknown. */
export interface ModelLimits {
  readonly contextLimit: number | null
  readonly maxOutputTokens: number | null
}

/** Tokens kept free for the answer: at most a quarter of the limit, at most the model's max output. */
export function outputReserveOf(contextLimit: number, maxOutputTokens: number | null): number {
  const reserve = Math.min(OUTPUT_RESERVE_TOKENS, Math.floor(contextLimit / 4))
  return maxOutputTokens === null ? reserve : Math.min(reserve, maxOutputTokens)
}

/** Tokens at which a request is refused; null for an unknown limit, which never decides anything (G-2). */
export function hardCeilingOf(limits: ModelLimits): number | null {
  if (limits.contextLimit === null) return null
  return limits.contextLimit - outputReserveOf(limits.contextLimit, limits.maxOutputTokens)
}

/**
 * What may be asked for as `maxOutputTokens`: the model's own maximum, clamped to what the request
 * leaves of the limit. Null when the maximum is not known, so that the provider's default holds.
 */
export function maxOutputFor(limits: ModelLimits, requestTokens: number): number | null {
  if (limits.contextLimit === null || limits.maxOutputTokens === null) return limits.maxOutputTokens
  return Math.min(limits.maxOutputTokens, Math.max(1, limits.contextLimit - requestTokens))
}
