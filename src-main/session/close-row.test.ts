import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '@common/models/model-info'
import type { NewRow, StepPart, TokenUsage } from '@common/rows/row-schema'
import { finishedRow } from './close-row'

const info: ModelInfo = {
  ref: 'anthropic:sea-1',
  providerId: 'anthropic',
  modelId: 'sea-1',
  name: 'Sea 1',
  contextLimit: 200_000,
  maxOutputTokens: 8_000,
  price: { input: 2, output: 10, cacheRead: 0.5, cacheWrite: null },
  encoding: 'o200k_base',
  encodingEstimated: false,
  vision: true,
  thinkingLevels: ['off'],
  fallbacks: [],
  available: true
}

function step(requestSequence: number, usage: Partial<TokenUsage>): StepPart {
  const none = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  return { type: 'step', requestSequence, model: info.ref, usage: { ...none, ...usage } }
}

function row(...steps: StepPart[]): NewRow {
  const parts = [{ type: 'text', text: 'a' }, ...steps]
  return { id: 'r', role: 'assistant', parts, metadata: { model: info.ref, timestamp: 5 } }
}

const two = row(
  step(4, { inputTokens: 100_000, outputTokens: 1_000 }),
  step(5, { inputTokens: 1_000, cacheReadTokens: 100_000, outputTokens: 500, reasoningTokens: 200 })
)

describe('finishedRow', () => {
  it('00 sums the steps, and keeps the figures of the last one as what the context held', () => {
    const { metadata } = finishedRow(two, () => info.price, { durationMs: 900 })
    expect(metadata).toEqual({
      model: info.ref,
      timestamp: 5,
      usage: {
        inputTokens: 101_000,
        cacheReadTokens: 100_000,
        cacheWriteTokens: 0,
        outputTokens: 1_500,
        reasoningTokens: 200
      },
      contextUsage: two.parts[2]?.['usage'],
      requestSequence: 5,
      costUsd: expect.closeTo(0.202 + 0.05 + 0.015, 10),
      durationMs: 900
    })
  })

  it('charges each request by its own length, never the sum of a turn', () => {
    const price = { input: 2, output: 10, cacheRead: null, cacheWrite: null }
    const tiers = [{ ...price, input: 4, output: 20, inputTokensAbove: 150_000 }]
    const long = row(step(1, { inputTokens: 100_000 }), step(2, { inputTokens: 100_000 }))
    const { costUsd } = finishedRow(long, () => ({ ...price, tiers }), {}).metadata
    expect(costUsd).toBeCloseTo(0.4, 10)
  })

  it('leaves the cost out where the price is not known, which is not the same as free', () => {
    expect(finishedRow(two, () => null, {}).metadata).not.toHaveProperty('costUsd')
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    expect(finishedRow(two, () => free, {}).metadata.costUsd).toBe(0)
  })

  it('says how an answer ended that was cut before its first step, and makes up no figures', () => {
    const { metadata } = finishedRow(row(), () => info.price, { interrupted: true, durationMs: 3 })
    expect(metadata).toEqual({ model: info.ref, timestamp: 5, interrupted: true, durationMs: 3 })
  })

  it('changes nothing in the row that it is given', () => {
    const before = structuredClone(two)
    finishedRow(two, () => info.price, { error: { kind: 'network', message: 'Gone.' } })
    expect(two).toEqual(before)
  })
})
