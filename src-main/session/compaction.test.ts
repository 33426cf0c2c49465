// Proves compaction through the whole app: real files and a loopback provider.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Row } from '@common/rows/row-schema'
import type { ScriptedTurn, TurnSource } from '../provider/testing/scripted-turn'
import type { TestApp } from '../testing/test-app'
import { bash, calls, kindsOf, says, storedRows, work } from './testing/budget-rig'
import { LONG, summarisingRig } from './testing/summarising-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const rig = (turns: readonly TurnSource[]) => summarisingRig(toClose, turns)
const kinds = async (test: TestApp): Promise<string[]> => kindsOf(storedRows(test))
const boundaryOf = async (test: TestApp): Promise<Row | undefined> => (await test.rows())[0]

describe('/compact', () => {
  it('C-1 C-5 K-1 makes the summary the boundary, and sends it with what it carries from then on', async () => {
    const { server, test } = await rig([says('one'), says('SUMMARY of it'), says('two'), says('three')])
    const plan = path.join(test.project, '.tidemark/plans')
    mkdirSync(plan, { recursive: true })
    writeFileSync(path.join(plan, `${test.workspaceId}.md`), '# The plan\n1. Tests')
    await work(test, LONG)
    expect(await work(test, '/compact the parser')).toMatchObject({ outcome: 'completed', requests: 1 })
    expect(await kinds(test)).toEqual(['person', 'assistant', 'compaction-request', 'compaction-summary'])
    const boundary = await boundaryOf(test)
    expect(boundary?.metadata).toMatchObject({
      contextBoundaryKind: 'compaction',
      compaction: { reason: 'manual', trimmedRows: 0 },
      postCompactionContext: { text: expect.stringContaining('1. Tests'), plan: { content: '# The plan\n1. Tests' } }
    })
    const wish = server.requests[1]
    expect(wish?.rawBody).toContain('the parser')
    // As in the turns before it: another choice would cost Anthropic's cache of all messages.
    expect(wish?.body['tool_choice']).toEqual({ type: 'auto' })
    await work(test, 'Go on')
    await work(test, 'And on')
    const [, , third, fourth] = server.requests
    for (const request of [third, fourth]) {
      expect(request?.rawBody).toContain('SUMMARY of it')
      expect(request?.rawBody).toContain('# The plan')
      expect(request?.rawBody).not.toContain('Look at the parser')
      expect(request?.rawBody).not.toContain('Summarise this conversation')
    }
    expect(server.problems).toEqual([])
    // K-2: the header never crosses to a watcher.
    expect(JSON.stringify(test.events).includes('postCompactionContext')).toBe(false)
    const raw = await test.ask('row.raw', { workspaceId: test.workspaceId, rowId: boundary?.id ?? '' })
    expect(raw.json).toContain('SUMMARY of it')
    expect(raw.json).not.toContain('postCompactionContext')
  })

  it('C-1 puts a message that comes meanwhile behind it', async () => {
    const { test, server } = await rig([says('one'), { ...says('SUMMARY'), delivery: { delayMs: 20 } }, says('two')])
    await work(test, LONG)
    const done = test.nextEnd()
    await test.send('/compact')
    await test.send('Next')
    await done
    await test.event('turn-ended', (end) => end.requests === 1 && server.requests.length === 3)
    expect(await kinds(test)).toEqual([
      'person',
      'assistant',
      'compaction-request',
      'compaction-summary',
      'person',
      'assistant'
    ])
  })

  it.each([
    ['returns nothing', { text: ' ' }, 'provider'],
    ['returns more than it got', says('x y z '.repeat(3_000)), 'provider'],
    ['is refused', { refusal: 'No.' } satisfies ScriptedTurn, 'content_filter'],
    ['overflows itself', { fault: { kind: 'context-exceeded' } } satisfies ScriptedTurn, 'context_exceeded'],
    ['is cut', { ...says('half'), cutAtLimit: true }, 'output_limit']
  ])('C-5 keeps the old window where the summary %s', async (_name, turn, reason) => {
    const { test, server } = await rig([says('one'), turn, says('two')])
    await work(test, LONG)
    expect(await work(test, '/compact')).toMatchObject({ outcome: 'failed', reason })
    expect(await kinds(test)).toEqual(['person', 'assistant', 'compaction-request'])
    expect((await test.rows()).at(-1)?.metadata.error).toMatchObject({ kind: reason })
    expect(test.events.some((event) => event.type === 'row-updated')).toBe(true)
    expect(await work(test, 'Go on')).toMatchObject({ outcome: 'completed' })
    expect(server.requests.at(-1)?.rawBody).toContain('Look at the parser')
    expect(server.requests.at(-1)?.rawBody).not.toContain('Summarise this conversation')
  })

  it('C-1 keeps the old window where the person stops it', async () => {
    const { test } = await rig([says('one'), { fault: { kind: 'hang', afterEvents: 3 } }, says('two')])
    await work(test, LONG)
    const done = test.nextEnd()
    await test.send('/compact')
    await test.event(
      'live-started',
      (event) => event.row.id !== test.events.find((e) => e.type === 'live-started')?.row.id
    )
    await test.session.interrupt()
    expect(await done).toMatchObject({ outcome: 'interrupted' })
    expect(await kinds(test)).toEqual(['person', 'assistant', 'compaction-request'])
    expect((await test.rows()).at(-1)?.metadata.interrupted).toBe(true)
    expect(await work(test, 'Go on')).toMatchObject({ outcome: 'completed' })
  })

  it('C-1 says that there is nothing to compact yet', async () => {
    const { test, server } = await rig([])
    expect(await work(test, '/compact')).toMatchObject({ outcome: 'failed', reason: 'nothing_to_compact' })
    expect(server.requests).toHaveLength(0)
  })
})

describe('automatic compaction', () => {
  it('C-2 compacts before the message is sent, and sends it then', async () => {
    const { server, test } = await rig([says('one', 15_100), says('SUMMARY'), says('two')])
    await work(test, LONG)
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed', requests: 2 })
    expect(await kinds(test)).toEqual([
      'person',
      'assistant',
      'compaction-request',
      'compaction-summary',
      'person',
      'assistant'
    ])
    expect(server.requests[2]?.rawBody).toContain('Second')
    expect(server.requests[2]?.rawBody).not.toContain('Look at the parser')
  })

  it('C-2 compacts at a settled step and carries the work on, without doing anything twice', async () => {
    const { server, test } = await rig([calls(15_100, bash('echo once >> log')), says('SUMMARY'), says('done')])
    expect(await work(test, LONG)).toMatchObject({ outcome: 'completed' })
    expect(await kinds(test)).toEqual([
      'person',
      'assistant',
      'compaction-request',
      'compaction-summary',
      'continue',
      'assistant'
    ])
    expect(server.problems).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('C-2 answers the message in the old window where the summary fails, and does not try again below the ceiling', async () => {
    const { server, test } = await rig([says('one', 15_100), { text: '' }, says('two', 15_200), says('three', 15_300)])
    await work(test, LONG)
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed' })
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'completed' })
    expect(server.requests).toHaveLength(4)
    expect(server.requests[2]?.rawBody).toContain('Look at the parser')
  })
})
