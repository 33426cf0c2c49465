// Every recorded provider stream through its adapter: what a person sees is what the provider sent.
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { jsonSchema, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { contextTokensOf } from '@common/budget/usage'
import { inForm } from '../history/testing/long-form'
import { ProviderFailureError } from './provider-failure-error'
import { failureOfFinish } from './provider-errors'
import { recordedAnswerOf, valueIn } from './testing/recorded-answer'
import { resolveTestModel, streamedParts } from './testing/resolve-test-model'
import type { Delivery } from './testing/scripted-turn'
import { payloadsOf, readWireFixture, wireFixtureNames, type WireFixture } from './testing/wire-fixtures'
import { startWireServer } from './testing/wire-server'
import { usageOf } from './usage-of'

const FAILS: readonly string[] = [
  'anthropic/spliced-message-start',
  'openai/responses-openai-error.1',
  'openai/responses-parallel-tool-call-wrapper.1'
]
const ANSWERED = wireFixtureNames().filter((name) => !FAILS.includes(name))
/** Played twice and taken apart: every third in the quick form. */
const SPLIT = ANSWERED.filter((_, index) => index % inForm({ quick: 3, full: 1, long: 1 }) === 0)

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function modelFor(source: string | WireFixture, delivery?: Delivery, modelId?: string) {
  const server = await startWireServer(source, delivery)
  closing.push(() => server.close())
  const options = modelId === undefined ? {} : { modelId }
  const { model } = await resolveTestModel(server.fixture.protocol, server.baseUrl, options)
  return { model, fixture: server.fixture }
}

describe('L-1 recorded provider streams', () => {
  it('are all read', () => {
    expect(wireFixtureNames()).toHaveLength(34)
  })

  it.each(ANSWERED)(
    '%s gives the text, thinking and usage that were recorded, and one finish an answer',
    async (name) => {
      const { model, fixture } = await modelFor(name)
      for (const answer of fixture.answers) {
        const parts = await streamedParts(model)
        const recorded = recordedAnswerOf(fixture.protocol, payloadsOf(answer))
        expect(deltasOf(parts, 'text-delta')).toBe(recorded.text)
        expect(deltasOf(parts, 'reasoning-delta')).toBe(recorded.thinking)
        expect(endingsOf(parts)).toEqual(['finish'])
        const usage = usageOf(finishOf(parts).usage)
        if (recorded.contextTokens !== null) expect(contextTokensOf(usage)).toBe(recorded.contextTokens)
        expect(usage.outputTokens).toBe(recorded.outputTokens)
      }
    }
  )

  it.each(SPLIT)('%s gives the same parts when characters are split between writes', async (name) => {
    const whole = await modelFor(name)
    const split = await modelFor(name, { bytesPerWrite: 1_021 })
    expect(stable(await streamedParts(split.model))).toEqual(stable(await streamedParts(whole.model)))
  })

  it('E-1 gives streamText the same usage as the model, in its own shape', async () => {
    for (const name of ['anthropic/anthropic-code-execution-20260120-prompt-cache.1', 'openai-compatible/xai-text']) {
      const parts = await streamedParts((await modelFor(name)).model)
      const { model } = await modelFor(name)
      const result = streamText({ model, prompt: 'Hello', maxRetries: 0 })
      await result.consumeStream()
      expect(usageOf(await result.usage)).toEqual(usageOf(finishOf(parts).usage))
    }
  })
})

describe('L-1 Anthropic streams', () => {
  it('L-4 hand out the signature of thinking on the reasoning part', async () => {
    const { model } = await modelFor('anthropic/anthropic-clear-thinking.1')
    const [thinking] = await contentThroughStreamText(model)
    expect(thinking).toMatchObject({ type: 'reasoning' })
    expect(signatureIn(thinking)).toBe(recordedSignature('anthropic/anthropic-clear-thinking.1'))
  })

  it('E-1 keep cached and uncached input apart', async () => {
    const { model } = await modelFor('anthropic/anthropic-code-execution-20260120-prompt-cache.1')
    const usage = usageOf(finishOf(await streamedParts(model)).usage)
    expect(usage).toMatchObject({ inputTokens: 6, cacheReadTokens: 6_289, cacheWriteTokens: 3_337, outputTokens: 198 })
  })

  it('E-1 take the input count of the closing event where it differs from the opening one', async () => {
    const { model } = await modelFor('anthropic/anthropic-message-delta-input-tokens')
    expect(usageOf(finishOf(await streamedParts(model)).usage).inputTokens).toBe(61)
  })

  it('name a refusal as a stopped answer, which is a content_filter failure', async () => {
    const { model } = await modelFor('anthropic/anthropic-refusal')
    const finish = finishOf(await streamedParts(model))
    expect(finish.finishReason).toEqual({ unified: 'content-filter', raw: 'refusal' })
    const failure = failureOfFinish(finish.finishReason.unified, finish.finishReason.raw, SUBJECT)
    expect(failure).toMatchObject({ kind: 'content_filter', retryable: false })
  })

  it('give a tool call without arguments an empty object', async () => {
    const { model } = await modelFor('anthropic/anthropic-tool-no-args')
    expect(toolCallsOf(await streamedParts(model))).toEqual([{ name: 'updateIssueList', input: {} }])
  })

  it('begin once when the opening event comes twice', async () => {
    const { model } = await modelFor('anthropic/duplicate-message-start')
    const parts = await streamedParts(model)
    expect(parts.filter((part) => part.type === 'response-metadata')).toHaveLength(1)
    expect(usageOf(finishOf(parts).usage)).toMatchObject({ inputTokens: 17, outputTokens: 227 })
  })

  it('T-4 end as malformed when a second message begins inside of the first, with what was streamed kept', async () => {
    const { model } = await modelFor('anthropic/spliced-message-start')
    const parts = await streamedParts(model)
    expect(deltasOf(parts, 'reasoning-delta')).toBe('I will call the tool.')
    expect(toolCallsOf(parts)).toEqual([])
    expect(endingsOf(parts)).toEqual(['error'])
    expect(failureIn(parts)).toMatchObject({ kind: 'malformed_stream', retryable: false })
  })

  it.each([
    ['anthropic/anthropic-web-fetch-tool.1', 'web_fetch'],
    ['anthropic/anthropic-code-execution-20260120-prompt-cache.1', 'code_execution'],
    ['anthropic/anthropic-mcp.1', 'echo']
  ])('%s shows a tool that the provider ran as a call with its result', async (name, toolName) => {
    const { model } = await modelFor(name)
    const parts = await streamedParts(model)
    const calls = parts.filter((part) => part.type === 'tool-call')
    const results = parts.filter((part) => part.type === 'tool-result')
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.every((call) => call.toolName === toolName && call.providerExecuted === true)).toBe(true)
    expect(results.map((result) => result.toolCallId)).toEqual(calls.map((call) => call.toolCallId))
  })
})

describe('L-1 OpenAI Responses streams', () => {
  const NAME = 'openai/responses-openai-reasoning-encrypted-content.1'

  it('L-4 hand out item id and encrypted content of the reasoning', async () => {
    const { model } = await modelFor(NAME, undefined, 'gpt-5.1-codex-max')
    const [reasoning] = await contentThroughStreamText(model)
    const item = payloadsOf(readWireFixture(NAME).answers[0] ?? []).find(
      (payload) => payload['type'] === 'response.output_item.done'
    )?.['item']
    expect(reasoning).toMatchObject({
      type: 'reasoning',
      providerMetadata: {
        openai: {
          itemId: valueIn(item, 'id'),
          reasoningEncryptedContent: valueIn(item, 'encrypted_content')
        }
      }
    })
  })

  it('run a recorded tool loop of three calls to its answer', async () => {
    const { model } = await modelFor(NAME, undefined, 'gpt-5.1-codex-max')
    const result = streamText({
      model,
      prompt: 'Calculate',
      maxRetries: 0,
      stopWhen: ({ steps }) => steps.length >= 5,
      tools: { calculator: calculator() }
    })
    await result.consumeStream()
    const steps = await result.steps
    expect(steps.map((step) => step.finishReason)).toEqual(['tool-calls', 'tool-calls', 'tool-calls', 'stop'])
    expect(steps.flatMap((step) => step.toolCalls.map((call) => call.input))).toEqual([
      { a: 12, b: 7, op: 'add' },
      { a: 19, b: 3, op: 'multiply' },
      { a: 57, b: 10, op: 'multiply' }
    ])
  })

  it('T-4 fail as a used up quota before anything was streamed', async () => {
    const { model } = await modelFor('openai/responses-openai-error.1')
    const failure = await failureOf(streamedParts(model))
    expect(failure).toMatchObject({ kind: 'rate_limit', retryable: false })
    expect(failure.message).toContain('quota')
  })

  it('T-4 fail as malformed where the recorded events are no JSON', async () => {
    const { model } = await modelFor('openai/responses-parallel-tool-call-wrapper.1')
    expect(await failureOf(streamedParts(model))).toMatchObject({ kind: 'malformed_stream' })
  })

  it('unwrap parallel calls into calls of the offered tools once that recording is mended', async () => {
    const fixture = readWireFixture('openai/responses-parallel-tool-call-wrapper.1')
    const answers = fixture.answers.map((answer) => answer.map((line) => (isJson(line) ? line : `${line}}`)))
    const { model } = await modelFor({ ...fixture, answers })
    const parts = await streamedParts(model, { tools: [offered('weather'), offered('cityAttractions')] })
    expect(toolCallsOf(parts)).toEqual([
      { name: 'weather', input: { location: 'San Francisco' } },
      { name: 'cityAttractions', input: { city: 'Rome' } }
    ])
    expect(finishOf(parts).finishReason.unified).toBe('tool-calls')
  })

  it('show a provider tool that asks for approval without breaking', async () => {
    const { model } = await modelFor('openai/responses-openai-mcp-tool-approval.1')
    const parts = await streamedParts(model)
    expect(parts.some((part) => part.type === 'tool-approval-request')).toBe(true)
    expect(endingsOf(parts)).toEqual(['finish'])
  })
})

describe('L-1 Gemini streams', () => {
  it('L-4 hand out the thought signature on the tool call', async () => {
    const { model } = await modelFor('google/google-tool-call-gemini3')
    const call = (await streamedParts(model)).find((part) => part.type === 'tool-call')
    expect(call).toMatchObject({ toolName: 'weather', input: '{"location":"San Francisco"}' })
    expect(call?.providerMetadata?.['google']?.['thoughtSignature']).toMatch(/^EpEgCo4g/)
  })

  it('L-4 keep the thought signature of a text part through streamText', async () => {
    const { model } = await modelFor('google/google-reasoning-gemini3')
    const [text] = await contentThroughStreamText(model)
    expect(text).toMatchObject({ type: 'text', providerMetadata: { google: { thoughtSignature: expect.any(String) } } })
  })

  it.each([
    ['google/google-stream-tool-call-arguments', ['Boston', 'San Francisco']],
    ['google/google-stream-no-args-tool-call', [undefined, 'A', 'B', 'C']]
  ])('%s gives each parallel call its own input', async (name, values) => {
    const { model } = await modelFor(name)
    const calls = toolCallsOf(await streamedParts(model))
    expect(calls.map((call) => Object.values(call.input)[0])).toEqual(values)
  })

  it('close arguments that were streamed as an array without an end mark', async () => {
    const { model } = await modelFor('google/google-stream-tool-call-array-arguments-missing-terminal-function-call')
    const [call] = toolCallsOf(await streamedParts(model))
    expect(call?.name).toBe('writeItems')
    expect(valueIn(call?.input, 'operations')).toHaveLength(2)
  })
})

describe('L-1 Chat Completions streams', () => {
  it('E-1 count reasoning as output where the server counts it beside the output', async () => {
    const { model } = await modelFor('openai-compatible/xai-tool-call')
    expect(usageOf(finishOf(await streamedParts(model)).usage)).toEqual({
      inputTokens: 1,
      cacheReadTokens: 306,
      cacheWriteTokens: 0,
      outputTokens: 253,
      reasoningTokens: 227
    })
  })

  it('give the tool call with its input', async () => {
    const { model } = await modelFor('openai-compatible/xai-tool-call')
    expect(toolCallsOf(await streamedParts(model))).toEqual([{ name: 'weather', input: { location: 'San Francisco' } }])
  })
})

const SUBJECT = { providerName: 'Provider', modelRef: 'provider:model' }

function deltasOf(parts: readonly LanguageModelV3StreamPart[], type: 'text-delta' | 'reasoning-delta'): string {
  return parts.map((part) => (part.type === type ? part.delta : '')).join('')
}

function endingsOf(parts: readonly LanguageModelV3StreamPart[]): string[] {
  return parts.map((part) => part.type).filter((type) => type === 'finish' || type === 'error')
}

function finishOf(parts: readonly LanguageModelV3StreamPart[]) {
  const finish = parts.find((part) => part.type === 'finish')
  if (finish === undefined) throw new Error('the stream has no finish')
  return finish
}

function toolCallsOf(parts: readonly LanguageModelV3StreamPart[]): { name: string; input: Record<string, unknown> }[] {
  return parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.toolName, input: JSON.parse(part.input) }] : []
  )
}

function failureIn(parts: readonly LanguageModelV3StreamPart[]) {
  const last = parts.at(-1)
  return last?.type === 'error' && last.error instanceof ProviderFailureError ? last.error.failure : null
}

async function failureOf(work: Promise<unknown>) {
  try {
    await work
  } catch (error) {
    if (error instanceof ProviderFailureError) return error.failure
    throw error
  }
  throw new Error('it did not fail')
}

/** The parts without ids, which an adapter may make up anew for each call. */
function stable(parts: readonly LanguageModelV3StreamPart[]): string[] {
  return parts.map((part) => JSON.stringify({ ...part, id: null, toolCallId: null, approvalId: null }))
}

async function contentThroughStreamText(model: Parameters<typeof streamText>[0]['model']) {
  const result = streamText({ model, prompt: 'Hello', maxRetries: 0, tools: { calculator: calculator() } })
  await result.consumeStream()
  const [step] = await result.steps
  return step?.content ?? []
}

function signatureIn(part: unknown): unknown {
  return valueIn(valueIn(valueIn(part, 'providerMetadata'), 'anthropic'), 'signature')
}

function recordedSignature(name: string): unknown {
  return payloadsOf(readWireFixture(name).answers[0] ?? [])
    .map((payload) => valueIn(payload['delta'], 'signature'))
    .find((signature) => signature !== undefined)
}

function offered(name: string) {
  return { type: 'function' as const, name, inputSchema: { type: 'object' as const } }
}

function calculator() {
  return tool({
    inputSchema: jsonSchema<{ a: number; b: number; op: string }>({ type: 'object' }),
    execute: async ({ a, b, op }) => (op === 'add' ? a + b : a * b)
  })
}

function isJson(line: string): boolean {
  return payloadsOf([line]).length === 1
}
