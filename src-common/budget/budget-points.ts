// Owns the points of a context budget: output reserve, hard ceiling, rollover and warning point. At a point counts as over.
import {
  OUTPUT_RESERVE_TOKENS,
  ROLLOVER_MARGIN_PERCENT,
  WARNING_LEAD_TOKENS,
  WARNING_MARGIN_PERCENT
} from '../constants'

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

/** The points of one model under one threshold, in tokens. */
export interface BudgetPoints {
  readonly hardCeiling: number
  /** Null with automatic handling off (a threshold of 1 or more). */
  readonly rolloverPoint: number | null
  /** Null where there is no room for a warning before the rollover. */
  readonly warningPoint: number | null
}

/**
 * The points of spec 00, each a share of the limit rounded down; null for an unknown limit. `threshold` is a share of
 * the limit, taken to whole percents so that 0.7 + 0.05 is 75 and not 74.99.
 */
export function budgetPointsOf(limits: ModelLimits, threshold: number): BudgetPoints | null {
  const hardCeiling = hardCeilingOf(limits)
  const { contextLimit } = limits
  if (hardCeiling === null || contextLimit === null) return null
  const percent = Math.round(threshold * 100)
  if (percent >= 100) return { hardCeiling, rolloverPoint: null, warningPoint: null }
  const at = (share: number): number => Math.floor((contextLimit * share) / 100)
  const rolloverPoint = Math.min(at(percent + ROLLOVER_MARGIN_PERCENT), hardCeiling)
  const warningPoint = Math.max(
    Math.min(at(percent - WARNING_MARGIN_PERCENT), rolloverPoint - WARNING_LEAD_TOKENS),
    Math.floor(hardCeiling / 2)
  )
  return { hardCeiling, rolloverPoint, warningPoint: warningPoint < rolloverPoint ? warningPoint : null }
}
