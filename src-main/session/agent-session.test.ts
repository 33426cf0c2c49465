import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@common/contract/events'
import type { QueueEntry } from '@common/contract/views'
import { isKnownPart, toolPartsOf } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { rowsOfLines, startTestApp } from '../testing/test-app'
import type { TestApp, TestAppOptions } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

interface Rig {
  readonly server: ScriptedServer
  readonly test: TestApp
}

async function rig(turns: readonly TurnSource[], options: TestAppOptions = {}, model = {}): Promise<Rig> {
  const server = await startScriptedServer({ turns })
  toClose.push(server)
  const entry = scriptedEntry('anthropic', server.baseUrl, { id: 'test-model', ...model })
  const test = await startTestApp({ providers: [entry], model: 'anthropic:test-model', ...options })
  toClose.push(test)
  return { server, test }
}

function textOf(row: Row | undefined): string {
  return (row?.parts ?? []).map((part) => (isKnownPart(part) && part.type === 'text' ? part.text : '')).join('')
}

/** A promise with its key outside: to hold an answer where a test wants it. */
function latch(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

describe('a turn', () => {
  it('T-1 T-3 stores the question and the answer and tells each in order', async () => {
    const { test } = await rig([{ text: 'Hello from the other side.', usage: { inputTokens: 40, outputTokens: 7 } }])
    const end = await test.turn('Say hello')
    expect(end).toMatchObject({ outcome: 'completed', reason: null, windowId: 'w:0', requests: 1 })
    const rows = await test.rows()
    expect(rows.map((row) => [row.role, row.metadata.historySequence])).toEqual([
      ['user', 1],
      ['assistant', 2]
    ])
    expect(textOf(rows[1])).toBe('Hello from the other side.')
    expect(rows[1]?.metadata).toMatchObject({
      model: 'anthropic:test-model',
      contextUsage: { inputTokens: 40, outputTokens: 7 }
    })
    const told = test.events.filter((event) => event.type === 'row-appended').map((event) => event.row)
    expect(told).toEqual(rows)
  })

  it('T-4 takes its title from the first line of the first message, without a call', async () => {
    const { test, server } = await rig([{ text: 'ok' }])
    await test.turn('\nFix the receipts\nand more')
    expect(test.session.view.title).toBe('Fix the receipts')
    expect(server.requests).toHaveLength(1)
  })

  it('L-4 sends a byte-stable prefix from turn to turn, with thinking replayed unchanged and four cache marks at most', async () => {
    const { test, server } = await rig([
      { thinking: 'let me look', text: 'I look.', toolCalls: [{ name: 'glob', input: { pattern: '*.md' } }] },
      { thinking: 'found it', text: 'There is one.' },
      { text: 'You are welcome.' }
    ])
    test.writeProject('README.md', '# hello')
    await test.ask('workspace.update', { workspaceId: test.workspaceId, thinkingLevel: 'low' })
    await test.turn('What is here?')
    await test.turn('Thanks')
    expect(server.problems).toEqual([])
    const bodies = server.requests.map((request) => withoutMarks(request.body))
    for (const [index, body] of bodies.slice(1).entries()) {
      const before = bodies[index]
      expect(JSON.stringify(body['system'])).toBe(JSON.stringify(before?.['system']))
      expect(JSON.stringify(body['tools'])).toBe(JSON.stringify(before?.['tools']))
      const earlier = before?.['messages'] as unknown[]
      expect(JSON.stringify((body['messages'] as unknown[]).slice(0, earlier.length))).toBe(JSON.stringify(earlier))
    }
    expect(server.requests[2]?.rawBody.match(/cache_control/g)?.length).toBeLessThanOrEqual(4)
  })

  it('A-3 asks before an edit, shows the diff, and edits only after leave was given', async () => {
    const { test, server } = await rig(
      [
        { toolCalls: [{ name: 'file_edit', input: { path: 'a.txt', old_string: 'one', new_string: 'two' } }] },
        { text: 'Done.' }
      ],
      { approvalMode: 'ask' }
    )
    const file = test.writeProject('a.txt', 'one\n')
    const end = test.turn('Change it')
    const asked = await test.event('approvals-changed', (event) => event.approvals.length === 1)
    const approval = asked.approvals[0]
    expect(approval).toMatchObject({ toolName: 'file_edit', subject: { kind: 'change', created: false } })
    expect(JSON.stringify(approval?.subject)).toContain('+two')
    expect(readFileSync(file, 'utf8')).toBe('one\n')
    await test.ask('approval.answer', {
      workspaceId: test.workspaceId,
      approvalId: approval?.approvalId ?? '',
      answer: { decision: 'once' }
    })
    expect(await end).toMatchObject({ outcome: 'completed', requests: 2 })
    expect(readFileSync(file, 'utf8')).toBe('two\n')
    expect(server.problems).toEqual([])
  })

  it('A-3 gives the agent the words of a denial and leaves the file alone', async () => {
    const { test, server } = await rig(
      [{ toolCalls: [{ name: 'file_write', input: { path: 'b.txt', content: 'x' } }] }, { text: 'Understood.' }],
      { approvalMode: 'ask' }
    )
    const end = test.turn('Write it')
    const asked = await test.event('approvals-changed', (event) => event.approvals.length === 1)
    await test.ask('approval.answer', {
      workspaceId: test.workspaceId,
      approvalId: asked.approvals[0]?.approvalId ?? '',
      answer: { decision: 'deny', message: 'use c.txt instead' }
    })
    await end
    expect(existsSync(path.join(test.project, 'b.txt'))).toBe(false)
    const call = toolPartsOf((await test.rows())[1] as Row)[0]
    expect(call?.state).toBe('output-denied')
    expect(server.requests[1]?.rawBody).toContain('use c.txt instead')
  })

  it('A-3 denies at once where nobody is present', async () => {
    const { test } = await rig(
      [{ toolCalls: [{ name: 'bash', input: { command: 'echo hi' } }] }, { text: 'I cannot.' }],
      { approvalMode: 'ask', personPresent: false }
    )
    expect(await test.turn('Run it')).toMatchObject({ outcome: 'completed' })
    expect(toolPartsOf((await test.rows())[1] as Row)[0]?.state).toBe('output-denied')
  })

  it('runs parallel calls side by side and pairs each with its own result', async () => {
    const { test, server } = await rig([
      {
        toolCalls: ['one', 'two', 'three'].map((word) => ({
          name: 'bash',
          input: { command: `sleep 0.2; echo ${word}` }
        }))
      },
      { text: 'All three ran.' }
    ])
    await test.turn('Run three')
    const calls = toolPartsOf((await test.rows())[1] as Row)
    expect(calls.map((call) => [call.state, (call.output as { output: string }).output.trim()])).toEqual([
      ['output-available', 'one'],
      ['output-available', 'two'],
      ['output-available', 'three']
    ])
    expect(server.problems).toEqual([])
  })
})

describe('calls to which a server gave one id', () => {
  it('R-6 L-4 each get their own result, whichever is done first', async () => {
    const command = (text: string) => ({ id: 'call_0', name: 'bash', input: { command: text } })
    const { test, server } = await rig([
      { toolCalls: [command('sleep 0.3; echo slow'), command('echo quick')] },
      { toolCalls: [command('echo later')] },
      { text: 'All ran.' }
    ])
    await test.turn('Run them')
    const calls = (await test.rows()).flatMap(toolPartsOf)
    expect(calls.map((call) => (call.output as { output: string }).output.trim())).toEqual(['slow', 'quick', 'later'])
    expect(new Set(calls.map((call) => call.toolCallId)).size).toBe(3)
    expect(server.problems).toEqual([])
  })
})

describe('stopping', () => {
  it('T-1 keeps the text that was streamed and can be awaited', async () => {
    const held = latch()
    const { test, server } = await rig([
      {
        text: 'one two three four five six seven',
        delivery: { pieceChars: 4, gate: (index) => (index > 4 ? held.opened : undefined) }
      },
      { text: 'Again.' }
    ])
    await test.send('Count')
    await test.event('text-delta')
    await test.session.interrupt()
    held.open()
    expect(await test.event('turn-ended')).toMatchObject({ outcome: 'interrupted' })
    const rows = await test.rows()
    expect(textOf(rows[1])).toMatch(/^one/)
    expect(rows[1]?.metadata.interrupted).toBe(true)
    await test.turn('Go on')
    expect(server.problems).toEqual([])
  })

  it('T-1 O-1 kills the running command and pairs its call with an interrupted result', async () => {
    const { test, server } = await rig([
      { toolCalls: [{ name: 'bash', input: { command: 'echo started; sleep 60; touch late.txt' } }] },
      { text: 'Fine.' }
    ])
    const end = test.turn('Run')
    await test.event('tool-output')
    await test.session.interrupt()
    expect(await end).toMatchObject({ outcome: 'interrupted' })
    expect(toolPartsOf((await test.rows())[1] as Row)[0]?.state).toBe('interrupted')
    await test.turn('Next')
    expect(server.problems).toEqual([])
  })
})

describe('the queue', () => {
  it('T-2 dispatches a tool-end entry at the next settled step and a turn-end entry after the turn', async () => {
    const held = latch()
    const { test, server } = await rig([
      async () => {
        await held.opened
        return { toolCalls: [{ name: 'bash', input: { command: 'true' } }] }
      },
      { text: 'answer to the step entry' },
      { text: 'answer to the turn entry' }
    ])
    await test.send('first')
    await server.request(0)
    await test.send('after the turn', 'turn-end')
    await test.send('after the step', 'tool-end')
    held.open()
    await test.event('row-appended', (event) => textOf(event.row) === 'answer to the turn entry')
    const rows = await test.rows()
    expect(rows.filter((row) => row.role === 'user').map(textOf)).toEqual(['first', 'after the step', 'after the turn'])
    expect(server.problems).toEqual([])
  })

  it('T-2 gives a person’s entries back held after a restart, and sends nothing by itself', async () => {
    const held = latch()
    const { test, server } = await rig([
      async () => {
        await held.opened
        return { text: 'late' }
      }
    ])
    await test.send('first')
    await server.request(0)
    await test.send('do not lose me', 'turn-end')
    const again = await startTestApp({ again: test })
    toClose.push(again)
    const snapshot = await again.ask('workspace.open', { workspaceId: test.workspaceId })
    expect(snapshot.queue.map((entry) => [entry.text, entry.held])).toEqual([['do not lose me', true]])
    expect(snapshot.status.phase).toBe('idle')
    held.open()
    await test.event('turn-ended')
  })

  it('T-1 refuses a second process that sends while a turn runs, and keeps its text', async () => {
    const held = latch()
    const { test, server } = await rig([
      async () => {
        await held.opened
        return { text: 'mine' }
      }
    ])
    await test.send('first')
    await server.request(0)
    const other = await startTestApp({ again: test })
    toClose.push(other)
    const end = await other.turn('me too')
    expect(end).toMatchObject({ outcome: 'failed', reason: 'turn_locked' })
    expect(end.message).toContain('Another Tidemark')
    expect(other.session.queue.entries.map((entry) => [entry.text, entry.held])).toContainEqual(['me too', true])
    held.open()
    expect(await test.event('turn-ended')).toMatchObject({ outcome: 'completed' })
  })
})

describe('a queue that two processes share', () => {
  it('T-2 shows a message no longer that the other one sent, and never sends it again', async () => {
    const held = latch()
    const { test, server } = await rig([
      async () => {
        await held.opened
        return { text: 'one' }
      },
      { text: 'two' },
      { text: 'three' }
    ])
    await test.send('first')
    await server.request(0)
    const { entryId } = await test.send('behind it', 'turn-end')
    const other = await startTestApp({ again: test })
    toClose.push(other)
    expect(other.session.queue.entries.map((entry) => [entry.text, entry.held])).toEqual([['behind it', true]])
    held.open()
    await test.event('row-appended', (event) => textOf(event.row) === 'two')
    await test.event('status-changed', (event) => event.status.phase === 'idle')
    await other.session.tellForeignRows()
    expect(other.session.queue.entries).toEqual([])
    const late = await other.app.dispatch('queue.send', { workspaceId: test.workspaceId, entryId })
    expect(late).toMatchObject({ ok: false, error: { message: expect.stringContaining('no longer in the queue') } })
    await other.turn('Mine')
    const said = (await other.rows()).filter((row) => row.role === 'user').map(textOf)
    expect(said).toEqual(['first', 'behind it', 'Mine'])
    expect(server.problems).toEqual([])
  })

  it('T-2 does not send what the other one sent a moment before', async () => {
    const { test, server } = await rig([{ text: 'one' }, { text: 'two' }], {})
    await test.turn('first')
    const other = await startTestApp({ again: test })
    toClose.push(other)
    const entry: QueueEntry = {
      id: 'shared',
      text: 'once',
      attachments: [],
      mode: 'turn-end',
      source: 'person',
      held: true,
      queuedAtMs: 1
    }
    for (const { session } of [test, other]) await session.queue.add(entry)
    const ends = [test.nextEnd(), other.nextEnd()]
    await test.session.sendQueued('shared')
    await ends[0]
    // Unless the watch on the files was quicker.
    const freed = await other.session.sendQueued('shared')
    if (freed.ok) expect(await ends[1]).toMatchObject({ outcome: 'completed', requests: 0 })
    expect((await other.rows()).filter((row) => textOf(row) === 'once')).toHaveLength(1)
    expect(other.session.queue.entries).toEqual([])
    expect(server.requests).toHaveLength(2)
  })
})

describe('a provider that fails', () => {
  const faults: readonly [string, TurnSource[], Partial<{ outcome: string; reason: string | null }>, number][] = [
    ['a wrong key', [{ fault: { kind: 'auth' } }], { outcome: 'failed', reason: 'auth' }, 1],
    [
      'a rate limit that passes',
      [{ fault: { kind: 'rate-limit', retryAfterMs: 1 } }, { text: 'ok' }],
      { outcome: 'completed' },
      2
    ],
    [
      'too long a request',
      [{ fault: { kind: 'context-exceeded' } }],
      { outcome: 'failed', reason: 'context_exceeded' },
      1
    ],
    [
      'a dropped connection after text',
      [{ text: 'half an answer that goes on and on', fault: { kind: 'drop', afterBytes: 900 } }],
      { outcome: 'failed', reason: 'network' },
      1
    ],
    [
      'a malformed event',
      [{ text: 'some text here to be cut', fault: { kind: 'malformed-event', afterEvents: 4 } }],
      { outcome: 'failed', reason: 'malformed_stream' },
      1
    ],
    ['an empty answer', [{ text: '' }], { outcome: 'completed' }, 1]
  ]
  for (const [name, turns, expected, requests] of faults) {
    it(`T-4 tells ${name} with what to do and keeps the history consistent`, async () => {
      const { test, server } = await rig([...turns, { text: 'after' }])
      const end = await test.turn('Go')
      expect(end).toMatchObject({ ...expected, requests })
      if (end.outcome === 'failed') {
        expect(end.message).toBeTruthy()
        expect((await test.rows()).at(-1)?.metadata.error?.kind).toBe(expected.reason)
      }
      expect(await test.turn('And now?')).toMatchObject({ outcome: 'completed' })
      expect(server.problems).toEqual([])
    })
  }

  it('T-4 keeps streamed text when the connection drops', async () => {
    const { test } = await rig([{ text: 'kept words '.repeat(40), fault: { kind: 'cut', afterEvents: 20 } }])
    await test.turn('Go')
    expect(textOf((await test.rows())[1])).toContain('kept words')
  })

  it('T-4 retries the failed turn from the rows that are there', async () => {
    const { test, server } = await rig([{ fault: { kind: 'auth' } }, { text: 'works now' }])
    await test.turn('Go')
    const end = test.nextEnd()
    await test.ask('turn.retry', { workspaceId: test.workspaceId })
    expect(await end).toMatchObject({ outcome: 'completed' })
    expect((await test.rows()).map((row) => row.role)).toEqual(['user', 'assistant', 'assistant'])
    expect(server.problems).toEqual([])
  })
})

describe('going on without a new input', () => {
  it('T-4 asks for the rest of an answer that broke off, and says so in one machine row', async () => {
    const { test, server } = await rig([
      { text: 'half an answer '.repeat(20), fault: { kind: 'cut', afterEvents: 12 } },
      { text: 'the other half' }
    ])
    expect(await test.turn('Go')).toMatchObject({ outcome: 'failed', reason: 'malformed_stream' })
    const end = test.nextEnd()
    await test.ask('turn.retry', { workspaceId: test.workspaceId })
    expect(await end).toMatchObject({ outcome: 'completed' })
    const rows = await test.rows()
    expect(rows.map((row) => row.metadata.machine?.type ?? row.role)).toEqual([
      'user',
      'assistant',
      'continue',
      'assistant'
    ])
    expect(server.problems).toEqual([])
  })

  it('T-4 asks nobody where there is nothing to send', async () => {
    const { test, server } = await rig([])
    const end = test.nextEnd()
    await test.ask('turn.retry', { workspaceId: test.workspaceId })
    expect(await end).toMatchObject({ outcome: 'failed', reason: 'nothing_to_send', requests: 0 })
    expect(await test.rows()).toEqual([])
    expect(server.requests).toHaveLength(0)
  })
})

describe('a full window', () => {
  it('P-2 H-12 keeps a message that does not fit as a capsule and calls nobody', async () => {
    const { test, server } = await rig([], {}, { contextLimit: 6_000, maxOutputTokens: 1_000 })
    const end = await test.turn('words and words '.repeat(4_000))
    expect(end).toMatchObject({ outcome: 'context_budget_blocked', reason: 'fresh_request_too_large', requests: 0 })
    expect(server.requests).toHaveLength(0)
    const capsule = (await test.rows())[0]
    expect(capsule).toMatchObject({ role: 'assistant', parts: [], metadata: { machine: { type: 'rejected-input' } } })
    expect(JSON.stringify(capsule?.metadata.machine)).toContain('words and words')
  })

  it('M-5 G-2 stops at the ceiling between steps where automatic is off, and keeps every result', async () => {
    const { test, server } = await rig(
      [{ toolCalls: [{ name: 'bash', input: { command: 'seq 1 9000' } }], usage: { inputTokens: 9_000 } }],
      {},
      { contextLimit: 12_000, maxOutputTokens: 2_000 }
    )
    await test.ask('settings.set', { path: 'autoThreshold', value: 1 })
    const end = await test.turn('Fill it')
    expect(end).toMatchObject({ outcome: 'context_budget_blocked', reason: 'automatic_off', requests: 1 })
    expect(toolPartsOf((await test.rows())[1] as Row)[0]?.state).toBe('output-available')
    expect(server.requests).toHaveLength(1)
  })

  it('G-2 decides nothing where the limit is not known', async () => {
    const { test } = await rig([{ text: 'fine' }])
    expect(await test.turn('words '.repeat(20_000))).toMatchObject({ outcome: 'completed' })
  })
})

describe('watching', () => {
  it('T-3 gives a late watcher a snapshot and then the rest, without gap or duplicate', async () => {
    const held = latch()
    const { test } = await rig([
      {
        text: 'alpha beta gamma delta epsilon',
        delivery: { pieceChars: 6, gate: (index) => (index === 5 ? held.opened : undefined) }
      }
    ])
    const end = test.turn('Greek')
    await test.event('text-delta')
    const late: SessionEvent[] = []
    let expected = 0
    const snapshot = await test.ask('workspace.open', { workspaceId: test.workspaceId })
    test.session.events.subscribe(({ firstSequence, events }) => {
      expect(firstSequence).toBe(expected === 0 ? snapshot.sequence + 1 : expected)
      expected = firstSequence + events.length
      late.push(...events)
    })
    expect(textOf(snapshot.live ?? undefined)).not.toBe('')
    held.open()
    await end
    const rest = late.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
    expect(textOf(snapshot.live ?? undefined) + rest).toBe('alpha beta gamma delta epsilon')
  })

  it('H-13 stores a very long answer as several rows that the next request joins again', async () => {
    const long = 'all work and no play makes a dull row '.repeat(9_000)
    const { test, server } = await rig([{ text: long, delivery: { pieceChars: 20_000 } }, { text: 'ok' }])
    await test.turn('Write a lot')
    const rows = await test.rows()
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.slice(1).map(textOf).join('')).toBe(long)
    expect(rows[2]?.metadata.continues).toBe(rows[1]?.id)
    const page = await test.ask('workspace.open', { workspaceId: test.workspaceId })
    expect(rowsOfLines(page.page.lines).length).toBeGreaterThan(0)
    await test.turn('And?')
    expect(server.problems).toEqual([])
  })
})

function withoutMarks(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value))
  ) as Record<string, unknown>
}
