// Owns what a request costs: usage times price. An unknown price gives null, never zero.
import { contextTokensOf } from '../budget/usage'
import type { ModelPrice } from '../models/model-info'
import type { TokenUsage } from '../rows/row-schema'

const TOKENS_PER_PRICE = 1_000_000

/** US dollars of one request, or null when the price is not known. Fresh and cached input are charged apart. */
export function costOfUsage(usage: TokenUsage, price: ModelPrice | null): number | null {
  if (price === null) return null
  const inputTokens = contextTokensOf(usage)
  const rates = price.tiers?.filter((tier) => inputTokens > tier.inputTokensAbove).at(-1) ?? price
  const dollars =
    usage.inputTokens * rates.input +
    usage.cacheReadTokens * (rates.cacheRead ?? rates.input) +
    usage.cacheWriteTokens * (rates.cacheWrite ?? rates.input) +
    usage.outputTokens * rates.output
  return dollars / TOKENS_PER_PRICE
}
