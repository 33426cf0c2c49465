import { expect, it } from 'vitest'
import { addCost, NO_COST } from './cost-ledger'

const usage = { inputTokens: 1_000_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
const priceOf = (ref: string) => (ref === 'a:b' ? { input: 2, output: 1, cacheRead: null, cacheWrite: null } : null)

it('adds priced steps and counts those without a known price', () => {
  const steps = ['a:b', 'lab:x', 'a:b'].map((model) => ({ model, usage }))
  const total = steps.reduce((sum, step) => addCost(sum, step, priceOf), NO_COST)
  expect(total).toEqual({ costUsd: 4, unpricedSteps: 1 })
})
