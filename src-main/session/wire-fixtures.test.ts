// Every recorded provider stream through the whole session: what is stored is what was recorded, and what was stored
// gives a next request that the provider takes.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contextTokensOf } from '@common/budget/usage'
import { MAX_TOOL_RESULT_BYTES } from '@common/constants'
import { isKnownPart, toolPartsOf } from '@common/rows/row-schema'
import type { KnownPart, Row, StepPart } from '@common/rows/row-schema'
import { inForm } from '../history/testing/long-form'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { recordedAnswerOf, valueIn } from '../provider/testing/recorded-answer'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedServer } from '../provider/testing/scripted-server'
import { payloadsOf, readWireFixture, wireFixtureNames } from '../provider/testing/wire-fixtures'
import type { WireFixture } from '../provider/testing/wire-fixtures'
import { sseEventsOf } from '../provider/testing/wire-server'
import { startTestApp } from '../testing/test-app'
import type { TestApp, TurnEnded } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

/** Every third in the quick form. */
const PLAYED = wireFixtureNames().filter((_, index) => index % inForm({ quick: 3, full: 1, long: 1 }) === 0)

/** Said after the recording where its last answer calls tools. */
const CLOSING = 'That is all.'

interface ExpectedCall {
  readonly name: string
  readonly input: unknown
  /** The provider's own tools have an outcome without us; `interrupted` where the recording holds none. */
  readonly state: 'output-available' | 'output-error' | 'interrupted'
}

const unknown = (name: string, input: unknown): ExpectedCall => ({ name, input, state: 'output-error' })
const ranThere = (name: string, input: unknown): ExpectedCall => ({ name, input, state: 'output-available' })

/** Calls of each recording, in order, as its payloads say them. Recordings that are not named make none. */
const CALLS: Readonly<Record<string, readonly ExpectedCall[]>> = {
  'anthropic/anthropic-code-execution-20260120-prompt-cache.1': [
    ranThere('code_execution', expect.objectContaining({ command: expect.stringContaining('seq 1 12') })),
    ranThere('code_execution', expect.objectContaining({ command: expect.stringContaining('sum=0') }))
  ],
  'anthropic/anthropic-json-tool.2': [
    unknown('json', { elements: [{ location: 'San Francisco', temperature: 58, condition: 'sunny' }] })
  ],
  // The SDK reads the input of such a call from its first event alone, where it is still empty.
  'anthropic/anthropic-mcp.1': [ranThere('echo', {})],
  'anthropic/anthropic-programmatic-tool-calling.1': [
    ranThere('code_execution', expect.objectContaining({ code: expect.stringContaining('rollDie') })),
    ...Array.from({ length: 14 }, () => unknown('rollDie', { player: expect.stringMatching(/^player[12]$/) }))
  ],
  'anthropic/anthropic-tool-no-args': [unknown('updateIssueList', {})],
  'anthropic/anthropic-tool-search-deferred-bm25': [
    unknown('readNoteTree', { noteId: 'd10aa585-982b-4bd9-984e-420f9b3717f7' }),
    ranThere('tool_search_tool_bm25', { query: 'add bullet point insert text editor', limit: 5 }),
    unknown('executeEditorOperation', expect.objectContaining({ operations: expect.any(Array) }))
  ],
  'anthropic/anthropic-web-fetch-tool.1': [
    ranThere('web_fetch', { url: 'https://en.wikipedia.org/wiki/Maglemosian_culture' })
  ],
  'google/google-stream-no-args-tool-call': [
    unknown('read_theme', {}),
    ...['A', 'B', 'C'].map((id) => unknown('read_screen', { id }))
  ],
  'google/google-stream-tool-call-arguments': ['Boston', 'San Francisco'].map((location) =>
    unknown('getWeather', { location })
  ),
  'google/google-stream-tool-call-array-arguments-missing-terminal-function-call': [
    unknown('writeItems', { operations: [expect.objectContaining({ itemid: 'apple_001' }), expect.any(Object)] })
  ],
  'google/google-tool-call': [unknown('weather', { location: 'San Francisco' })],
  'google/google-tool-call-gemini3': [unknown('weather', { location: 'San Francisco' })],
  'openai-compatible/xai-tool-call': [unknown('weather', { location: 'San Francisco' })],
  'openai/responses-openai-apply-patch-tool.1': [
    unknown('apply_patch', expect.objectContaining({ operation: expect.objectContaining({ type: 'create_file' }) }))
  ],
  'openai/responses-openai-client-tool-search.1': [
    unknown('tool_search', expect.objectContaining({ arguments: expect.any(Object) }))
  ],
  'openai/responses-openai-custom-tool.1': [unknown('write_sql', 'SELECT * FROM users WHERE age > 25')],
  'openai/responses-openai-mcp-tool-approval.1': [
    {
      name: 'mcp.create_short_url',
      input: expect.objectContaining({ url: 'https://ai-sdk.dev/' }),
      state: 'interrupted'
    }
  ],
  'openai/responses-openai-reasoning-encrypted-content.1': [
    unknown('calculator', { a: 12, b: 7, op: 'add' }),
    unknown('calculator', { a: 19, b: 3, op: 'multiply' }),
    unknown('calculator', { a: 57, b: 10, op: 'multiply' })
  ]
}

/** Recordings that hold the answer to their own calls. */
const TEXT_AFTER_CALLS: ReadonlySet<string> = new Set([
  'anthropic/anthropic-programmatic-tool-calling.1',
  'anthropic/anthropic-tool-search-deferred-bm25',
  'openai/responses-openai-reasoning-encrypted-content.1'
])

/** How the turn ends where it does not complete. */
const FAILURES: Readonly<Record<string, string>> = {
  'anthropic/anthropic-refusal': 'content_filter',
  'anthropic/spliced-message-start': 'malformed_stream',
  'openai/responses-openai-error.1': 'rate_limit',
  'openai/responses-parallel-tool-call-wrapper.1': 'malformed_stream'
}

const toClose = closeAfterEach()

interface Replayed {
  readonly fixture: WireFixture
  readonly server: ScriptedServer
  readonly test: TestApp
  readonly end: TurnEnded
  readonly rows: readonly Row[]
  readonly parts: readonly KnownPart[]
}

/** The recording as the first turn of a conversation, on a server that goes on in the same protocol. */
async function replay(source: string | WireFixture): Promise<Replayed> {
  const fixture = typeof source === 'string' ? readWireFixture(source) : source
  const { name, protocol, answers } = fixture
  const turns = answers.map((answer) => ({ events: sseEventsOf(answer, protocol) }))
  const closing = endsWithOwnCalls(name) ? [{ text: CLOSING }] : []
  const server = await startScriptedServer({ turns: [...turns, ...closing], seals: sealsOf(fixture) })
  toClose.push(server)
  const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
  const test = await startTestApp({ providers: [scriptedEntry(protocol, baseUrl)], model: `${protocol}:test-model` })
  toClose.push(test)
  const end = await test.turn('Go')
  const rows = await test.rows()
  const parts = rows.slice(1).flatMap((row) => row.parts.filter(isKnownPart))
  return { fixture, server, test, end, rows, parts }
}

/** Tools of ours in the last answer: then the session asks once more. */
function endsWithOwnCalls(name: string): boolean {
  return CALLS[name]?.at(-1)?.state === 'output-error' && !TEXT_AFTER_CALLS.has(name)
}

describe('T-1 L-4 a recorded stream through a session', () => {
  it.each(PLAYED)('%s is stored as it was said, and the next request is taken', async (name) => {
    const { fixture, server, test, end, rows, parts } = await replay(name)
    const reason = FAILURES[name]
    if (reason === undefined) expect(end).toMatchObject({ outcome: 'completed', reason: null })
    else expect(end).toMatchObject({ outcome: 'failed', reason, message: expect.any(String) })
    expect(rows.at(-1)?.metadata.error?.kind).toBe(reason)

    const recorded = fixture.answers.map((answer) => recordedAnswerOf(fixture.protocol, payloadsOf(answer)))
    const closing = endsWithOwnCalls(name) ? CLOSING : ''
    if (reason !== 'malformed_stream') {
      expect(textIn(parts, 'text')).toBe(recorded.map((answer) => answer.text).join('') + closing)
      expect(textIn(parts, 'reasoning')).toBe(recorded.map((answer) => answer.thinking).join(''))
    }

    const calls = rows.flatMap(toolPartsOf)
    expect(calls.map((call) => ({ name: call.toolName, input: call.input, state: call.state }))).toEqual(
      CALLS[name] ?? []
    )
    expect(new Set(calls.map((call) => call.toolCallId)).size).toBe(calls.length)

    for (const [index, answer] of recorded.entries()) {
      const step = stepsIn(parts)[index]
      if (step === undefined) expect(end.outcome).toBe('failed')
      else {
        expect(step.usage.outputTokens).toBe(answer.outputTokens)
        if (answer.contextTokens !== null) expect(contextTokensOf(step.usage)).toBe(answer.contextTokens)
      }
    }

    server.push({ text: 'Second answer.' })
    expect(await test.turn('And then?')).toMatchObject({ outcome: 'completed' })
    expect(server.problems).toEqual([])
    const sent = server.requests.at(-1)?.rawBody ?? ''
    if (reason === undefined) {
      const seals = [...sealsOf(fixture).keys()]
      expect(sealsIn(parts).toSorted()).toEqual(seals.toSorted())
      for (const seal of seals) expect(sent).toContain(JSON.stringify(seal))
    }
    expect(sent).not.toMatch(/"type":"(?:server_tool_use|mcp_tool_use|compaction|[a-z_]+_tool_result)"/)
  })

  it('are all held to a table that names no other', () => {
    for (const name of [...Object.keys(CALLS), ...Object.keys(FAILURES), ...TEXT_AFTER_CALLS])
      expect(wireFixtureNames()).toContain(name)
  })

  it('E-1 sums the steps of a turn on its row, and keeps the last step’s own figures', async () => {
    const { rows, parts } = await replay('openai/responses-openai-reasoning-encrypted-content.1')
    const steps = stepsIn(parts)
    expect(steps).toHaveLength(4)
    const sum = (field: 'inputTokens' | 'outputTokens') => steps.reduce((total, step) => total + step.usage[field], 0)
    const { usage, contextUsage } = rows.at(-1)?.metadata ?? {}
    expect(usage).toMatchObject({ inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') })
    expect(contextUsage).toEqual(steps.at(-1)?.usage)
  })

  it('H-13 keeps what a tool of the provider gave under the cap, and the whole beside it', async () => {
    const name = 'anthropic/anthropic-web-fetch-tool.1'
    const long = 'tide '.repeat(400_000)
    const fixture = readWireFixture(name)
    const answers = fixture.answers.map((answer) => answer.map((line) => line.replace('"data":"', `"data":"${long}`)))
    const { test, rows, server } = await replay({ ...fixture, answers })
    for (const row of rows) expect(JSON.stringify(row).length).toBeLessThan(MAX_TOOL_RESULT_BYTES * 2)
    const [call] = rows.flatMap(toolPartsOf)
    const whole = test.session.spill.pathOf(call?.outputSpill?.id ?? '')
    expect(readFileSync(whole ?? '', 'utf8')).toContain(long)
    server.push({ text: 'Second answer.' })
    expect(await test.turn('And then?')).toMatchObject({ outcome: 'completed' })
    expect(server.requests.at(-1)?.rawBody.length).toBeLessThan(MAX_TOOL_RESULT_BYTES * 4)
  })

  it('T-4 keeps what was said before a recording broke off', async () => {
    const { parts } = await replay('anthropic/spliced-message-start')
    expect(textIn(parts, 'reasoning')).toBe('I will call the tool.')
  })
})

function textIn(parts: readonly KnownPart[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

function stepsIn(parts: readonly KnownPart[]): StepPart[] {
  return parts.filter((part) => part.type === 'step')
}

/** Signatures, encrypted contents and thought signatures that the recording hands out, each with what it seals. */
function sealsOf({ protocol, answers }: WireFixture): Map<string, string> {
  const seals = new Map<string, string>()
  for (const payloads of answers.map(payloadsOf)) {
    const { thinking } = recordedAnswerOf(protocol, payloads)
    for (const payload of payloads) for (const seal of sealsOfPayload(payload)) seals.set(seal, thinking)
  }
  return seals
}

function sealsOfPayload(payload: Readonly<Record<string, unknown>>): string[] {
  const parts = valueIn(valueIn(valueIn(payload['candidates'], '0'), 'content'), 'parts')
  const done = payload['type'] === 'response.output_item.done' ? valueIn(payload['item'], 'encrypted_content') : null
  return [
    valueIn(payload['delta'], 'signature'),
    done,
    ...(Array.isArray(parts) ? parts : []).map((part) => valueIn(part, 'thoughtSignature'))
  ].filter((seal): seal is string => typeof seal === 'string' && seal !== '')
}

/** The same, from stored parts. */
function sealsIn(parts: readonly KnownPart[]): string[] {
  return parts.flatMap((part) => {
    const metadata = 'providerMetadata' in part ? Object.values(part.providerMetadata ?? {}) : []
    return metadata
      .flatMap((fields) => [fields['signature'], fields['reasoningEncryptedContent'], fields['thoughtSignature']])
      .filter((seal) => typeof seal === 'string')
  })
}
