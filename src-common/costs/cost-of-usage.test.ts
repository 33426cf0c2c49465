import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelPrice } from '../models/model-info'
import { costOfUsage } from './cost-of-usage'

const price: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const usage = {
  inputTokens: 1_000,
  cacheReadTokens: 10_000,
  cacheWriteTokens: 2_000,
  outputTokens: 500,
  reasoningTokens: 400
}

describe('the cost of a request', () => {
  it('charges fresh, read and written input apart; reasoning is part of the output', () => {
    expect(costOfUsage(usage, price)).toBeCloseTo(0.003 + 0.003 + 0.0075 + 0.0075, 10)
  })

  it('is unknown, not zero, without a price', () => {
    expect(costOfUsage(usage, null)).toBeNull()
  })

  it('charges cached tokens as input where the provider names no cache price', () => {
    expect(costOfUsage(usage, { ...price, cacheRead: null, cacheWrite: null })).toBeCloseTo(0.039 + 0.0075, 10)
  })

  it('takes the dearest tier that the whole input passes', () => {
    const tiers = [
      { inputTokensAbove: 5_000, input: 6, output: 30, cacheRead: null, cacheWrite: null },
      { inputTokensAbove: 13_000, input: 9, output: 45, cacheRead: null, cacheWrite: null }
    ]
    expect(costOfUsage(usage, { ...price, tiers })).toBeCloseTo(0.078 + 0.015, 10)
  })

  it('is never negative and never shrinks with more tokens', () => {
    const count = fc.nat(2_000_000)
    const anyUsage = fc.record({
      inputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
      outputTokens: count,
      reasoningTokens: count
    })
    fc.assert(
      fc.property(anyUsage, count, (some, more) => {
        const cost = costOfUsage(some, price) ?? -1
        expect(cost).toBeGreaterThanOrEqual(0)
        expect(costOfUsage({ ...some, outputTokens: some.outputTokens + more }, price)).toBeGreaterThanOrEqual(cost)
      }),
      { seed: 3 }
    )
  })
})
