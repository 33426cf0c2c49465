// One conversation over every protocol: whatever was stored under one provider gives a valid request at the next.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replayOf } from '../context/testing/replay-of'
import { importHistory } from '../history/import-history'
import { inForm, isLong } from '../history/testing/long-form'
import { createManualClock } from '../provider/testing/manual-clock'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { valueIn } from '../provider/testing/recorded-answer'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedFault, ScriptedToolCall, ScriptedTurn, WireProtocol } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import type { TestApp, TurnEnded } from '../testing/test-app'
import { historyProblemsOf } from './testing/history-problems'
import { closeAfterEach } from '../testing/close-after-each'

const PROTOCOLS: readonly WireProtocol[] = ['anthropic', 'responses', 'chat', 'google']
const MAX_RETRY_WAIT_MS = 20_000
const PI_SESSION = path.resolve(import.meta.dirname, '../history/testing/fixtures/pi-large-session.jsonl')

const toClose = closeAfterEach()

interface Rig {
  readonly test: TestApp
  /** Each with its own signatures: another's are forged to it. */
  readonly servers: Readonly<Record<WireProtocol, ScriptedServer>>
  /** Runs one turn on the protocol's provider, which answers with `answers`, one a request, then with a plain text. */
  turn(protocol: WireProtocol, text: string, ...answers: readonly ScriptedTurn[]): ReturnType<TestApp['turn']>
  /** Goes on from the rows that are there, and is answered with a plain text. */
  retry(): ReturnType<TestApp['turn']>
  /** What any server refused so far. */
  problems(): string[]
}

async function rig(anthropicSeals: ReadonlyMap<string, string> = new Map()): Promise<Rig> {
  const script: ScriptedTurn[] = []
  const turns = (): ScriptedTurn => script.shift() ?? { text: 'That is all.' }
  const start = (protocol: WireProtocol) =>
    startScriptedServer(protocol === 'anthropic' ? { turns, seals: anthropicSeals } : { turns })
  const started = await Promise.all(PROTOCOLS.map(async (protocol) => [protocol, await start(protocol)] as const))
  const servers = Object.fromEntries(started) as Record<WireProtocol, ScriptedServer>
  toClose.push(...Object.values(servers))
  const providers = PROTOCOLS.map((protocol) => {
    const { baseUrl, googleBaseUrl } = servers[protocol]
    return scriptedEntry(protocol, protocol === 'google' ? googleBaseUrl : baseUrl)
  })
  // Waits between retries end at once.
  const clock = createManualClock(undefined, MAX_RETRY_WAIT_MS)
  const test = await startTestApp({ providers, model: 'anthropic:test-model', clock })
  toClose.push(test)
  return {
    test,
    servers,
    async turn(protocol, text, ...answers) {
      await test.ask('workspace.update', { workspaceId: test.workspaceId, model: `${protocol}:test-model` })
      script.splice(0, script.length, ...answers)
      return test.turn(text)
    },
    async retry() {
      script.length = 0
      const end = test.nextEnd()
      await test.ask('turn.retry', { workspaceId: test.workspaceId })
      return end
    },
    problems: () => Object.values(servers).flatMap((server) => server.problems)
  }
}

/** Signatures in a request, whatever each protocol calls them. */
function sealsSent(server: ScriptedServer): string[] {
  const body = server.requests.at(-1)?.rawBody ?? ''
  return [...body.matchAll(/"(?:signature|encrypted_content|thoughtSignature)":"([^"]+)"/g)].map(
    (match) => match[1] ?? ''
  )
}

function completed(end: TurnEnded, problems: readonly string[]): void {
  expect({ outcome: end.outcome, message: end.message, problems }).toEqual({
    outcome: 'completed',
    message: null,
    problems: []
  })
}

describe('L-4 a conversation that changes its provider', () => {
  it('gives each one valid requests, its own thinking back, and nothing of the others’', async () => {
    const { test, servers, turn, problems } = await rig()
    test.writeProject('a.txt', 'tide')
    for (const protocol of [...PROTOCOLS, ...PROTOCOLS.toReversed()]) {
      const calls: ScriptedToolCall[] = [
        { id: 'call_0', name: 'file_read', input: { path: 'a.txt' } },
        { id: `functions.glob:0|${'x'.repeat(80)}`, name: 'glob', input: { pattern: '*.txt' } }
      ]
      const end = await turn(
        protocol,
        `Look, ${protocol}`,
        { thinking: `thinking as ${protocol}`, text: 'I look.', toolCalls: calls },
        { thinking: `still as ${protocol}`, text: 'I saw it.' }
      )
      completed(end, problems())
      expect(problems()).toEqual([])
    }
    for (const protocol of PROTOCOLS) {
      const sent = servers[protocol].requests.at(-1)?.rawBody ?? ''
      const foreign = PROTOCOLS.filter((other) => other !== protocol).filter((other) =>
        sent.includes(`thinking as ${other}`)
      )
      expect(foreign).toEqual([])
      for (const other of PROTOCOLS) expect(sent.includes(`Look, ${other}`) || other === protocol).toBe(true)
    }
    // First turn whole, and the step of the second that came before this request; Chat signs nothing.
    expect(sealsSent(servers.anthropic)).toHaveLength(3)
    expect(sealsSent(servers.responses)).toHaveLength(3)
    expect(sealsSent(servers.google)).toHaveLength(2)
    expect(sealsSent(servers.chat)).toEqual([])
  })

  it('L-4 outlives inputs, names and texts that a model should not have written', async () => {
    const { test, turn, problems } = await rig()
    const odd: ScriptedToolCall[] = [
      { name: 'functions.bash', input: { command: 'true' } },
      { name: 'bash<|channel|>commentary', input: ['a', 'list'] },
      { name: 'glob', input: 'text' },
      { name: 'glob', input: null },
      { name: 'file_write', input: { path: 'half.txt', content: 'cut \ud83c' } }
    ]
    for (const protocol of ['chat', 'responses', 'anthropic', 'google'] as const) {
      const calls = protocol === 'anthropic' ? odd.filter((call) => /^[\w-]+$/.test(call.name)) : odd
      await turn(protocol, 'Go \ud83c', { text: 'cut \ud83c', toolCalls: calls }, { text: ' \n' })
      for (const next of PROTOCOLS) completed(await turn(next, 'And?', { text: 'fine' }), problems())
      expect(problems()).toEqual([])
    }
    expect((await test.rows()).flatMap((row) => row.parts).length).toBeGreaterThan(20)
  })

  it.each(PROTOCOLS)(
    'T-4 L-4 gives %s a valid request after an answer that was cut at any of its events',
    async (protocol) => {
      const { test, turn, problems } = await rig()
      const toolCalls = ['a', 'b'].map((id) => ({ id, name: 'no_such_tool', input: { file: 'a file' } }))
      const whole: ScriptedTurn = {
        thinking: 'I think about it.',
        text: 'I say something.',
        toolCalls,
        delivery: { pieceChars: 12 }
      }
      // No protocol says it in more events than this.
      for (let afterEvents = 0; afterEvents < 30; afterEvents += inForm({ quick: 10, full: 4, long: 1 })) {
        await turn(protocol, `Cut ${afterEvents}`, { ...whole, fault: { kind: 'cut', afterEvents } })
        expect(problems()).toEqual([])
      }
      completed(await turn(protocol, 'And now?', whole), problems())
      expect(historyProblemsOf(await test.rows())).toEqual([])
    }
  )

  const turns = isLong ? 12 : 4
  it(
    `L-4 T-4 R-6 V-2 gives valid requests after any ${turns} turns, whatever went wrong in them, and each can be built again`,
    { timeout: 600_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyTurn(), { minLength: turns, maxLength: turns }), async (script) => {
          const { test, turn, retry, problems } = await rig()
          for (const [index, { protocol, answers, isRetried }] of script.entries()) {
            await turn(protocol, `Turn ${index}`, ...answers)
            if (isRetried) completed(await retry(), problems())
            expect(problems()).toEqual([])
          }
          for (const protocol of PROTOCOLS)
            completed(await turn(protocol, 'And last?', { text: 'the end' }), problems())
          expect(problems()).toEqual([])
          const { verdicts } = await replayOf(test)
          expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
          for (const closable of toClose.splice(0).toReversed()) await closable.close()
        }),
        { seed: 7_204, numRuns: inForm({ quick: 2, full: 5, long: 60 }), endOnFailure: !isLong }
      )
    }
  )

  it('H-11 goes on from an imported session on every protocol', async () => {
    const lines = readFileSync(PI_SESSION, 'utf8').split('\n')
    const { test, servers, turn, problems } = await rig(sealsOfPi(lines))
    const imported = await importHistory({
      store: test.session.store,
      workspaceDir: test.session.folder,
      format: 'pi',
      path: PI_SESSION,
      newId: () => crypto.randomUUID()
    })
    expect(imported.ok && imported.value.rows > 200).toBe(true)
    await test.session.adoptImport()
    const calls = lines.filter((line) => line.includes('"type":"toolCall"')).length
    for (const protocol of PROTOCOLS) {
      const end = await turn(
        protocol,
        'Where were we?',
        { thinking: 'I look back.', text: 'Let me look.', toolCalls: [{ name: 'glob', input: { pattern: '*' } }] },
        { text: 'Here.' }
      )
      completed(end, problems())
      const sent = servers[protocol].requests.at(-1)?.rawBody ?? ''
      const results = sent.match(/"type":"tool_result"|"role":"tool"|"type":"function_call_output"|"functionResponse"/g)
      expect(results?.length).toBeGreaterThanOrEqual(calls)
    }
    expect(problems()).toEqual([])
  })
})

/** Signatures in a session of pi, each with its thinking; that session ran on Anthropic's models. */
function sealsOfPi(lines: readonly string[]): Map<string, string> {
  const blocks = lines.flatMap((line) => {
    const content = line === '' ? null : valueIn(valueIn(JSON.parse(line), 'message'), 'content')
    return Array.isArray(content) ? (content as unknown[]) : []
  })
  return new Map(
    blocks.flatMap((block) => {
      const [signature, thinking] = [valueIn(block, 'thinkingSignature'), valueIn(block, 'thinking')]
      return typeof signature === 'string' && typeof thinking === 'string' ? [[signature, thinking]] : []
    })
  )
}

interface AnyTurn {
  readonly protocol: WireProtocol
  readonly answers: readonly ScriptedTurn[]
  readonly isRetried: boolean
}

/** A turn of up to three steps, the last of which may fail in any of the ways of a provider. */
function anyTurn(): fc.Arbitrary<AnyTurn> {
  const call = fc.record({
    name: fc.constantFrom('glob', 'file_read', 'no_such_tool'),
    input: fc.constantFrom<unknown>({ pattern: '*' }, { path: 'a.txt' }, {}, ['x'], 'x')
  })
  const ids = fc.constantFrom<(index: number) => { id?: string }>(
    () => ({}),
    (index) => ({ id: `call_${index}` }),
    (index) => ({ id: `functions.x:${index}` })
  )
  const calls = fc
    .tuple(fc.array(call, { minLength: 1, maxLength: 3 }), ids)
    .map(([list, idOf]) => list.map((entry, index) => ({ ...entry, ...idOf(index) })))
  const said = fc.record(
    {
      thinking: fc.constantFrom('I think.', 'so '.repeat(40)),
      text: fc.constantFrom('Said.', ' \n', 'word '.repeat(30))
    },
    { requiredKeys: [] }
  )
  const step = fc.tuple(said, calls).map(([words, toolCalls]): ScriptedTurn => ({ ...words, toolCalls }))
  const fault = fc.oneof(
    fc.nat(24).map((afterEvents): ScriptedFault => ({ kind: 'cut', afterEvents })),
    fc.nat(1_500).map((afterBytes): ScriptedFault => ({ kind: 'drop', afterBytes })),
    fc.nat(12).map((afterEvents): ScriptedFault => ({ kind: 'malformed-event', afterEvents })),
    fc.nat(12).map((afterEvents): ScriptedFault => ({ kind: 'error-event', afterEvents, overloaded: false })),
    fc.constantFrom<ScriptedFault>({ kind: 'auth' }, { kind: 'context-exceeded' })
  )
  const wrong = fc.oneof(
    fault.map((kind): Partial<ScriptedTurn> => ({ fault: kind })),
    fc.constantFrom<Partial<ScriptedTurn>>({ refusal: true }, { refusal: 'I will not.' }, { cutAtLimit: true })
  )
  const last = fc.oneof(
    said,
    fc.tuple(fc.oneof(said, step), wrong).map(([words, how]): ScriptedTurn => ({ ...words, ...how }))
  )
  return fc.record({
    protocol: fc.constantFrom(...PROTOCOLS),
    answers: fc.tuple(fc.array(step, { maxLength: 2 }), last).map(([steps, end]) => [...steps, end]),
    isRetried: fc.boolean()
  })
}
