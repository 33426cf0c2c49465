// L-1: from a model reference to the request that a provider gets: addresses, keys, headers, thinking, limits.
import { afterEach, describe, expect, it } from 'vitest'
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { splitModelRef } from '@common/ids'
import type { ProviderEntry } from '@common/settings/provider-schema'
import type { ThinkingLevel } from '@common/settings/settings-schema'
import { createProviderRegistry, type ProviderRegistryOptions } from './provider-registry'
import { createManualClock } from './testing/manual-clock'
import { scriptedEntry, TEST_API_KEY } from './testing/provider-entries'
import {
  resolveTestModel,
  streamedParts,
  testCall,
  testModelInfo,
  type TestModelOptions
} from './testing/resolve-test-model'
import { startScriptedServer, type ScriptedServer } from './testing/scripted-server'
import type { SeenRequest, WireProtocol } from './testing/scripted-turn'

const ALL_LEVELS: ThinkingLevel[] = ['off', 'low', 'medium', 'high']

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function server(): Promise<ScriptedServer> {
  const started = await startScriptedServer({ turns: () => ({ text: 'ok' }), validate: false })
  servers.push(started)
  return started
}

function registry(entries: readonly ProviderEntry[], changes: Partial<ProviderRegistryOptions> = {}) {
  return createProviderRegistry({
    entries: () => entries,
    env: {},
    resolveKey: async (entry) => entry.apiKey ?? null,
    modelInfo: (ref) => testModelInfo(ref),
    demoModel: () => {
      throw new Error('no demo model here')
    },
    clock: createManualClock(),
    ...changes
  })
}

/** The request that a call with the given thinking level becomes. */
async function requestOf(
  protocol: WireProtocol,
  modelId: string,
  thinking: ThinkingLevel,
  options: { maxOutputTokens?: number; levels?: ThinkingLevel[]; model?: TestModelOptions } = {}
): Promise<SeenRequest> {
  const target = await server()
  const baseUrl = protocol === 'google' ? target.googleBaseUrl : target.baseUrl
  const { model, resolved } = await resolveTestModel(protocol, baseUrl, {
    modelId,
    info: { thinkingLevels: options.levels ?? ALL_LEVELS, maxOutputTokens: 64_000 },
    ...options.model
  })
  await streamedParts(model, {
    providerOptions: resolved.providerOptions(thinking),
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens })
  })
  const [request] = target.requests
  if (request === undefined) throw new Error('no request came in')
  return request
}

describe('L-1 a model reference', () => {
  it('is split at its first colon, since model ids hold colons too', () => {
    expect(splitModelRef('ollama:llama3:8b')).toEqual({ providerId: 'ollama', modelId: 'llama3:8b' })
  })

  it.each(['', 'anthropic', ':model', 'anthropic:'])('“%s” is refused as an unknown model', async (ref) => {
    const result = await registry([scriptedEntry('anthropic', 'http://127.0.0.1:1/v1')]).resolve(ref)
    expect(result).toMatchObject({ ok: false, error: { kind: 'unknown_model' } })
  })

  it('to a provider that is not there is refused by name', async () => {
    const result = await registry([]).resolve('nowhere:model')
    expect(result).toMatchObject({ ok: false, error: { kind: 'unknown_provider' } })
    expect(result.ok ? '' : result.error.message).toContain('nowhere')
  })

  it('counts an entry that was added later', async () => {
    const entries: ProviderEntry[] = []
    const live = registry(entries)
    entries.push(scriptedEntry('chat', 'http://127.0.0.1:1/v1'))
    expect(await live.resolve('chat:any')).toMatchObject({ ok: true, value: { kind: 'openai-compatible' } })
  })

  it('to the demo gives its one model and no other', async () => {
    const model: LanguageModelV3 = {
      specificationVersion: 'v3',
      provider: 'demo',
      modelId: 'tide-1',
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('unused')),
      doStream: () => Promise.reject(new Error('unused'))
    }
    const entry: ProviderEntry = { id: 'demo', kind: 'demo', models: [] }
    const live = registry([entry], { demoModel: () => model })
    expect(await live.resolve('demo:tide-1')).toMatchObject({ ok: true, value: { model, supportsCacheMarks: false } })
    expect(await live.resolve('demo:tide-9')).toMatchObject({ ok: false, error: { kind: 'unknown_model' } })
  })
})

describe('L-1 keys', () => {
  const BARE: ProviderEntry = { id: 'anthropic', kind: 'anthropic', models: [] }

  it.each([
    ['nothing', {}, 'ANTHROPIC_API_KEY'],
    ['an environment variable that is not set', { apiKeyEnv: 'MY_KEY' }, 'MY_KEY'],
    ['a keychain reference that cannot be opened', { apiKeyRef: 'ref-1' }, 'keychain']
  ])('missing with %s is told with what to do', async (_name, fields, word) => {
    const result = await registry([{ ...BARE, ...fields }]).resolve('anthropic:claude')
    expect(result).toMatchObject({ ok: false, error: { kind: 'no_key', message: expect.stringContaining(word) } })
  })

  it('come from the usual variable when the entry names none', async () => {
    for (const [kind, name] of [
      ['anthropic', 'ANTHROPIC_API_KEY'],
      ['openai', 'OPENAI_API_KEY'],
      ['google', 'GEMINI_API_KEY'],
      ['google', 'GOOGLE_GENERATIVE_AI_API_KEY']
    ] as const) {
      const live = registry([{ id: 'own', kind, models: [] }], { env: { [name]: TEST_API_KEY } })
      expect(await live.resolve('own:model')).toMatchObject({ ok: true })
    }
  })

  it('from the environment are never sent to an address of the person’s own', async () => {
    const target = await server()
    const { apiKey: _, ...entry } = scriptedEntry('anthropic', target.baseUrl)
    const result = await registry([entry], { env: { ANTHROPIC_API_KEY: TEST_API_KEY } }).resolve('anthropic:m')
    if (!result.ok) throw new Error(result.error.message)
    await streamedParts(result.value.model, { maxOutputTokens: 10 })
    expect(JSON.stringify(target.requests[0]?.headers)).not.toContain(TEST_API_KEY)
  })

  it.each([
    ['anthropic', 'x-api-key', TEST_API_KEY],
    ['responses', 'authorization', `Bearer ${TEST_API_KEY}`],
    ['chat', 'authorization', `Bearer ${TEST_API_KEY}`],
    ['google', 'x-goog-api-key', TEST_API_KEY]
  ] as const)('of %s go into the header %s, with the headers of the entry', async (protocol, header, value) => {
    const model = { entry: { headers: { 'X-Team': 'tide' } } }
    const request = await requestOf(protocol, 'm', 'off', { levels: [], model })
    expect(request.headers[header]).toBe(value)
    expect(request.headers['x-team']).toBe('tide')
    expect(request.rawBody).not.toContain(TEST_API_KEY)
  })

  it('are sent to no server that asks for none', async () => {
    const target = await server()
    const { apiKey: _, ...entry } = scriptedEntry('chat', target.baseUrl)
    const result = await registry([entry]).resolve('chat:llama3:8b')
    if (!result.ok) throw new Error(result.error.message)
    await streamedParts(result.value.model)
    expect(target.requests[0]?.headers.authorization).toBeUndefined()
    expect(target.requests[0]?.body['model']).toBe('llama3:8b')
  })

  it('are in no failure, also where the server throws them back', async () => {
    const target = await startScriptedServer({
      turns: [
        {
          fault: {
            kind: 'http',
            status: 400,
            body: `{"error":{"message":"bad key ${TEST_API_KEY}, secret-header-value"}}`
          }
        }
      ]
    })
    servers.push(target)
    const headers = { 'x-secret': 'secret-header-value' }
    const { resolved } = await resolveTestModel('chat', target.baseUrl, { entry: { headers } })
    const failure = await Promise.resolve(resolved.model.doStream(testCall())).then(
      () => null,
      (error: unknown) => resolved.classify(error)
    )
    expect(failure?.message).toContain('bad key …, …')
  })
})

describe('L-1 requests', () => {
  it('L-4 to OpenAI store nothing there and ask for encrypted reasoning', async () => {
    const { body, path } = await requestOf('responses', 'gpt-5.1', 'medium')
    expect(path).toBe('/v1/responses')
    expect(body).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'medium', summary: 'auto' }
    })
  })

  it('L-4 to OpenAI name the conversation for its cache when there is a name', async () => {
    const { resolved } = await resolveTestModel('responses', 'http://127.0.0.1:1/v1', { modelId: 'gpt-4.1' })
    expect(resolved.providerOptions('off', 'ws-1')).toEqual({ openai: { store: false, promptCacheKey: 'ws-1' } })
  })

  it('to Chat Completions ask for the usage of the stream', async () => {
    const { body, path } = await requestOf('chat', 'llama3', 'off')
    expect(path).toBe('/v1/chat/completions')
    expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(body).not.toHaveProperty('reasoning_effort')
  })

  it.each([
    ['gpt-5', 'minimal'],
    ['gpt-5-mini-2025-08-07', 'minimal'],
    ['gpt-5.1', 'none'],
    ['gpt-5.1-codex', 'low'],
    ['o3', 'low']
  ])('to %s with thinking off ask for the least: %s', async (modelId, effort) => {
    const { body } = await requestOf('responses', modelId, 'off')
    expect(body['reasoning']).toEqual({ effort })
  })

  it.each([
    ['claude-opus-4-6', 'high', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    [
      'claude-opus-4-8',
      'low',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } }
    ],
    ['claude-sonnet-5', 'off', { thinking: { type: 'disabled' } }],
    ['claude-sonnet-4-5-20250929', 'low', { thinking: { type: 'enabled', budget_tokens: 4_096 }, max_tokens: 16_000 }],
    ['claude-sonnet-4-20250514', 'high', { thinking: { type: 'enabled', budget_tokens: 8_000 }, max_tokens: 16_000 }],
    ['glm-5', 'medium', { thinking: { type: 'enabled', budget_tokens: 8_000 }, max_tokens: 16_000 }]
  ] as const)('to %s with thinking %s hold the output limit', async (modelId, level, expected) => {
    const { body } = await requestOf('anthropic', modelId, level, { maxOutputTokens: 16_000 })
    expect(body).toMatchObject(expected)
    expect(body['max_tokens']).toBe(16_000)
  })

  it('to an Anthropic model that cannot stop thinking, with thinking off, ask for the least', async () => {
    const { body } = await requestOf('anthropic', 'claude-sonnet-5-5', 'off', { levels: ['low', 'medium', 'high'] })
    expect(body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } })
  })

  it('to Anthropic leave thinking out where the output has no room for it', async () => {
    const { body } = await requestOf('anthropic', 'claude-sonnet-4-5', 'high', { maxOutputTokens: 2_000 })
    expect(body['max_tokens']).toBe(2_000)
    expect(body).not.toHaveProperty('thinking')
  })

  it('to Anthropic with thinking off say nothing to a model that thinks only when asked', async () => {
    const { body } = await requestOf('anthropic', 'claude-sonnet-4-5', 'off', { maxOutputTokens: 2_000 })
    expect(body).not.toHaveProperty('thinking')
  })

  it.each([
    ['gemini-2.5-flash', 'off', { thinkingBudget: 0, includeThoughts: false }],
    ['gemini-2.5-pro', 'off', { thinkingBudget: 128, includeThoughts: false }],
    ['gemini-2.5-pro', 'high', { thinkingBudget: 8_000, includeThoughts: true }],
    ['gemini-3-pro-preview', 'high', { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-3-flash', 'off', { thinkingLevel: 'minimal', includeThoughts: false }]
  ] as const)('to %s with thinking %s', async (modelId, level, thinkingConfig) => {
    const { body } = await requestOf('google', modelId, level, { maxOutputTokens: 16_000 })
    expect(body['generationConfig']).toMatchObject({ thinkingConfig, maxOutputTokens: 16_000 })
  })

  it.each(['anthropic', 'responses', 'chat', 'google'] as const)(
    'of %s say nothing of thinking to a model that does not offer it',
    async (protocol) => {
      const { rawBody } = await requestOf(protocol, 'plain-model', 'high', { levels: [], maxOutputTokens: 2_000 })
      expect(rawBody).not.toMatch(/thinking|reasoning|effort/)
    }
  )

  it('are sent once: retries are ours, not the SDK’s', async () => {
    const target = await startScriptedServer({
      turns: Array.from({ length: 3 }, () => ({ fault: { kind: 'overloaded' as const } }))
    })
    servers.push(target)
    const { resolved } = await resolveTestModel('anthropic', target.baseUrl)
    await expect(Promise.resolve(resolved.model.doStream(testCall({ maxOutputTokens: 10 })))).rejects.toThrow(
      'Overloaded'
    )
    expect(target.requests).toHaveLength(1)
  })
})
