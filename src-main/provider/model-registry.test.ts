import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEMO_CONTEXT_LIMIT, DEMO_MAX_OUTPUT_TOKENS } from '@common/constants'
import type { ProviderEntry } from '@common/settings/provider-schema'
import { afterEach, describe, expect, it } from 'vitest'
import { detectProviders } from './detect-providers'
import { fetchModelIds } from './fetch-model-ids'
import { type ModelList, knownModels } from './model-data'
import { createModelIdCache } from './model-id-cache'
import { listModels, modelInfoOf } from './model-registry'
import { tokenEncodingOf } from './token-encoding'

const anthropic: ProviderEntry = { id: 'anthropic', kind: 'anthropic', models: [] }
const openai: ProviderEntry = { id: 'openai', kind: 'openai', models: [] }
const demo: ProviderEntry = { id: 'demo', kind: 'demo', models: [] }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

describe('what is known of a model (L-3)', () => {
  it('has limits, price, tokenizer and thinking levels of current models', () => {
    expect(modelInfoOf('anthropic:claude-opus-5-5', anthropic)).toEqual({
      ref: 'anthropic:claude-opus-5-5',
      providerId: 'anthropic',
      modelId: 'claude-opus-5-5',
      name: 'Claude Opus 5.5',
      contextLimit: 1_000_000,
      maxOutputTokens: 128_000,
      price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
      encoding: 'o200k_base',
      encodingEstimated: true,
      vision: true,
      thinkingLevels: ['low', 'medium', 'high'],
      fallbacks: [],
      available: true
    })
    const sol = modelInfoOf('openai:gpt-6.1-sol', openai)
    expect(sol).toMatchObject({ encodingEstimated: false, price: { tiers: [{ inputTokensAbove: 272_000, input: 4 }] } })
  })

  it('knows the demo model, which costs nothing', () => {
    expect(modelInfoOf('demo:tide-1', demo)).toMatchObject({
      contextLimit: DEMO_CONTEXT_LIMIT,
      maxOutputTokens: DEMO_MAX_OUTPUT_TOKENS,
      price: { input: 0, output: 0 },
      name: expect.stringContaining('demo')
    })
  })

  it('leaves what nobody says unknown: never zero, never infinite (G-2)', () => {
    const lab: ProviderEntry = { id: 'lab', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', models: [] }
    for (const [ref, entry] of [
      ['lab:gpt-5', lab],
      ['openai:gpt-99-mystery', openai],
      ['demo:other', demo]
    ] as const) {
      expect(modelInfoOf(ref, entry)).toMatchObject({ contextLimit: null, maxOutputTokens: null, price: null })
    }
  })

  it('lets the person override each field, of unknown models too', () => {
    const models = [
      {
        id: 'some-model',
        contextLimit: 20_000,
        maxOutputTokens: 2_000,
        encoding: 'o200k_base',
        fallbacks: ['openai:other']
      },
      { id: 'claude-sonnet-5-5', name: 'Mine', price: { input: 1, output: 2, cacheRead: null, cacheWrite: null } }
    ]
    const entry = { ...anthropic, baseUrl: 'http://127.0.0.1:4100/v1', models }
    expect(modelInfoOf('anthropic:some-model', entry)).toMatchObject({
      contextLimit: 20_000,
      maxOutputTokens: 2_000,
      encoding: 'o200k_base',
      encodingEstimated: false,
      fallbacks: ['openai:other'],
      price: null
    })
    expect(modelInfoOf('anthropic:claude-sonnet-5-5', entry)).toMatchObject({
      name: 'Mine',
      contextLimit: 1_000_000,
      price: { input: 1, output: 2 }
    })
  })

  it('reads dated copies and model names with colons', () => {
    expect(modelInfoOf('openai:gpt-5.5-2026-04-23', openai).contextLimit).toBe(
      modelInfoOf('openai:gpt-5.5', openai).contextLimit
    )
    const router: ProviderEntry = {
      id: 'r',
      kind: 'openai-compatible',
      baseUrl: 'https://openrouter.ai/api/v1',
      models: []
    }
    expect(modelInfoOf('r:anthropic/claude-opus-5', router).contextLimit).toBe(1_000_000)
    expect(modelInfoOf('lab:llama3:8b', { ...router, id: 'lab' }).modelId).toBe('llama3:8b')
  })

  it('reads every line of the data file as a sensible model', () => {
    const lists: ModelList[] = ['anthropic', 'openai', 'google', 'openrouter', 'deepseek', 'groq', 'mistral', 'xai']
    for (const list of lists) {
      const models = [...knownModels(list).values()]
      expect(models.length).toBeGreaterThan(3)
      for (const model of models) {
        expect(model.name, model.id).not.toBe('')
        expect(model.contextLimit ?? 1, model.id).toBeGreaterThan(0)
        expect(model.price?.input ?? 0, model.id).toBeGreaterThanOrEqual(0)
        expect(JSON.stringify(model), model.id).not.toMatch(/NaN|null,"vision":null/)
      }
    }
  })

  it.each([
    ['gpt-4', 'cl100k_base', false],
    ['gpt-4-turbo', 'cl100k_base', false],
    ['gpt-3.5-turbo', 'cl100k_base', false],
    ['gpt-4o-mini', 'o200k_base', false],
    ['gpt-4.1', 'o200k_base', false],
    ['openai/gpt-6.2-sol', 'o200k_base', false],
    ['o3-mini', 'o200k_base', false],
    ['gpt-oss:20b', 'o200k_base', false],
    ['claude-opus-5', 'o200k_base', true],
    ['olmo-2', 'o200k_base', true]
  ])('counts %s with %s, an estimate: %s (P-3)', (modelId, encoding, encodingEstimated) => {
    expect(tokenEncodingOf(modelId)).toEqual({ encoding, encodingEstimated })
  })
})

describe('the models to offer (L-3)', () => {
  it('puts the newest first and leaves out dated copies and special ones', async () => {
    const ids = (await listModels([anthropic, openai, demo], (entry) => entry.kind === 'demo')).map(
      (model) => model.ref
    )
    expect(ids[0]).toBe('anthropic:claude-opus-5-5')
    expect(ids).toContain('openai:gpt-6.2-sol')
    expect(ids.at(-1)).toBe('demo:tide-1')
    expect(ids.filter((id) => /\d{8}|latest|preview|audio|cyber/.test(id))).toEqual([])
  })

  it('says which of them are ready', async () => {
    const models = await listModels([openai, demo], (entry) => entry.kind === 'demo')
    expect(models.filter((model) => model.available).map((model) => model.ref)).toEqual(['demo:tide-1'])
  })

  it('offers for a server of the person only what they listed or what it says it has', async () => {
    const origin = await serve(json({ data: [{ id: 'b' }, { id: 'a' }, { id: 'b' }] }))
    const lab: ProviderEntry = {
      id: 'lab',
      kind: 'openai-compatible',
      baseUrl: `${origin}/v1`,
      models: [{ id: 'a', contextLimit: 9_000 }]
    }
    const proxy: ProviderEntry = { ...anthropic, id: 'proxy', baseUrl: `${origin}/v1`, models: [{ id: 'm' }] }
    const ask = createModelIdCache({ keyOf: () => null, clock: { now: () => 0, sleep: async () => {} } })
    const models = await listModels([lab, proxy], () => true, ask)
    expect(models.map((model) => [model.ref, model.contextLimit])).toEqual([
      ['lab:a', 9_000],
      ['lab:b', null],
      ['proxy:m', null]
    ])
  })
})

describe('asking an endpoint for its models', () => {
  const entry = { id: 'lab', headers: { 'x-team': 'blue' } }

  it('sends key and headers, and asks once a minute', async () => {
    const seen: unknown[] = []
    const origin = await serve((request, response) => {
      seen.push([request.url, request.headers.authorization, request.headers['x-team']])
      json({ data: [{ id: 'm' }] })(request, response)
    })
    let nowMs = 0
    const ask = createModelIdCache({ keyOf: () => 'k-1', clock: { now: () => nowMs, sleep: async () => {} } })
    const lab: ProviderEntry = { ...entry, kind: 'openai-compatible', baseUrl: `${origin}/v1/`, models: [] }
    expect([await ask(lab), await ask(lab)]).toEqual([['m'], ['m']])
    nowMs = 60_001
    await ask(lab)
    expect(seen).toEqual(Array.from({ length: 2 }, () => ['/v1/models', 'Bearer k-1', 'blue']))
  })

  it.each<[string, RequestListener, RegExp]>([
    ['an error', json({}, 500), /answered 500/],
    ['something else', json({ models: [] }), /something else/],
    ['no JSON', (_request, response) => response.end('<html>'), /answered no JSON/],
    ['nothing', () => {}, /did not answer within 0\.05 s/]
  ])('says in words when the answer is %s, without the key', async (_what, listener, message) => {
    const baseUrl = await serve(listener)
    const answer = await fetchModelIds({ ...entry, baseUrl }, { fetch, apiKey: 'k-secret-1', timeoutMs: 50 })
    expect(answer).toEqual({ ok: false, error: expect.stringMatching(message) })
    expect(JSON.stringify(answer)).not.toContain('k-secret-1')
  })

  it('says in words when nobody listens', async () => {
    const answer = await fetchModelIds({ ...entry, baseUrl: 'http://127.0.0.1:9/v1' }, { fetch, apiKey: null })
    expect(answer).toMatchObject({ ok: false, error: expect.stringContaining('could not be reached') })
  })
})

describe('what is found at first run (L-1)', () => {
  const nobody = 'http://127.0.0.1:9'

  it('offers keys of the environment with a model to start with, never their values', async () => {
    const environment = {
      ANTHROPIC_API_KEY: 'sk-planted-1',
      GOOGLE_API_KEY: 'g-planted-2',
      GROQ_API_KEY: 'q-planted',
      OPENAI_API_KEY: ''
    }
    const found = await detectProviders({ environment, ollamaAddress: nobody, stored: [{ id: 'groq' }] })
    expect(found.map(({ entry, modelRef }) => [entry.id, entry.apiKeyEnv, modelRef])).toEqual([
      ['anthropic', 'ANTHROPIC_API_KEY', 'anthropic:claude-opus-5-5'],
      ['google', 'GOOGLE_API_KEY', expect.stringMatching(/^google:gemini-/)]
    ])
    expect(JSON.stringify(found)).not.toContain('planted')
  })

  it('offers an Ollama that answers, with its models', async () => {
    const origin = await serve(json({ models: [{ name: 'qwen3:8b' }, { name: 'llama3:8b' }] }))
    expect(await detectProviders({ environment: {}, ollamaAddress: origin })).toEqual([
      {
        entry: {
          id: 'ollama',
          kind: 'openai-compatible',
          name: 'Ollama',
          baseUrl: `${origin}/v1`,
          models: [{ id: 'qwen3:8b' }, { id: 'llama3:8b' }]
        },
        found: 'Ollama on this machine',
        modelRef: 'ollama:qwen3:8b'
      }
    ])
  })

  it('offers nothing where Ollama is silent, slow or something else', async () => {
    for (const listener of [json('x'), json({}, 404), (() => {}) as RequestListener]) {
      expect(await detectProviders({ environment: {}, ollamaAddress: await serve(listener) })).toEqual([])
    }
    expect(await detectProviders({ environment: {}, ollamaAddress: nobody })).toEqual([])
  })
})
