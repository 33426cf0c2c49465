import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hardCeilingOf } from '@common/budget/budget-points'
import type { Row } from '@common/rows/row-schema'
import { arbitraryRows } from '@common/testing/arbitrary-rows'
import { requestBytesUpperBound } from './count-request'
import { prepareRequest } from './prepare-request'
import type { PreparedRequest, RequestCount, RequestRejection, TurnSettings } from './prepare-request'

const bash: LanguageModelV3FunctionTool = {
  type: 'function',
  name: 'bash',
  description: 'Runs a command.',
  inputSchema: { type: 'object' }
}

/** The settings of a turn, and how often it was asked to count. */
function turnOf(fields: Partial<TurnSettings> = {}, count: RequestCount = { kind: 'counted', tokens: 1 }) {
  const asked = { times: 0 }
  const turn: TurnSettings = {
    modelRef: 'anthropic:sea-1',
    limits: { contextLimit: 10_000, maxOutputTokens: 2_000 },
    providerOptions: { anthropic: { effort: 'low' } },
    supportsCacheMarks: false,
    systemText: 'You are a coding agent.',
    tools: [bash],
    deferredTools: [],
    loadAttachment: async () => null,
    async countTokens() {
      asked.times++
      return count
    },
    ...fields
  }
  return { turn, asked }
}

function person(text: string): Row {
  return { id: 'p', role: 'user', parts: [{ type: 'text', text }], metadata: {} }
}

async function prepared(rows: Row[], turn: TurnSettings): Promise<PreparedRequest> {
  const request = await prepareRequest(rows, turn)
  if (request.kind === 'rejected') throw new Error(request.message)
  return request
}

async function rejected(rows: Row[], turn: TurnSettings): Promise<RequestRejection> {
  const request = await prepareRequest(rows, turn)
  if (request.kind === 'prepared') throw new Error('it was prepared')
  return request
}

describe('prepareRequest', () => {
  it('builds system, rows, tools and options into one call', async () => {
    const { turn } = turnOf()
    const { prompt, callOptions } = await prepared([person('hello')], turn)
    expect(prompt).toEqual([
      { role: 'system', content: 'You are a coding agent.' },
      { role: 'user', content: [{ type: 'text', text: 'hello' }] }
    ])
    expect(callOptions).toEqual({
      prompt,
      tools: [bash],
      toolChoice: { type: 'auto' },
      maxOutputTokens: 2_000,
      providerOptions: { anthropic: { effort: 'low' } }
    })
  })

  it('names neither tools nor a choice of them where there are none', async () => {
    const { callOptions } = await prepared([person('hello')], turnOf({ tools: [] }).turn)
    expect(callOptions).not.toHaveProperty('tools')
    expect(callOptions).not.toHaveProperty('toolChoice')
  })

  it('sends no row that the table keeps back, and nothing before the last boundary', async () => {
    const boundary: Row = { id: 'b', role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'reset' } }
    const { prompt } = await prepared([person('old'), boundary, person('new')], turnOf().turn)
    expect(JSON.stringify(prompt)).not.toContain('old')
  })

  it('L-4 marks the cache on the call alone, never on the prompt that is compared', async () => {
    const { prompt, callOptions } = await prepared([person('hello')], turnOf({ supportsCacheMarks: true }).turn)
    expect(JSON.stringify(prompt)).not.toContain('cacheControl')
    expect(JSON.stringify(callOptions.prompt)).toContain('cacheControl')
    expect(JSON.stringify(callOptions.tools)).toContain('cacheControl')
  })

  it('P-3 asks no tokenizer where bytes alone show that request and answer fit', async () => {
    const { turn, asked } = turnOf()
    expect(await prepared([person('hello')], turn)).toMatchObject({ counted: false })
    expect(asked.times).toBe(0)
  })

  it('P-3 counts where bytes do not settle it, and clamps the answer to what is left', async () => {
    const { turn, asked } = turnOf({}, { kind: 'counted', tokens: 7_900 })
    const request = await prepared([person('x'.repeat(20_000))], turn)
    expect(request).toMatchObject({ counted: true, tokensAtMost: 7_900, callOptions: { maxOutputTokens: 2_000 } })
    expect(asked.times).toBe(1)
    const limits = { contextLimit: 100_000, maxOutputTokens: 32_000 }
    const long = await prepared(
      [person('x'.repeat(95_000))],
      turnOf({ limits }, { kind: 'counted', tokens: 91_000 }).turn
    )
    expect(long.callOptions.maxOutputTokens).toBe(9_000)
  })

  it('P-3 counts a request that fits below the ceiling by bytes but would leave less for the answer', async () => {
    const { turn, asked } = turnOf(
      { limits: { contextLimit: 10_000, maxOutputTokens: 9_000 } },
      { kind: 'counted', tokens: 500 }
    )
    expect(await prepared([person('x'.repeat(2_000))], turn)).toMatchObject({ callOptions: { maxOutputTokens: 9_000 } })
    expect(asked.times).toBe(1)
  })

  it.each([
    [7_999, 'prepared'],
    [8_000, 'rejected'],
    [8_001, 'rejected']
  ])('P-3 counts %i tokens at a ceiling of 8 000 as %s: at the ceiling is over', async (tokens, kind) => {
    const { turn } = turnOf({}, { kind: 'counted', tokens })
    expect((await prepareRequest([person('x'.repeat(20_000))], turn)).kind).toBe(kind)
  })

  it('P-3 says model, estimate and ceiling of what it refuses', async () => {
    const { turn } = turnOf({}, { kind: 'counted', tokens: 12_345 })
    expect(await rejected([person('x'.repeat(20_000))], turn)).toEqual({
      kind: 'rejected',
      reason: 'too_large',
      modelRef: 'anthropic:sea-1',
      estimate: 12_345,
      hardCeiling: 8_000,
      message: 'This message with the conversation is about 12k tokens and anthropic:sea-1 takes 8k.'
    })
  })

  it('P-3 refuses what the tokenizer cannot count, and says so', async () => {
    const { turn } = turnOf({}, { kind: 'failed', message: 'The tokenizer o200k_base failed: out of memory.' })
    expect(await rejected([person('x'.repeat(20_000))], turn)).toMatchObject({
      reason: 'uncountable',
      estimate: null,
      message: 'The tokenizer o200k_base failed: out of memory.'
    })
  })

  it('G-2 decides nothing by an unknown limit', async () => {
    const { turn, asked } = turnOf({ limits: { contextLimit: null, maxOutputTokens: 4_096 } })
    const request = await prepared([person('x'.repeat(3_000_000))], turn)
    expect(request.callOptions.maxOutputTokens).toBe(4_096)
    expect(asked.times).toBe(0)
  })

  it('P-3 gives for any rows a bound that holds, or a refusal, and the same bytes each time', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRows(), fc.integer({ min: 200, max: 4_000 }), async (rows, contextLimit) => {
        const limits = { contextLimit, maxOutputTokens: 200 }
        const { turn } = turnOf({ limits })
        const exact: TurnSettings = {
          ...turn,
          countTokens: async (prompt, tools) => ({ kind: 'counted', tokens: requestBytesUpperBound(prompt, tools) })
        }
        const request = await prepareRequest(rows, exact)
        expect(JSON.stringify(await prepareRequest(rows, exact))).toBe(JSON.stringify(request))
        if (request.kind === 'rejected') {
          expect(request.estimate).toBeGreaterThanOrEqual(hardCeilingOf(limits) ?? 0)
          return
        }
        expect(request.tokensAtMost).toBe(requestBytesUpperBound(request.prompt, exact.tools))
        expect(request.tokensAtMost).toBeLessThan(hardCeilingOf(limits) ?? 0)
        expect(request.tokensAtMost + (request.callOptions.maxOutputTokens ?? 0)).toBeLessThanOrEqual(contextLimit)
        expect(request.prompt.filter(({ role }) => role === 'system')).toHaveLength(1)
      }),
      { seed: 4301, numRuns: 200 }
    )
  })
})
