// Keys go to their provider and nowhere else: not to rows, events, answers, exports, logs or child processes.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import type { ProviderEntry } from '@common/settings/provider-schema'
import { replayOf } from '../context/testing/replay-of'
import { listenOnLoopback } from '../provider/testing/loopback-server'
import { createManualClock } from '../provider/testing/manual-clock'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { WireProtocol } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'

/** One that looks like a key, and others that no pattern would find. */
const FILE_KEY = 'sk-planted-0123456789abcdefghij'
const PLAIN_KEY = 'tidal wave 7731 quiet harbour'
const ENV_KEY = 'kelp.forest.9204.blue'
const HEADER_VALUE = 'lighthouse/5518/amber'
const SECRETS = [FILE_KEY, PLAIN_KEY, ENV_KEY, HEADER_VALUE]
const PROTOCOLS: readonly WireProtocol[] = ['anthropic', 'responses', 'chat', 'google']
const MAX_RETRY_WAIT_MS = 20_000

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** A server that says back what it was sent, as careless ones do. */
async function careless(status: number): Promise<string> {
  const server = await listenOnLoopback(async (request, response) => {
    const heard = JSON.stringify(request.headers)
    response.writeHead(status, { 'content-type': 'application/json', 'x-heard': 'yes' })
    response.end(
      JSON.stringify({ error: { type: 'invalid_request_error', message: `You sent ${heard}`, code: status } })
    )
  })
  cleanUps.push(() => server.close())
  return server.origin
}

interface Heard {
  readonly test: TestApp
  /** All that crossed to a window or was answered. */
  readonly said: unknown[]
}

async function started(providers: readonly ProviderEntry[], model: string): Promise<Heard> {
  const said: unknown[] = []
  const clock = createManualClock(undefined, MAX_RETRY_WAIT_MS)
  const test = await startTestApp({
    providers,
    model,
    clock,
    environment: { PATH: process.env['PATH'], PLANTED_KEY: ENV_KEY, ANTHROPIC_API_KEY: PLAIN_KEY, OTHER_NAME: ENV_KEY },
    publish: (batch) => said.push(batch)
  })
  cleanUps.push(() => test.close())
  await test.ask('workspace.open', { workspaceId: test.workspaceId })
  return { test, said }
}

/** Every text below the home but the file that keeps the keys. */
function filesOf(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = path.join(home, name)
    return name === 'providers.json' || !statSync(file).isFile() ? [] : [readFileSync(file, 'latin1')]
  })
}

async function expectNoSecret({ test, said }: Heard, secrets: readonly string[] = SECRETS): Promise<void> {
  const { workspaceId } = test
  const { projectId } = test.session.view
  const answers = [
    await test.app.dispatch('app.start', {}),
    await test.app.dispatch('providers.list', {}),
    await test.app.dispatch('models.list', {}),
    await test.app.dispatch('agents.list', { projectId }),
    await test.app.dispatch('workspace.open', { workspaceId }),
    await test.app.dispatch('workspace.export', { workspaceId, format: 'markdown' }),
    await test.app.dispatch('workspace.export', { workspaceId, format: 'jsonl' }),
    await test.app.dispatch('settings.set', { path: 'theme', value: 'dark' })
  ]
  const everything = [JSON.stringify([...answers, ...said, ...test.events]), ...filesOf(test.home)]
  expect(everything.length).toBeGreaterThan(5)
  for (const secret of secrets) {
    const spelled = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64(secret)]
    for (const form of new Set(spelled)) expect(everything.filter((text) => text.includes(form))).toEqual([])
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function withHeader(entry: ProviderEntry): ProviderEntry {
  return { ...entry, headers: { 'x-planted': HEADER_VALUE } }
}

describe('L-1 O-2 a planted key', () => {
  it.each(PROTOCOLS)('is in no event, row, answer, export or log after %s said it back in errors', async (protocol) => {
    const statuses = [400, 401, 403, 404, 429, 500]
    const origins = await Promise.all(statuses.map(careless))
    const providers = origins.map((origin, index) => {
      const base = scriptedEntry(protocol, `${origin}/${protocol === 'google' ? 'v1beta' : 'v1'}`)
      const { apiKey: _key, ...entry } = withHeader({ ...base, id: `p${index}` })
      const keys = [{ apiKey: FILE_KEY }, { apiKey: PLAIN_KEY }, { apiKeyEnv: 'PLANTED_KEY' }]
      return { ...entry, ...keys[index % keys.length] }
    })
    const heard = await started(providers, 'p0:test-model')
    const { test, said } = heard
    for (const { id } of providers) {
      await test.ask('workspace.update', { workspaceId: test.workspaceId, model: `${id}:test-model` })
      const end = await test.turn(`Hello ${id}`)
      expect(end.outcome).toBe('failed')
      said.push(end, await test.app.dispatch('providers.test', { providerId: id }))
    }
    await expectNoSecret(heard)
  })

  it('V-1 is in no system text, request part or log of requests when the project’s instructions quote it', async () => {
    const server = await startScriptedServer({ turns: [{ text: 'Read.' }, { text: 'Again.' }] })
    cleanUps.push(() => server.close())
    const { apiKey: _key, ...entry } = withHeader(scriptedEntry('anthropic', server.baseUrl))
    const heard = await started([{ ...entry, apiKey: FILE_KEY }], 'anthropic:test-model')
    const { test } = heard
    test.writeProject('AGENTS.md', `Keys: ${FILE_KEY}, ${HEADER_VALUE} and ${base64(FILE_KEY)}. Be brief.`)
    expect(await test.turn('Hello')).toMatchObject({ outcome: 'completed' })
    expect(await test.turn('Again')).toMatchObject({ outcome: 'completed' })
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body['system']))
    expect(first).toContain('Keys: [key removed], [key removed] and [key removed]')
    expect(first).toContain('Be brief.')
    expect(second).toBe(first)
    await expectNoSecret(heard)
    expect((await replayOf(test)).summary).toMatchObject({ requests: 2, differing: 0 })
  })

  it('is in no child process, under whatever name', async () => {
    const server = await startScriptedServer({
      turns: [{ toolCalls: [{ name: 'bash', input: { command: 'env; cat /proc/self/environ' } }] }, { text: 'Seen.' }]
    })
    cleanUps.push(() => server.close())
    const { apiKey: _key, ...entry } = withHeader(scriptedEntry('anthropic', server.baseUrl))
    const heard = await started([{ ...entry, apiKeyEnv: 'PLANTED_KEY' }], 'anthropic:test-model')
    expect(await heard.test.turn('What is around you?')).toMatchObject({ outcome: 'completed' })
    expect(server.requests[0]?.headers['x-api-key']).toBe(ENV_KEY)
    const [call] = (await heard.test.rows()).flatMap(toolPartsOf)
    expect(JSON.stringify(call?.output)).toContain('PATH=')
    await expectNoSecret(heard)
  })

  it('is in nothing that is said of a key which no header can hold', async () => {
    const server = await startScriptedServer({ turns: () => ({ text: 'Never.' }) })
    cleanUps.push(() => server.close())
    const parts = ['coral-reef-6620', 'sandbank-8841']
    const odd = [parts.join('\n'), parts.join('\0'), `${parts.join(' ')} 世界`]
    const providers = PROTOCOLS.flatMap((protocol) => {
      const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
      return odd.map((apiKey, index) => ({ ...scriptedEntry(protocol, baseUrl), id: `${protocol}-${index}`, apiKey }))
    })
    const heard = await started(providers, 'demo:tide-1')
    for (const { id } of providers) {
      await heard.test.ask('workspace.update', { workspaceId: heard.test.workspaceId, model: `${id}:test-model` })
      const end = await heard.test.turn('Hello')
      expect(end.outcome).toBe('failed')
      heard.said.push(end, await heard.test.app.dispatch('providers.test', { providerId: id }))
    }
    await expectNoSecret(heard, parts)
  })

  it('is in no answer to saving a provider, and in no complaint about a damaged providers.json', async () => {
    const heard = await started([], 'demo:tide-1')
    const { test, said } = heard
    const provider = {
      id: 'mine',
      kind: 'anthropic',
      apiKey: FILE_KEY,
      headers: { 'x-planted': HEADER_VALUE }
    } as const
    said.push(await test.app.dispatch('providers.save', { provider }))
    said.push(
      await test.app.dispatch('providers.save', { provider: { ...provider, apiKey: PLAIN_KEY, models: 'none' } })
    )
    said.push(await test.app.dispatch('providers.save', { provider: { ...provider, headers: { [HEADER_VALUE]: 5 } } }))
    expect(readFileSync(path.join(test.home, 'providers.json'), 'utf8')).toContain(FILE_KEY)
    await expectNoSecret(heard, [FILE_KEY, PLAIN_KEY])
    said.push(await test.app.dispatch('providers.remove', { providerId: 'mine' }))
    await expectNoSecret(heard, [FILE_KEY, PLAIN_KEY])
  })
})
