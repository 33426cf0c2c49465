// Proves idle compaction (C-3) through the whole app: real files, a loopback provider, a clock that a test moves.
import { describe, expect, it, vi } from 'vitest'
import { IDLE_CHECK_INTERVAL_MS } from '@common/constants'
import { rowKindOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import { createManualClock } from '../provider/testing/manual-clock'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../testing/test-app'
import { isWorthIt } from './idle-compaction'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const HOUR_MS = 3_600_000
/** Waits that a turn makes by itself. */
const SHORT_MS = 20_000
const LONG = 'Look at the parser and say what is wrong with it. '.repeat(40)
const ANSWER = { text: 'one', usage: { inputTokens: 30_000 } }

interface Rig {
  readonly test: TestApp
  readonly server: ScriptedServer
  /** What a person who looks elsewhere was told. */
  readonly told: readonly string[]
  /** Time passes, as far as the next look at every window, and whatever follows from it. */
  pass(hours: number): Promise<void>
}

async function rig(turns: readonly TurnSource[], hours = 8): Promise<Rig> {
  const server = await startScriptedServer({ turns })
  const clock = createManualClock(undefined, SHORT_MS)
  const limits = { id: 'test-model', contextLimit: 200_000 }
  const providers = [scriptedEntry('anthropic', server.baseUrl, limits)]
  const told: string[] = []
  const notify = (_title: string, body: string): void => void told.push(body)
  const test = await startTestApp({ providers, model: 'anthropic:test-model', clock, notify })
  toClose.push(server, test)
  await test.ask('settings.set', { path: 'idleCompactionHours', value: hours })
  const looks = (): number => clock.sleeps.filter((delayMs) => delayMs === IDLE_CHECK_INTERVAL_MS).length
  const look = async (byMs: number): Promise<void> => {
    const before = looks()
    await clock.advance(byMs)
    await vi.waitFor(() => expect(looks()).toBe(before + 1), { timeout: 20_000, interval: 5 })
  }
  await look(IDLE_CHECK_INTERVAL_MS)
  return { test, server, told, pass: (passed) => look(Math.max(passed * HOUR_MS, IDLE_CHECK_INTERVAL_MS)) }
}

async function kinds({ test }: Rig): Promise<string[]> {
  const read = await test.session.store.rowsAfter(0)
  if (!read.ok) throw new Error(read.error.message)
  return read.value.map(rowKindOf)
}

describe('C-3 a quiet window', () => {
  it('is summarised once, after the hours, with its reason, and calls nobody', async () => {
    const it = await rig([ANSWER, { text: 'SUMMARY' }])
    await it.test.turn(LONG)
    const { updatedAtMs, unread } = it.test.session.view
    await it.pass(7)
    expect(it.server.requests).toHaveLength(1)
    await it.pass(2)
    expect(await kinds(it)).toEqual(['person', 'assistant', 'compaction-request', 'compaction-summary'])
    const [boundary] = await it.test.rows()
    expect(boundary?.metadata.compaction).toMatchObject({ reason: 'idle', idleHours: 9, trimmedRows: 0 })
    expect(it.test.session.view).toMatchObject({ updatedAtMs, unread, phase: 'idle' })
    expect(it.told).toEqual(['The turn has ended.'])
    await it.pass(200)
    expect(it.server.requests).toHaveLength(2)
  })

  it('is left alone while the setting is off, as it is at first', async () => {
    const it = await rig([ANSWER], 0)
    await it.test.turn(LONG)
    await it.pass(1_000)
    expect(it.server.requests).toHaveLength(1)
  })

  it('counts a clock that jumped, as after a sleep of the machine, as quiet', async () => {
    const it = await rig([ANSWER, { text: 'SUMMARY' }], 168)
    await it.test.turn(LONG)
    await it.pass(169)
    expect(await kinds(it)).toContain('compaction-summary')
  })

  it('is left alone while a draft is begun or a message waits', async () => {
    const it = await rig([ANSWER, { text: 'SUMMARY' }])
    const { workspaceId } = it.test
    await it.test.turn(LONG)
    await it.test.session.drafts.save('half a thou')
    await it.pass(20)
    expect(it.server.requests).toHaveLength(1)
    await it.test.session.drafts.save('')
    await it.test.session.queue.add({
      id: 'held',
      text: 'held',
      attachments: [],
      mode: 'turn-end',
      source: 'person',
      queuedAtMs: 0,
      held: true
    })
    await it.pass(1)
    expect(it.server.requests).toHaveLength(1)
    await it.test.ask('queue.remove', { workspaceId, entryId: 'held' })
    await it.pass(1)
    expect(it.server.requests).toHaveLength(2)
  })

  it('is left alone while something runs', async () => {
    const question = { question: 'Which one?', options: ['This', 'That'] }
    const it = await rig([ANSWER, { toolCalls: [{ name: 'ask_user', input: question }] }])
    await it.test.turn(LONG)
    await it.test.send('Go on')
    await it.test.event('questions-changed', ({ questions }) => questions.length === 1)
    await it.pass(20)
    expect(it.server.requests).toHaveLength(2)
    expect(await kinds(it)).not.toContain('compaction-request')
  })

  it('is not tried again where its summary failed, shows no failure of a turn, and is after a new message', async () => {
    const it = await rig([ANSWER, { text: ' ' }, ANSWER, { text: 'SUMMARY' }])
    await it.test.turn(LONG)
    await it.pass(9)
    await it.pass(9)
    expect(it.server.requests).toHaveLength(2)
    const failed = (await it.test.rows()).at(-1)
    expect(failed?.metadata).toMatchObject({ error: { kind: 'provider' }, machine: { reason: 'idle', idleHours: 9 } })
    const snapshot = await it.test.session.snapshot()
    expect(snapshot.ok && snapshot.value.status.lastProblem).toBe(null)
    await it.test.turn('Go on')
    await it.pass(9)
    expect((await kinds(it)).at(-1)).toBe('compaction-summary')
  })

  it('sends a message that came meanwhile, also where the summary failed', async () => {
    const it = await rig([ANSWER, { text: ' ', delivery: { delayMs: 30 } }, { text: 'two' }])
    await it.test.turn(LONG)
    const passed = it.pass(9)
    await it.test.event('row-appended', ({ row }) => rowKindOf(row) === 'compaction-request')
    await it.test.send('I am back')
    await passed
    await it.test.event('row-appended', ({ row }) => rowKindOf(row) === 'assistant' && textOf(row) === 'two')
  })

  it('waits for the one before it: two workspaces are never summarised at once', async () => {
    const it = await rig([ANSWER, ANSWER, { text: 'SUMMARY' }, { text: 'SUMMARY' }])
    const { workspace } = await it.test.ask('workspace.create', {
      projectId: it.test.session.view.projectId,
      model: 'anthropic:test-model'
    })
    const other = await it.test.app.services.sessions.open(workspace.workspaceId)
    if (!other.ok) throw new Error(other.error)
    let [running, most] = [0, 0]
    for (const session of [it.test.session, other.value])
      session.events.subscribe(({ events }) => {
        for (const event of events) {
          if (event.type === 'row-appended' && rowKindOf(event.row) === 'compaction-request') running += 1
          if (event.type === 'row-appended' && rowKindOf(event.row) === 'compaction-summary') running -= 1
          most = Math.max(most, running)
        }
      })
    await it.test.turn(LONG)
    await it.test.ask('turn.send', {
      workspaceId: workspace.workspaceId,
      text: LONG,
      attachments: [],
      mode: 'tool-end'
    })
    await vi.waitFor(() => expect(other.value.busy).toBe(false), { timeout: 20_000 })
    await it.pass(0)
    await it.pass(9)
    expect(it.server.requests).toHaveLength(4)
    expect([running, most]).toEqual([0, 1])
  })
})

describe('C-3 what is worth a summary', () => {
  const row = (id: string, metadata: Row['metadata']): Row => ({ id, role: 'assistant', parts: [], metadata })
  const answer = row('a', {})
  const boundary = row('b', { contextBoundaryKind: 'compaction' })
  const asked = row('c', { machine: { type: 'compaction-request' } })

  it.each([
    ['a tenth of a full window', [answer], 10_000, 100_000, true],
    ['less than that', [answer], 9_999, 100_000, false],
    ['something after a summary', [boundary, answer], 50_000, 100_000, true],
    ['nothing after a summary', [boundary], 50_000, 100_000, false],
    ['nothing since one was asked for', [answer, asked], 50_000, 100_000, false],
    ['a window that nobody measured', [answer], null, 100_000, false],
    ['an unknown limit', [answer], 50_000, null, false]
  ])('%s', (_name, rows, heldTokens, fullTokens, expected) => {
    expect(isWorthIt({ rows, heldTokens, fullTokens })).toBe(expected)
  })
})

function textOf(row: Row): string {
  return row.parts.map((part) => ('text' in part ? String(part.text) : '')).join('')
}
