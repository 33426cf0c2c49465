// The stand-in provider is itself held to account: the adapters read its four languages alike, its rules are the real
// endpoints', and a whole tool loop replays thinking unaltered (L-4).
import { jsonSchema, streamText, tool, type ModelMessage } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { usageOf } from '../usage-of'
import { resolveTestModel, streamedParts, testCall } from './resolve-test-model'
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from './scripted-server'
import type { ScriptedTurn, WireProtocol } from './scripted-turn'
import { anthropicProblemOf } from './validate-anthropic'
import { googleProblemOf } from './validate-google'
import { chatProblemOf, responsesProblemOf } from './validate-openai'

const PROTOCOLS: readonly WireProtocol[] = ['anthropic', 'chat', 'responses', 'google']
const MODEL_IDS: Readonly<Record<WireProtocol, string>> = {
  anthropic: 'claude-sonnet-4-5',
  chat: 'grok-4',
  responses: 'gpt-5.1',
  google: 'gemini-3-pro'
}

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function scripted(protocol: WireProtocol, options: ScriptedServerOptions) {
  const server = await startScriptedServer(options)
  servers.push(server)
  const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
  const target = await resolveTestModel(protocol, baseUrl, {
    modelId: MODEL_IDS[protocol],
    info: { thinkingLevels: ['off', 'low', 'medium', 'high'] }
  })
  return { server, ...target }
}

describe('a scripted turn', () => {
  const TURN: ScriptedTurn = {
    thinking: 'Let me look, with care…',
    text: 'Grüße, 漢字 and 👩‍🚀!',
    toolCalls: [
      { name: 'read', input: { path: 'ä.txt' } },
      { name: 'list', input: {} }
    ],
    usage: { inputTokens: 11, cacheReadTokens: 300, outputTokens: 40, reasoningTokens: 9 }
  }

  it.each(PROTOCOLS)('arrives whole on %s, every character split between writes', async (protocol) => {
    const { model } = await scripted(protocol, { turns: [{ ...TURN, delivery: { bytesPerWrite: 1, pieceChars: 40 } }] })
    const parts = await streamedParts(model)
    const joined = (type: 'text-delta' | 'reasoning-delta') =>
      parts.map((part) => (part.type === type ? part.delta : '')).join('')
    expect(joined('text-delta')).toBe(TURN.text)
    expect(joined('reasoning-delta')).toBe(TURN.thinking)
    expect(
      parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, JSON.parse(part.input)]] : []))
    ).toEqual([
      ['read', { path: 'ä.txt' }],
      ['list', {}]
    ])
    const finish = parts.at(-1)
    if (finish?.type !== 'finish') throw new Error('no finish')
    expect(finish.finishReason.unified).toBe('tool-calls')
    expect(usageOf(finish.usage)).toEqual({ cacheWriteTokens: 0, ...TURN.usage })
  })

  it.each(PROTOCOLS)('that refuses ends as content-filter on %s, that is cut as length', async (protocol) => {
    const { model } = await scripted(protocol, {
      turns: [{ refusal: true }, { refusal: 'I will not.' }, { text: 'and so o', cutAtLimit: true }]
    })
    const reasons = []
    for (let turn = 0; turn < 3; turn++) {
      const finish = (await streamedParts(model)).at(-1)
      reasons.push(finish?.type === 'finish' ? finish.finishReason.unified : finish?.type)
    }
    expect(reasons).toEqual(['content-filter', 'content-filter', 'length'])
  })

  it.each(PROTOCOLS)('answers a call that does not stream on %s', async (protocol) => {
    const { model } = await scripted(protocol, {
      turns: [{ text: 'ready', toolCalls: [{ name: 'read', input: { path: 'a' } }], usage: { inputTokens: 5 } }]
    })
    const { content, usage } = await model.doGenerate(testCall())
    expect(content.filter((part) => part.type === 'text').map((part) => part.text)).toEqual(['ready'])
    expect(content.find((part) => part.type === 'tool-call')).toMatchObject({ toolName: 'read', input: '{"path":"a"}' })
    expect(usageOf(usage).inputTokens).toBe(5)
  })

  it('may depend on the request, and its usage is estimated from the request where none is given', async () => {
    const { model, server } = await scripted('anthropic', {
      turns: (request) => ({ text: `You sent ${request.index}: ${request.rawBody.includes('Hello')}` })
    })
    const parts = await streamedParts(model)
    expect(parts.find((part) => part.type === 'text-delta')).toMatchObject({ delta: 'You sen' })
    const finish = parts.at(-1)
    if (finish?.type !== 'finish') throw new Error('no finish')
    expect(usageOf(finish.usage).inputTokens).toBe(Math.ceil(Buffer.byteLength(server.requests[0]?.rawBody ?? '') / 4))
  })

  it('that is missing is refused by number', async () => {
    const { model, server } = await scripted('anthropic', { turns: [] })
    await expect(Promise.resolve(streamedParts(model))).rejects.toThrow('no turn for request 0')
    expect(server.problems).toHaveLength(1)
  })
})

describe('L-4 a tool loop', () => {
  it.each(PROTOCOLS)('on %s gives thinking back unaltered and keeps to the endpoint’s rules', async (protocol) => {
    const { model, resolved, server } = await scripted(protocol, {
      turns: [
        {
          thinking: 'First I read.',
          toolCalls: [
            { name: 'read', input: { path: 'a' } },
            { name: 'read', input: { path: 'b' } }
          ]
        },
        { thinking: 'Then I read more.', text: 'One moment.', toolCalls: [{ name: 'read', input: { path: 'c' } }] },
        { text: 'Done.' },
        { text: 'Again.' }
      ]
    })
    const read = tool({
      inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
      execute: async ({ path }) => `text of ${path}`
    })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read a, b and c' }]
    const options = { model, maxRetries: 0, tools: { read }, providerOptions: resolved.providerOptions('low') }
    const first = streamText({ ...options, messages, stopWhen: ({ steps }) => steps.length === 3 })
    expect(await first.text).toBe('Done.')
    messages.push(...(await first.response).messages, { role: 'user', content: 'Again' })
    expect(await streamText({ ...options, messages }).text).toBe('Again.')
    expect(server.problems).toEqual([])
    expect(server.requests).toHaveLength(4)
    expect(server.turnsLeft).toBe(0)
    const lastBody = server.requests[3]?.rawBody ?? ''
    if (protocol === 'chat') expect(lastBody).toContain('"reasoning_content":"First I read."')
    if (protocol === 'google') expect(lastBody.match(/thoughtSignature/g)).toHaveLength(2)
    if (protocol === 'responses') expect(lastBody.match(/encrypted_content":"[^"]/g)).toHaveLength(2)
    if (protocol === 'anthropic') expect(lastBody.match(/"signature":"[^"]/g)).toHaveLength(2)
  })
})

describe('the rules of Anthropic', () => {
  const user = (content: unknown) => ({ role: 'user', content })
  const assistant = (content: unknown) => ({ role: 'assistant', content })
  const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })
  const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }
  const seals = new Map([['sealed', 'I think.']])
  const problemOf = (messages: object[], more: object = {}) =>
    anthropicProblemOf({ max_tokens: 10, messages, ...more }, seals)

  it('let a right conversation pass', () => {
    const thinking = { type: 'thinking', thinking: 'I think.', signature: 'sealed' }
    const talk = [user('a'), assistant([thinking, use('1'), use('2')]), user([result('1'), result('2'), marked])]
    expect(problemOf(talk, { system: [marked, marked, marked] })).toBeNull()
  })

  it.each<[string, object[], object, string]>([
    ['no message', [], {}, 'at least one message'],
    ['an assistant message first', [assistant('a'), user('b')], {}, 'first message'],
    ['an assistant message last', [user('a'), assistant('b')], {}, 'end with a user message'],
    ['two user messages in a row', [user('a'), user('b')], {}, 'roles must alternate'],
    ['an empty text', [user([{ type: 'text', text: '' }])], {}, 'non-empty'],
    ['a call without its result', [user('a'), assistant([use('1')]), user('b')], {}, 'without `tool_result`'],
    [
      'a call with two results',
      [user('a'), assistant([use('1')]), user([result('1'), result('1')])],
      {},
      'without `tool_result`'
    ],
    ['a result without its call', [user([result('9')])], {}, 'unexpected `tool_use_id`'],
    [
      'a result after a text',
      [user('a'), assistant([use('1')]), user([{ type: 'text', text: 'x' }, result('1')])],
      {},
      'must come first'
    ],
    [
      'the same call twice',
      [user('a'), assistant([use('1')]), user([result('1')]), assistant([use('1')]), user([result('1')])],
      {},
      'must be unique'
    ],
    [
      'a signature nobody gave',
      [user('a'), assistant([{ type: 'thinking', thinking: 'x', signature: 'forged' }]), user('b')],
      {},
      'Invalid `signature`'
    ],
    [
      'altered thinking',
      [user('a'), assistant([{ type: 'thinking', thinking: 'I thin', signature: 'sealed' }]), user('b')],
      {},
      'cannot be modified'
    ],
    [
      'thinking that nothing follows',
      [user('a'), assistant([{ type: 'thinking', thinking: 'I think.', signature: 'sealed' }]), user('b')],
      {},
      'final block'
    ],
    [
      'a call of a tool whose name has a dot',
      [user('a'), assistant([{ ...use('1'), name: 'mcp.read' }]), user([result('1')])],
      {},
      'tool_use.name'
    ],
    ['a call whose id has a dot', [user('a'), assistant([use('a.1')]), user([result('a.1')])], {}, 'tool_use.id'],
    ['five cache marks', [user([marked, marked, marked, marked, marked])], {}, 'maximum of 4'],
    ['no output limit', [user('a')], { max_tokens: 0 }, 'max_tokens'],
    [
      'a thinking budget over the limit',
      [user('a')],
      { max_tokens: 1_024, thinking: { budget_tokens: 1_024 } },
      'greater than'
    ],
    ['a tool name with a dot', [user('a')], { tools: [{ name: 'mcp.read' }] }, 'should match pattern'],
    ['two tools of one name', [user('a')], { tools: [{ name: 'read' }, { name: 'read' }] }, 'unique']
  ])('refuse %s', (_name, messages, more, words) => {
    expect(problemOf(messages, more)).toContain(words)
  })

  it('answer a refused request with 400, as the endpoint does', async () => {
    const { model, server } = await scripted('anthropic', { turns: [{ text: 'never' }] })
    const prompt = [
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'I begin' }] },
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'no' }] }
    ]
    await expect(streamedParts(model, { prompt })).rejects.toMatchObject({
      failure: { kind: 'provider', statusCode: 400, retryable: false }
    })
    expect(server.problems[0]).toContain('first message must use the "user" role')
    expect(server.turnsLeft).toBe(1)
  })
})

describe('the rules of OpenAI', () => {
  const call = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' }
  const output = { type: 'function_call_output', call_id: 'c', output: 'x' }

  it.each<[string, object[], string | null]>([
    [
      'a right conversation',
      [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a' }
      ],
      null
    ],
    [
      'an assistant message first',
      [
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'b' }
      ],
      'start with a user'
    ],
    [
      'two user messages in a row',
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' }
      ],
      'alternate'
    ],
    [
      'a call without its result',
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', tool_calls: [{ id: 'c' }] },
        { role: 'user', content: 'b' }
      ],
      'followed by tool messages'
    ],
    [
      'a result without its call',
      [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: 'c' }
      ],
      'must be a response'
    ],
    [
      'a call of a tool whose name has a dot',
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'mcp.read' } }] },
        { role: 'tool', tool_call_id: 'c' }
      ],
      'Invalid name'
    ]
  ])('of Chat meet %s', (_name, messages, words) => {
    const problem = chatProblemOf({ messages })
    if (words === null) expect(problem).toBeNull()
    else expect(problem).toContain(words)
  })

  it.each<[string, object[], string | null]>([
    [
      'a right conversation',
      [{ role: 'user', content: 'a' }, { type: 'reasoning', id: 'r', encrypted_content: 'sealed' }, call, output],
      null
    ],
    ['a call without its output', [call], 'No tool output'],
    ['an output without its call', [output], 'No tool call'],
    ['a reference to what was not stored', [{ type: 'item_reference', id: 'r' }], 'not found'],
    ['reasoning without its content', [{ type: 'reasoning', id: 'r' }, call, output], 'could not be verified'],
    [
      'a long call id',
      [
        { ...call, call_id: 'c'.repeat(65) },
        { ...output, call_id: 'c'.repeat(65) }
      ],
      'too long'
    ],
    ['reasoning at the end', [{ type: 'reasoning', id: 'r', encrypted_content: 'sealed' }], 'required following item']
  ])('of Responses meet %s', (_name, input, words) => {
    const problem = responsesProblemOf({ store: false, input }, new Map([['sealed', 'x']]))
    if (words === null) expect(problem).toBeNull()
    else expect(problem).toContain(words)
  })
})

describe('the rules of Gemini', () => {
  const user = (...parts: object[]) => ({ role: 'user', parts })
  const model = (...parts: object[]) => ({ role: 'model', parts })
  const call = { functionCall: { name: 'read', args: {} } }
  const response = { functionResponse: { name: 'read', response: {} } }

  it.each<[string, object[], string | null]>([
    [
      'a right conversation',
      [user({ text: 'a' }), model({ ...call, thoughtSignature: 'sealed' }, call), user(response, response)],
      null
    ],
    ['no content', [], 'not specified'],
    ['the model first', [model({ text: 'a' }), user({ text: 'b' })], 'start with a user'],
    ['the model last', [user({ text: 'a' }), model({ text: 'b' })], 'end with a user'],
    ['two user contents in a row', [user({ text: 'a' }), user({ text: 'b' })], 'must alternate'],
    ['a content without parts', [user()], 'must not be empty'],
    ['a part without data', [user({ text: 'a' }), model({ thoughtSignature: 'sealed' }), user({ text: 'b' })], 'oneof'],
    ['a call without its response', [user({ text: 'a' }), model(call), user({ text: 'b' })], 'number of function'],
    ['a name with a bar', [user({ text: 'a' }), model(named('a|b')), user(response)], 'Invalid function name'],
    ['a list as arguments', [user({ text: 'a' }), model(named('read', [])), user(response)], 'must be an object'],
    [
      'a signature nobody gave',
      [user({ text: 'a' }), model({ text: 'b', thoughtSignature: 'forged' }), user({ text: 'c' })],
      'signature is not valid'
    ]
  ])('meet %s', (_name, contents, words) => {
    const problem = googleProblemOf({ contents }, new Map([['sealed', 'x']]))
    if (words === null) expect(problem).toBeNull()
    else expect(problem).toContain(words)
  })

  function named(name: string, args: unknown = {}): object {
    return { functionCall: { name, args } }
  }
})

it('a request that holds half a character is refused, as endpoints do', async () => {
  const { model, server } = await scripted('chat', { turns: [{ text: 'never' }] })
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'cut \ud83c' }] }]
  await expect(streamedParts(model, { prompt })).rejects.toMatchObject({ failure: { statusCode: 400 } })
  expect(server.problems[0]).toContain('surrogate')
})
