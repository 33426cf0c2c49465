import { chmodSync, statSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inForm } from '../history/testing/long-form'
import { providerKeyEnvNames } from './provider-key-env'
import { openProviderStore, type ProviderStore } from './provider-store'
import { createRedactor } from './redactor'
import type { SecretCipher } from './secret-cipher'
import { tempHome, type TempHome, toyCipher } from './testing/temp-home'

const PLANTED = 'sk-planted-7f3a91c0d5e2'

function open(
  home: TempHome,
  { cipher = null, environment = {} }: { cipher?: SecretCipher | null; environment?: Record<string, string> } = {}
): ProviderStore {
  return openProviderStore({ ...home, cipher, environment })
}

function entryOf(store: ProviderStore, id: string) {
  const entry = store.entries().find((candidate) => candidate.id === id)
  if (entry === undefined) throw new Error(`no entry ${id}`)
  return entry
}

describe('providers without a file (L-1, L-2)', () => {
  it('has the demo, which needs no key', () => {
    const store = open(tempHome())
    expect(store.views()).toEqual([
      {
        id: 'demo',
        kind: 'demo',
        name: 'Demo',
        baseUrl: null,
        keySource: 'not-needed',
        keyEnv: null,
        headerNames: [],
        models: [],
        builtIn: true
      }
    ])
    expect(store.resolveKey(entryOf(store, 'demo'))).toEqual({ ok: true, value: null })
  })

  it('adds those whose usual variable holds a key, named as not stored', () => {
    const store = open(tempHome(), {
      environment: { OPENAI_API_KEY: PLANTED, OPENROUTER_API_KEY: 'or-key-12345678', GEMINI_API_KEY: '' }
    })
    expect(store.views().map(({ id, keySource, keyEnv, builtIn }) => [id, keySource, keyEnv, builtIn])).toEqual([
      ['openai', 'environment', 'OPENAI_API_KEY', true],
      ['openrouter', 'environment', 'OPENROUTER_API_KEY', true],
      ['demo', 'not-needed', null, true]
    ])
    expect(store.resolveKey(entryOf(store, 'openai'))).toEqual({ ok: true, value: PLANTED })
  })

  it('sends no key of the environment to the server of somebody else', () => {
    const home = tempHome()
    home.write('providers.json', '{"providers":[{"id":"openai","kind":"openai","baseUrl":"http://127.0.0.1:9/v1"}]}')
    const store = open(home, { environment: { OPENAI_API_KEY: PLANTED } })
    expect(store.resolveKey(entryOf(store, 'openai'))).toEqual({ ok: true, value: null })
  })
})

describe('saving a key (L-1)', () => {
  const anthropic = { id: 'anthropic', kind: 'anthropic' as const, models: [] }

  it('puts it into the keychain and leaves only a reference', async () => {
    const home = tempHome()
    const store = open(home, { cipher: toyCipher() })
    const saved = await store.save(anthropic, { apiKey: PLANTED })
    expect(saved).toMatchObject({ ok: true, value: { view: { keySource: 'keychain', builtIn: false }, note: null } })
    expect(home.read('providers.json')).toContain('"apiKeyRef": "provider:anthropic"')
    expect(home.read('providers.json') + home.read('secrets.enc')).not.toContain(PLANTED)
    expect(statSync(home.paths.secrets).mode & 0o777).toBe(0o600)
    const later = open(home, { cipher: toyCipher() })
    expect(later.resolveKey(entryOf(later, 'anthropic'))).toEqual({ ok: true, value: PLANTED })
  })

  it('puts it into the private file where there is no keychain, and says so', async () => {
    const home = tempHome()
    const store = open(home, { cipher: toyCipher(false) })
    const saved = await store.save(anthropic, { apiKey: PLANTED })
    expect(saved).toMatchObject({
      ok: true,
      value: { view: { keySource: 'file' }, note: expect.stringContaining('no keychain') }
    })
    expect(statSync(home.paths.providers).mode & 0o777).toBe(0o600)
    expect(store.resolveKey(entryOf(store, 'anthropic'))).toEqual({ ok: true, value: PLANTED })
  })

  it('keeps the present key when none is sent, and removes it on request', async () => {
    const home = tempHome()
    const store = open(home, { cipher: toyCipher() })
    await store.save(anthropic, { apiKey: PLANTED })
    await store.save({ ...anthropic, name: 'Work' })
    expect(store.resolveKey(entryOf(store, 'anthropic'))).toEqual({ ok: true, value: PLANTED })
    await store.save(anthropic, { apiKey: null })
    expect(store.resolveKey(entryOf(store, 'anthropic'))).toMatchObject({ ok: false, error: { kind: 'none' } })
    expect(home.read('secrets.enc')).not.toContain('provider:anthropic')
  })

  it('tells the command line that keychain keys belong to the desktop app', async () => {
    const home = tempHome()
    await open(home, { cipher: toyCipher() }).save(anthropic, { apiKey: PLANTED })
    const cli = open(home)
    expect(cli.isAvailable(entryOf(cli, 'anthropic'))).toBe(false)
    expect(cli.resolveKey(entryOf(cli, 'anthropic'))).toMatchObject({
      ok: false,
      error: {
        kind: 'no-cipher',
        message: expect.stringContaining('belong to the desktop app; use apiKey or apiKeyEnv')
      }
    })
    const withVariable = open(home, { environment: { ANTHROPIC_API_KEY: 'env-key-12345678' } })
    expect(withVariable.resolveKey(entryOf(withVariable, 'anthropic'))).toEqual({ ok: true, value: 'env-key-12345678' })
  })

  it('says in words that another keychain cannot open the key, without its error', async () => {
    const home = tempHome()
    await open(home, { cipher: toyCipher() }).save(anthropic, { apiKey: PLANTED })
    const foreign: SecretCipher = {
      ...toyCipher(),
      decrypt: () => {
        throw new Error(`bad padding near ${PLANTED}`)
      }
    }
    const store = open(home, { cipher: foreign })
    const key = store.resolveKey(entryOf(store, 'anthropic'))
    expect(key).toMatchObject({ ok: false, error: { kind: 'unreadable' } })
    expect(JSON.stringify(key) + home.logged()).not.toContain(PLANTED)
  })
})

describe('what a screen and a log may see (L-1)', () => {
  it('never holds a planted key, a header value or a hidden part of an address', () => {
    const home = tempHome()
    home.write(
      'providers.json',
      `{"providers":[
        {"id":"a","kind":"openai-compatible","baseUrl":"https://me:${PLANTED}@host/v1?key=${PLANTED}","apiKey":"${PLANTED}","headers":{"authorization":"Bearer ${PLANTED}"},"name":"A"},
        {"id":"B!","kind":"openai","apiKey":"${PLANTED}"},
        {"id":"c","kind":"${PLANTED}","apiKey":"${PLANTED}"},
        {"id":"d","kind":"openai","apiKey":["${PLANTED}"],"baseUrl":"${PLANTED}","headers":"${PLANTED}","models":"${PLANTED}"}
      ]}`
    )
    const store = open(home)
    expect(store.problems().length).toBeGreaterThan(4)
    expect(store.views().map((view) => view.id)).toEqual(['a', 'd', 'demo'])
    expect(JSON.stringify([store.views(), store.problems()]) + home.logged()).not.toContain(PLANTED)
    expect(store.views()[0]).toMatchObject({ baseUrl: 'https://***@host/v1?key=***', headerNames: ['authorization'] })
    const redact = createRedactor(store.secretValues())
    expect(redact(`x ${PLANTED} Bearer ${PLANTED} y`)).not.toContain(PLANTED)
  })

  it('never holds one of a file broken at any byte, and that file is never written', async () => {
    const text = `{"providers":[{"id":"a","kind":"openai","apiKey":"${PLANTED}","headers":{"x":"${PLANTED}"}}]}`
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length),
        fc.nat(6),
        fc.constantFrom('', '"', '}', '\\', '//'),
        async (at, cut, put) => {
          const home = tempHome()
          const damaged = text.slice(0, at) + put + text.slice(at + cut)
          home.write('providers.json', damaged)
          const store = open(home)
          const saved = await store.save({ id: 'z', kind: 'openai', models: [] })
          const isBroken = store.problems().some((problem) => problem.kind === 'broken')
          if (isBroken) expect([saved.ok, home.read('providers.json')]).toEqual([false, damaged])
          const told = JSON.stringify([store.views(), store.problems(), saved]) + home.logged()
          // A damaged quote may turn a piece of the key into a property name; never as much as half of it.
          expect(told).not.toContain(PLANTED.slice(3, 14))
        }
      ),
      { numRuns: inForm({ quick: 30, full: 120, long: 120 }), seed: 11 }
    )
  })
})

describe('editing an entry', () => {
  it('keeps unknown fields, comments, unseen header values and the hidden part of the address', async () => {
    const home = tempHome()
    home.write(
      'providers.json',
      '{\n  // my server\n  "providers": [\n    { "id": "lab", "kind": "openai-compatible", "baseUrl": "http://u:p@lab/v1", "headers": { "x-team": "blue", "x-old": "1" }, "later": 1 }\n  ]\n}\n'
    )
    const store = open(home)
    const view = store.views()[0]
    await store.save({
      id: 'lab',
      kind: 'openai-compatible',
      baseUrl: view?.baseUrl ?? undefined,
      headers: { 'x-team': '', 'x-new': '2' },
      models: [{ id: 'm', contextLimit: 8_000 }]
    })
    const entry = entryOf(store, 'lab')
    expect(entry).toMatchObject({
      baseUrl: 'http://u:p@lab/v1',
      headers: { 'x-team': 'blue', 'x-new': '2' },
      later: 1,
      models: [{ id: 'm', contextLimit: 8_000 }]
    })
    expect(Object.keys(entry.headers ?? {})).not.toContain('x-old')
    expect(home.read('providers.json')).toContain('// my server')
  })

  it('removes a stored entry with its secret, and refuses to remove the demo', async () => {
    const home = tempHome()
    const store = open(home, { cipher: toyCipher() })
    await store.save({ id: 'openai', kind: 'openai', models: [] }, { apiKey: PLANTED })
    let told = 0
    store.subscribe(() => told++)
    expect((await store.remove('openai')).ok).toBe(true)
    expect(store.views().map((view) => view.id)).toEqual(['demo'])
    expect(home.read('secrets.enc')).not.toContain('provider:openai')
    expect(told).toBe(1)
    expect(await store.remove('demo')).toMatchObject({ ok: false, error: { kind: 'invalid' } })
  })

  it('refuses a malformed entry by field, and an invalid list as long as it is one', async () => {
    const home = tempHome()
    expect(await open(home).save({ id: 'Ä', kind: 'openai', baseUrl: 'nowhere', models: [] })).toMatchObject({
      ok: false,
      error: { kind: 'invalid', message: expect.stringMatching(/id: .*baseUrl: /) }
    })
    home.write('providers.json', '{"providers": "none"}')
    expect(await open(home).save({ id: 'a', kind: 'openai', models: [] })).toMatchObject({
      ok: false,
      error: { kind: 'broken' }
    })
    expect(home.read('providers.json')).toBe('{"providers": "none"}')
  })

  it('closes a file with a key to others when it reads it', () => {
    const home = tempHome()
    home.write('providers.json', `{"providers":[{"id":"a","kind":"openai","apiKey":"${PLANTED}"}]}`)
    chmodSync(home.paths.providers, 0o644)
    open(home)
    expect(statSync(home.paths.providers).mode & 0o777).toBe(0o600)
  })
})

describe('keeping keys from others', () => {
  it('lists the variables that child processes go without (O-2)', () => {
    const names = providerKeyEnvNames([{ apiKeyEnv: 'LAB_KEY' }, {}])
    for (const name of ['LAB_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY']) {
      expect(names).toContain(name)
    }
  })

  it('strikes a key in every form in which it is written, and nothing else', () => {
    const key = 'k"ey/with+odd chars=1'
    const redact = createRedactor([key, 'short', ''])
    const forms = [key, JSON.stringify(key), encodeURIComponent(key), Buffer.from(key).toString('base64')]
    expect(redact(forms.join(' | '))).toBe('[key removed] | "[key removed]" | [key removed] | [key removed]')
    expect(redact('a short text')).toBe('a short text')
    expect(createRedactor([])('as it was')).toBe('as it was')
  })
})
