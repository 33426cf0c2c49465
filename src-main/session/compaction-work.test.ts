// Proves what goes on around a compaction (C-1, C-2, T-2): a task of several windows, what waits behind it, a fork while
// it streams, and each protocol.
import { describe, expect, it } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import { replayOf } from '../context/testing/replay-of'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedTurn, WireProtocol } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import {
  bash,
  calls,
  kindsOf,
  lastEnd,
  restarted,
  says,
  SMALL_MODEL,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { pictureOf, watchSession } from './testing/watcher'
import { compactionProblemsOf, LONG, ranIn, saidBy, summarisingRig } from './testing/summarising-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

it('C-2 a task goes on through several windows, each step once, to its one end', async () => {
  const run = (inputTokens: number): ScriptedTurn =>
    calls(inputTokens, bash('echo ran >> ran.txt'), bash('echo beside'))
  const turns = [run(15_100), says('FIRST'), run(4_000), run(15_200), says('SECOND'), run(5_000), says('Done.', 6_000)]
  const { test, server } = await summarisingRig(toClose, turns)
  expect(await work(test, LONG)).toMatchObject({ outcome: 'completed' })
  const rows = storedRows(test)
  const window = ['compaction-request', 'compaction-summary', 'continue', 'assistant']
  expect(kindsOf(rows)).toEqual(['person', 'assistant', ...window, ...window])
  expect([ranIn(test), server.requests.length, textOf(rows.at(-1))]).toEqual([4, 7, 'Done.'])
  expect(server.requests[5]?.rawBody).toContain('SECOND')
  expect(server.requests[5]?.rawBody).not.toContain('FIRST')
  expect([...compactionProblemsOf(rows), ...server.problems]).toEqual([])
  expect((await replayOf(test)).summary.differing).toBe(0)
})

it('C-1 C-2 a step of results that are larger than the window ends no conversation', async () => {
  const giant = calls(4_000, ...[1, 2, 3].map(() => bash('echo ran >> ran.txt; seq 1 20000 | head -c 31000')))
  const { test, server } = await summarisingRig(toClose, [giant, says('SUMMARY'), says('Done.')])
  await work(test, LONG)
  expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed' })
  const rows = storedRows(test)
  expect(kindsOf(rows)).not.toContain('rejected-input')
  expect([ranIn(test), saidBy(test, rows)]).toEqual([3, [LONG, 'Second']])
  expect([...compactionProblemsOf(rows), ...server.problems]).toEqual([])
  expect((await replayOf(test)).summary).toMatchObject({ differing: 0 })
})

it('C-1 T-2 what waits behind a /compact that fails is held, kept over a restart, and sent into the old window', async () => {
  const held = { ...says('  '), delivery: { delayMs: 20 } }
  const made = await summarisingRig(toClose, [says('One.'), held, says('Two.')])
  await work(made.test, LONG)
  const end = made.test.nextEnd()
  await made.test.send('/compact')
  await made.test.send('Second')
  expect(await end).toMatchObject({ outcome: 'failed', continues: false })
  expect(made.test.session.queue.entries).toMatchObject([{ text: 'Second', held: true }])
  await made.test.app.close()
  const { test, server } = await restarted(toClose, made)
  const [entry] = test.session.queue.entries
  const from = test.events.length
  await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: entry?.id ?? '' })
  expect(await lastEnd(test, from)).toMatchObject({ outcome: 'completed' })
  expect(saidBy(test, storedRows(test))).toEqual([LONG, 'Second'])
  expect(server.requests[2]?.rawBody).toContain('Look at the parser')
  expect(server.problems).toEqual([])
})

it('C-1 H-10 a fork while the summary streams has the old window whole, and does not disturb it', async () => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const slow: ScriptedTurn = { ...says('SUMMARY'), delivery: { gate: (index) => (index === 3 ? gate : undefined) } }
  const made = await summarisingRig(toClose, [says('One.'), slow, says('In the fork.')])
  const { test, server } = made
  await work(test, LONG)
  const end = test.nextEnd()
  await test.send('/compact')
  await test.event(
    'live-started',
    ({ row }) => test.events.filter(({ type }) => type === 'live-started').length === 2 && row.parts.length === 0
  )
  const { workspace } = await test.ask('row.fork', { workspaceId: test.workspaceId, rowId: null })
  open()
  expect(await end).toMatchObject({ outcome: 'completed' })
  expect(kindsOf(await test.rows())).toEqual(['compaction-summary'])
  await test.app.close()
  const fork = await restarted(toClose, { ...made, test: { ...test, workspaceId: workspace.workspaceId } })
  expect(await work(fork.test, 'Second')).toMatchObject({ outcome: 'completed' })
  expect(kindsOf(await fork.test.rows())).toEqual(['person', 'assistant', 'compaction-request', 'person', 'assistant'])
  expect(server.requests[2]?.rawBody).toContain('Look at the parser')
  expect(server.requests[2]?.rawBody).not.toContain('Summarise this conversation')
  expect(server.problems).toEqual([])
  expect((await replayOf(fork.test)).summary).toMatchObject({ requests: 1, differing: 0 })
})

describe('C-2 O-4 P-6 what a message brings along', () => {
  const MENTIONED = 'The words of the file.'

  it.each([
    ['where the summary comes', 'SUMMARY', 1],
    ['where it does not, beside what was told before', '', 2]
  ])('is looked at for the window that it goes to, once, %s', async (_name, summary, times) => {
    const turns = [says('One.', 15_100), says(summary, 15_100), says('Two.', 4_000)]
    const { test, server } = await summarisingRig(toClose, turns)
    test.writeProject('first.txt', MENTIONED)
    test.writeProject('second.txt', 'Other words.')
    await work(test, `${LONG} @first.txt`)
    await work(test, 'Again @first.txt and @second.txt')
    const sent = server.requests[2]?.rawBody ?? ''
    expect(sent.split(MENTIONED).length - 1).toBe(times)
    expect(sent.split('Other words.').length - 1).toBe(1)
    expect([...compactionProblemsOf(storedRows(test)), ...server.problems]).toEqual([])
    expect((await replayOf(test)).summary.differing).toBe(0)
  })

  it('is told of a change outside once, in the window that knew the file', async () => {
    const read: ScriptedTurn = calls(14_000, { name: 'file_read', input: { path: 'first.txt' } })
    const turns = [read, says('One.', 15_100), says(''), says('Two.', 15_200), says('Three.', 15_300)]
    const { test, server } = await summarisingRig(toClose, turns)
    test.writeProject('first.txt', MENTIONED)
    await work(test, LONG)
    test.writeProject('first.txt', 'Changed outside.')
    await work(test, 'Second')
    await work(test, 'Third')
    expect(kindsOf(storedRows(test)).filter((kind) => kind === 'file-change-notice')).toHaveLength(1)
    expect(server.requests[3]?.rawBody).toContain('first.txt')
    expect(server.problems).toEqual([])
  })
})

it.each([
  ['that comes', says('SUMMARY')],
  ['that does not', says('')],
  ['that breaks off', { ...says('Half of a summary'), fault: { kind: 'cut', afterEvents: 4 } }]
] as const)(
  'T-3 H-14 whoever watches a summary %s pictures what is there, whenever they came',
  async (_name, summary) => {
    const turns = [says('One.', 15_100), { ...summary, delivery: { delayMs: 5 } }, says('Two.', 15_200)]
    const { test } = await summarisingRig(toClose, turns)
    test.writeProject(`.tidemark/plans/${test.workspaceId}.md`, 'The plan.')
    const watchers = [await watchSession(test.session)]
    await work(test, LONG)
    watchers.push(await watchSession(test.session))
    const done = work(test, 'Second')
    await test.event('row-appended', ({ row }) => rowKindOf(row) === 'compaction-request')
    watchers.push(await watchSession(test.session))
    await done
    watchers.push(await watchSession(test.session))
    test.session.events.flush()
    const snapshot = await test.session.snapshot()
    const truth = snapshot.ok ? pictureOf(snapshot.value) : null
    expect(JSON.stringify(truth)).not.toContain('The plan.')
    for (const { picture, problems } of watchers) {
      expect(problems).toEqual([])
      expect(picture).toEqual(truth)
    }
  }
)

describe('C-1 L-4 every protocol', () => {
  it.each<WireProtocol>(['anthropic', 'chat', 'responses', 'google'])(
    '%s takes the wish and what follows the summary',
    async (protocol) => {
      const thinking = 'I look first.'
      const server = await startScriptedServer({
        turns: [
          { ...calls(3_000, bash('echo one'), bash('echo two')), thinking },
          { ...says('One.'), thinking },
          { ...says('SUMMARY'), thinking },
          { ...calls(3_000, bash('echo three')), thinking },
          says('Two.'),
          says('SECOND'),
          says('Three.')
        ]
      })
      toClose.push(server)
      const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
      const providers = [scriptedEntry(protocol, baseUrl, SMALL_MODEL)]
      const test = await startTestApp({ providers, model: `${protocol}:${SMALL_MODEL.id}`, personPresent: false })
      toClose.push(test)
      test.writeProject(`.tidemark/plans/${test.workspaceId}.md`, 'The plan.')
      await work(test, LONG)
      for (const text of ['/compact', 'Second', '/compact', 'Third'])
        expect(await work(test, text), text).toMatchObject({ outcome: 'completed' })
      expect(server.problems).toEqual([])
      expect(
        storedRows(test)
          .filter((row) => rowKindOf(row) === 'compaction-summary')
          .map(textOf)
      ).toEqual(['SUMMARY', 'SECOND'])
      expect((await replayOf(test)).summary).toMatchObject({ requests: 7, differing: 0 })
    }
  )
})
