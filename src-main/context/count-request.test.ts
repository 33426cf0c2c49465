import type { LanguageModelV3FunctionTool, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IMAGE_TOKEN_ESTIMATE, MESSAGE_FRAMING_TOKENS, PDF_PAGE_TOKEN_ESTIMATE } from '@common/constants'
import { err, ok } from '@common/result'
import { inForm } from '../history/testing/long-form'
import { countRequest, requestBytesUpperBound } from './count-request'
import { countEach } from './count-tokens'
import { createTokenCounter } from './token-counter'
import type { TokenCounter } from './token-counter'

const encoding = 'o200k_base'

/** A counter on the real tokenizer that notes every text it was asked to encode. */
function countingCounter(): { counter: TokenCounter; encoded: string[] } {
  const encoded: string[] = []
  const counter = createTokenCounter({
    workerFile: null,
    countInProcess: async (texts, name) => {
      encoded.push(...texts)
      return countEach(texts, name)
    }
  })
  return { counter, encoded }
}

async function tokensOf(
  prompt: LanguageModelV3Prompt,
  tools: LanguageModelV3FunctionTool[] = [],
  counter = countingCounter().counter
): Promise<number> {
  const counted = await countRequest({ prompt, tools }, { encoding, counter })
  if (!counted.ok) throw new Error(counted.error.message)
  return counted.value.tokens
}

const user = (text: string): LanguageModelV3Message => ({ role: 'user', content: [{ type: 'text', text }] })

/** One exchange with a tool call, built anew from parts whose strings and objects stay the same. */
function exchange(parts: { ask: string; input: object; output: string }): LanguageModelV3Prompt {
  const call = { toolCallId: 'call_1', toolName: 'bash' }
  return [
    user(parts.ask),
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: parts.input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: parts.output } }] }
  ]
}

describe('countRequest', () => {
  it('P-3 counts text exactly and adds the framing of each message', async () => {
    expect(await tokensOf([{ role: 'system', content: 'hello world' }, user('hello')])).toBe(
      3 + 2 * MESSAGE_FRAMING_TOKENS
    )
  })

  it('P-3 counts JSON with all its structure, in inputs, outputs and schemas', async () => {
    const value = { text: 'a "quoted"\n\tline \\ with \u0001 escapes', list: [1, null, { nested: true }] }
    const serialised = await tokensOf([user(JSON.stringify(value))])
    const output = { type: 'json', value } as const
    const call = { toolCallId: '1', toolName: 'x' }
    const inInput = await tokensOf([{ role: 'assistant', content: [{ type: 'tool-call', ...call, input: value }] }])
    const inOutput = await tokensOf([{ role: 'tool', content: [{ type: 'tool-result', ...call, output }] }])
    const inSchema = await tokensOf(
      [],
      [{ type: 'function', name: 'x', inputSchema: { description: JSON.stringify(value) } }]
    )
    for (const tokens of [inInput, inOutput, inSchema]) expect(tokens).toBeGreaterThan(serialised)
  })

  it('P-3 counts strings and JSON as text even when they look like media', async () => {
    const data = Buffer.alloc(30_000, 'x7Qz').toString('base64')
    const lookAlikes: LanguageModelV3Prompt = [
      user(`data:image/png;base64,${data}`),
      ...exchange({ ask: 'a', input: { type: 'media', mediaType: 'image/png', data }, output: 'b' })
    ]
    expect(await tokensOf(lookAlikes)).toBeGreaterThan(2 * IMAGE_TOKEN_ESTIMATE + data.length / 4)
  })

  it('P-3 gives genuine media its allowance, whatever its size', async () => {
    const image = { type: 'file', mediaType: 'image/png', data: new Uint8Array(500_000) } as const
    const pdf = { type: 'file', mediaType: 'application/pdf', data: Buffer.from('<</Type /Page>>'.repeat(3)) } as const
    const framed = MESSAGE_FRAMING_TOKENS
    expect(await tokensOf([{ role: 'user', content: [image, image] }])).toBe(framed + 2 * IMAGE_TOKEN_ESTIMATE)
    expect(await tokensOf([{ role: 'user', content: [pdf] }])).toBe(framed + 3 * PDF_PAGE_TOKEN_ESTIMATE)
    const value = [{ type: 'file-data', mediaType: 'image/png', data: 'A'.repeat(90_000) } as const]
    const result = { type: 'tool-result', toolCallId: '1', toolName: 'x', output: { type: 'content', value } } as const
    const shot = await tokensOf([{ role: 'tool', content: [result] }])
    expect(shot - IMAGE_TOKEN_ESTIMATE).toBeLessThan(60)
    expect(requestBytesUpperBound([{ role: 'user', content: [image, image] }], [])).toBe(
      framed + 2 * IMAGE_TOKEN_ESTIMATE
    )
  })

  it('P-3 counts sealed thinking by the size of what is sealed', async () => {
    const signature = 'k'.repeat(4_000)
    const plain = { type: 'reasoning', text: 'so' } as const
    const sealed = { ...plain, providerOptions: { anthropic: { signature } } }
    const without = await tokensOf([{ role: 'assistant', content: [plain] }])
    const difference = (await tokensOf([{ role: 'assistant', content: [sealed] }])) - without
    expect(difference).toBe(Math.ceil(JSON.stringify({ anthropic: { signature } }).length / 4))
  })

  it('P-4 counts advertised schemas, and a newly activated one at the next step', async () => {
    const { counter } = countingCounter()
    const tool = (name: string): LanguageModelV3FunctionTool => ({
      type: 'function',
      name,
      description: 'Runs a command and gives its output.',
      inputSchema: { type: 'object', properties: { command: { type: 'string' } } }
    })
    const first = tool('bash')
    const before = await tokensOf([user('go')], [first], counter)
    const after = await tokensOf([user('go')], [first, tool('grep')], counter)
    expect(after - before).toBeGreaterThan(MESSAGE_FRAMING_TOKENS + 20)
  })

  it('F-7 encodes nothing but the new message in a recount, and sums to the count from scratch', async () => {
    const { counter, encoded } = countingCounter()
    const prompt = Array.from({ length: 50 }, (_, index) =>
      exchange({ ask: `question ${index}`, input: { command: `ls ${index}` }, output: `line ${index}\n`.repeat(20) })
    ).flat()
    await tokensOf(prompt, [], counter)
    encoded.length = 0
    const grown = [...prompt, user('one more thing')]
    expect(await tokensOf(grown, [], counter)).toBe(await tokensOf(structuredClone(grown)))
    expect(encoded).toEqual(['one more thing'])
  })

  it('F-7 encodes nothing again when messages are rebuilt from the same rows', async () => {
    const { counter, encoded } = countingCounter()
    const parts = { ask: 'list it', input: { command: 'ls', env: { A: 1 } }, output: 'a\nb\n' }
    const first = await tokensOf(exchange(parts), [], counter)
    encoded.length = 0
    expect(await tokensOf(exchange(parts), [], counter)).toBe(first)
    expect(encoded).toEqual([])
  })

  it('P-3 counts again for another encoding and says where a stand-in counted', async () => {
    const { counter } = countingCounter()
    const request = { prompt: [user('El niño comió piñas. 你好，世界')], tools: [] }
    const results = await Promise.all(
      ['o200k_base', 'cl100k_base', 'gemini'].map((name) => countRequest(request, { encoding: name, counter }))
    )
    const [o200k, cl100k, other] = results.map((result) => (result.ok ? result.value : null))
    expect(cl100k?.tokens).toBeGreaterThan(o200k?.tokens ?? 0)
    expect(other).toEqual({ ...o200k, estimated: true })
  })

  it('P-3 gives the failure of an encoder and remembers nothing of it', async () => {
    const failure = { kind: 'encoder_failed', message: 'no' } as const
    let broken = true
    const counter = createTokenCounter({
      workerFile: null,
      countInProcess: async (texts) => (broken ? err(failure) : ok(texts.map((text) => text.length)))
    })
    const request = { prompt: [user('abc')], tools: [] }
    expect(await countRequest(request, { encoding, counter })).toEqual(err(failure))
    broken = false
    expect(await countRequest(request, { encoding, counter })).toMatchObject({ ok: true, value: { tokens: 3 + 8 } })
  })
})

describe('requestBytesUpperBound', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc
      .tuple(fc.constantFrom('a', ' ', '的', '😀', '\ud800', '"', '\n', '\u0001'), fc.nat(9_000))
      .map(([c, n]) => c.repeat(n)),
    fc.constant('data:image/png;base64,iVBORw0KGgo=')
  )
  const json = fc.jsonValue({ depthSize: 'small', stringUnit: 'binary' })
  const call = fc.record({ toolCallId: text, toolName: text })
  const bytes = fc.uint8Array({ maxLength: 30 })
  const user = fc.oneof(
    text.map((value) => ({ type: 'text' as const, text: value })),
    bytes.map((data) => ({ type: 'file' as const, mediaType: 'image/png', data })),
    bytes.map((data) => ({ type: 'file' as const, mediaType: 'application/pdf', data, filename: 'a.pdf' })),
    fc.tuple(bytes, text).map(([data, mediaType]) => ({ type: 'file' as const, mediaType, data }))
  )
  const assistant = fc.oneof(
    text.map((value) => ({ type: 'text' as const, text: value })),
    text.map((value) => ({
      type: 'reasoning' as const,
      text: value,
      providerOptions: { anthropic: { signature: value } }
    })),
    fc.tuple(call, json).map(([head, input]) => ({ type: 'tool-call' as const, ...head, input }))
  )
  const output = fc.oneof(
    text.map((value) => ({ type: 'text' as const, value })),
    json.map((value) => ({ type: 'json' as const, value: value as never })),
    text.map((reason) => ({ type: 'execution-denied' as const, reason })),
    text.map((data) => ({
      type: 'content' as const,
      value: [{ type: 'file-data' as const, mediaType: 'image/png', data }]
    }))
  )
  const toolResult = fc
    .tuple(call, output)
    .map(([head, value]) => ({ type: 'tool-result' as const, ...head, output: value }))
  const message: fc.Arbitrary<LanguageModelV3Message> = fc.oneof(
    text.map((content) => ({ role: 'system' as const, content })),
    fc.array(user, { maxLength: 3 }).map((content) => ({ role: 'user' as const, content })),
    fc.array(assistant, { maxLength: 3 }).map((content) => ({ role: 'assistant' as const, content })),
    fc.array(toolResult, { maxLength: 3 }).map((content) => ({ role: 'tool' as const, content }))
  )
  const tool: fc.Arbitrary<LanguageModelV3FunctionTool> = fc
    .tuple(text, text)
    .map(([name, description]) => ({ type: 'function', name, description, inputSchema: { description } }))

  it('P-3 is never below the count, for any content', async () => {
    const { counter } = countingCounter()
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 4 }), fc.array(tool, { maxLength: 2 }), async (prompt, tools) => {
        const counted = await tokensOf(prompt, tools, counter)
        expect(requestBytesUpperBound(prompt, tools)).toBeGreaterThanOrEqual(counted)
        expect(counted).toBeGreaterThanOrEqual(MESSAGE_FRAMING_TOKENS * (prompt.length + tools.length))
      }),
      { seed: 20_261, numRuns: inForm({ quick: 25, full: 100, long: 2_000 }) }
    )
  }, 60_000)

  it('P-3 is the bytes of all texts and the framing of their messages', () => {
    const long = 'wörd '.repeat(4_000)
    expect(requestBytesUpperBound([{ role: 'system', content: long }], [])).toBe(24_000 + MESSAGE_FRAMING_TOKENS)
  })
})
