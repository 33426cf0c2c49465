// E-1: one conversion of usage for every shape that the SDK and the providers give.
import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import type { LanguageModelUsage } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextTokensOf } from '@common/budget/usage'
import { usageOf } from './usage-of'

function nested(input: Partial<LanguageModelV3Usage['inputTokens']>, total?: number, reasoning?: number) {
  const inputTokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined, ...input }
  return { inputTokens, outputTokens: { total, text: undefined, reasoning } } satisfies LanguageModelV3Usage
}

/** The shape of streamText, made from the other one as the SDK makes it. */
function flat(usage: LanguageModelV3Usage): LanguageModelUsage {
  return {
    inputTokens: usage.inputTokens.total,
    inputTokenDetails: {
      noCacheTokens: usage.inputTokens.noCache,
      cacheReadTokens: usage.inputTokens.cacheRead,
      cacheWriteTokens: usage.inputTokens.cacheWrite
    },
    outputTokens: usage.outputTokens.total,
    outputTokenDetails: { textTokens: usage.outputTokens.text, reasoningTokens: usage.outputTokens.reasoning },
    totalTokens: undefined
  }
}

const CASES: readonly (readonly [string, LanguageModelV3Usage, readonly [number, number, number, number, number]])[] = [
  [
    'all parts',
    nested({ total: 9_632, noCache: 6, cacheRead: 6_289, cacheWrite: 3_337 }, 198, 12),
    [6, 6_289, 3_337, 198, 12]
  ],
  ['a total only', nested({ total: 500 }, 20), [500, 0, 0, 20, 0]],
  ['a total and a cached part', nested({ total: 500, cacheRead: 400 }, 20), [100, 400, 0, 20, 0]],
  [
    'a total that leaves the cached part out',
    nested({ total: 100, noCache: -300, cacheRead: 400 }, 20),
    [100, 400, 0, 20, 0]
  ],
  ['nothing', nested({}), [0, 0, 0, 0, 0]],
  [
    'NaN',
    nested({ total: Number.NaN, noCache: Number.NaN, cacheRead: Number.NaN }, Number.NaN, Number.NaN),
    [0, 0, 0, 0, 0]
  ]
]

describe('E-1 usage', () => {
  it.each(CASES)('of %s is read alike from both shapes', (_name, usage, [input, read, write, output, reasoning]) => {
    const expected = {
      inputTokens: input,
      cacheReadTokens: read,
      cacheWriteTokens: write,
      outputTokens: output,
      reasoningTokens: reasoning
    }
    expect(usageOf(usage)).toEqual(expected)
    expect(usageOf(flat(usage))).toEqual(expected)
  })

  it('of streamText that went through JSON is read without its details', () => {
    const usage: LanguageModelUsage = JSON.parse(
      '{"inputTokens":50,"outputTokens":3,"cachedInputTokens":10,"reasoningTokens":2}'
    )
    expect(usageOf(usage)).toEqual({
      inputTokens: 40,
      cacheReadTokens: 10,
      cacheWriteTokens: 0,
      outputTokens: 3,
      reasoningTokens: 2
    })
  })

  it('adds up to the total of the provider whenever the parts do', () => {
    const tokens = fc.nat({ max: 2_000_000 })
    fc.assert(
      fc.property(tokens, tokens, tokens, (noCache, cacheRead, cacheWrite) => {
        const total = noCache + cacheRead + cacheWrite
        expect(contextTokensOf(usageOf(nested({ total, noCache, cacheRead, cacheWrite })))).toBe(total)
        expect(contextTokensOf(usageOf(nested({ total, cacheRead, cacheWrite })))).toBe(total)
      })
    )
  })
})
