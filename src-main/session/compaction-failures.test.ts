// Proves that a summary which cannot be had costs nothing (C-1, C-2, C-5): the old window stays, the person's message is
// answered, nothing runs or counts twice, and nothing is tried for ever.
import { describe, expect, it } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import { bash, calls, countOf, kindsOf, lastEnd, restarted, says, storedRows, textOf, work } from './testing/budget-rig'
import { inForm } from '../history/testing/long-form'
import { createManualClock } from '../provider/testing/manual-clock'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import { noticesOf } from './testing/oversize'
import { compactionProblemsOf, LONG, ranIn, saidBy, summarisingRig } from './testing/summarising-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

interface Failure {
  /** Answers of the provider, the retries of ours included. */
  readonly answers: readonly ScriptedTurn[]
  readonly reason: string
}

const again = (turn: ScriptedTurn, times: number): ScriptedTurn[] => Array.from({ length: times }, () => turn)
const FAILURES: Readonly<Record<string, Failure>> = {
  'is refused for its rate until we give up': {
    answers: again({ fault: { kind: 'rate-limit' } }, 4),
    reason: 'rate_limit'
  },
  'is dropped by the network, each time': { answers: again({ fault: { kind: 'drop' } }, 4), reason: 'network' },
  'breaks off in the middle': {
    answers: [{ ...says('Half a'), fault: { kind: 'cut', afterEvents: 4 } }],
    reason: 'malformed_stream'
  },
  'says nothing': { answers: [{ text: '' }], reason: 'provider' },
  'says blanks': { answers: [says(' \n ')], reason: 'provider' },
  'thinks and does not speak': { answers: [{ thinking: 'Let me see what there was.' }], reason: 'provider' },
  'calls a tool in its place': { answers: [calls(3_000, bash('echo ran >> ran.txt'))], reason: 'provider' },
  'is longer than the conversation': { answers: [says(LONG.repeat(8))], reason: 'provider' },
  'is cut at the output limit': { answers: [{ ...says('Half'), cutAtLimit: true }], reason: 'output_limit' },
  'is refused for its content': { answers: [{ refusal: 'No.' }], reason: 'content_filter' },
  'is too long for the provider': { answers: [{ fault: { kind: 'context-exceeded' } }], reason: 'context_exceeded' }
}
const NAMES = Object.keys(FAILURES).filter((_, index) => index % inForm({ quick: 4, full: 1, long: 1 }) === 0)
const failureOf = (name: string): Failure => FAILURES[name] ?? { answers: [], reason: '' }

/** Sleeps of retries end at once; watches that must not end are longer. */
const instantly = () => ({ clock: createManualClock(undefined, 20_000) })

describe.each(NAMES)('a summary that %s', (name) => {
  const { answers, reason } = failureOf(name)

  it('C-1 C-5 leaves the old window in force at /compact', async () => {
    const { test, server } = await summarisingRig(toClose, [says('One.'), ...answers], instantly())
    await work(test, LONG)
    const windowId = test.session.store.currentWindowId
    expect(await work(test, '/compact')).toMatchObject({
      outcome: 'failed',
      reason,
      windowId,
      requests: answers.length
    })
    expect(test.events.filter(({ type }) => type === 'row-appended')).toHaveLength(3)
    expect(await work(test, 'Go on')).toMatchObject({ outcome: 'completed', windowId, requests: 1 })
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant', 'compaction-request', 'person', 'assistant'])
    expect(compactionProblemsOf(rows)).toEqual([])
    expect([ranIn(test), server.problems]).toEqual([0, []])
    expect(server.requests.at(-1)?.rawBody).toContain('Look at the parser')
    expect(server.requests.at(-1)?.rawBody).not.toContain('Summarise this conversation')
  })

  it('C-2 is told once, and the message is answered in the old window', async () => {
    const turns = [says('One.', 15_100), ...answers, says('Two.', 15_200), says('Three.', 15_300)]
    const { test, server } = await summarisingRig(toClose, turns, instantly())
    await work(test, LONG)
    const windowId = test.session.store.currentWindowId
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed', windowId, requests: answers.length + 1 })
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'completed', windowId, requests: 1 })
    const rows = storedRows(test)
    expect(rows.map(textOf).filter((text) => /^(One|Two|Three)\.$/.test(text))).toEqual(['One.', 'Two.', 'Three.'])
    expect(saidBy(test, rows)).toEqual([LONG, 'Second', 'Third'])
    expect(compactionProblemsOf(rows)).toEqual([])
    expect([countOf(rows, 'compaction-request'), ranIn(test), server.problems]).toEqual([1, 0, []])
    expect(noticesOf(test).filter((text) => text.includes('could not be summarised'))).toHaveLength(1)
  })

  it('C-2 stops no task: it goes on from its step with every result, once', async () => {
    const turns = [
      calls(15_100, bash('echo ran >> ran.txt'), bash('echo two')),
      ...answers,
      calls(15_400, bash('echo three')),
      says('Done.', 15_500)
    ]
    const { test, server } = await summarisingRig(toClose, turns, instantly())
    await work(test, LONG)
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant', 'compaction-request', 'continue', 'assistant'])
    expect(textOf(rows.at(-1))).toBe('Done.')
    expect(compactionProblemsOf(rows)).toEqual([])
    expect([ranIn(test), server.requests.length, server.problems]).toEqual([1, answers.length + 3, []])
  })
})

describe('C-2 with messages that wait', () => {
  it.each(['says nothing', 'is refused for its rate until we give up'])(
    'each is answered once and in order where the summary %s',
    async (name) => {
      const { answers } = failureOf(name)
      const first = async (): Promise<ScriptedTurn> => {
        await made.test.send('Second')
        await made.test.send('Third', 'turn-end')
        return calls(15_100, bash('echo ran >> ran.txt'))
      }
      const turns = [first, ...answers, says('Two.', 15_200), says('Three.', 15_300)]
      const made = await summarisingRig(toClose, turns, instantly())
      const { test, server } = made
      await work(test, LONG)
      while (test.session.busy || test.session.queue.entries.length > 0) await test.nextEnd()
      const rows = storedRows(test)
      expect(kindsOf(rows).filter((kind) => kind !== 'compaction-request')).toEqual([
        'person',
        'assistant',
        'person',
        'assistant',
        'person',
        'assistant'
      ])
      expect(saidBy(test, rows)).toEqual([LONG, 'Second', 'Third'])
      expect(compactionProblemsOf(rows)).toEqual([])
      expect([countOf(rows, 'continue'), ranIn(test), server.problems]).toEqual([0, 1, []])
    }
  )
})

describe('C-1 C-2 a summary that the person stops', () => {
  const held: ScriptedTurn = { ...says('Half of a summary'), fault: { kind: 'hang', afterEvents: 4 } }

  it.each([
    ['before a message', [says('One.', 15_100), held], ['person', 'assistant', 'compaction-request'], ['Second']],
    [
      'in the middle of a task',
      [calls(15_100, bash('echo ran >> ran.txt')), held],
      ['person', 'assistant', 'compaction-request'],
      []
    ]
  ] as const)(
    'leaves nothing of it %s, holds what waits, and what follows is answered',
    async (_name, turns, kinds, waits) => {
      const { test, server } = await summarisingRig(toClose, turns)
      const isTask = waits.length === 0
      if (!isTask) await work(test, LONG)
      await test.send(isTask ? LONG : 'Second')
      await test.event('text-delta', ({ text }) => text.startsWith('Half'))
      await test.session.interrupt()
      expect(test.session.busy).toBe(false)
      expect(kindsOf(storedRows(test))).toEqual(kinds)
      expect(test.session.queue.entries.map(({ text, held: isHeld, source }) => [text, isHeld, source])).toEqual(
        waits.map((text) => [text, true, 'person'])
      )
      const requests = server.requests.length
      expect(test.events.at(-1)).toMatchObject({ type: 'turn-ended', outcome: 'interrupted', continues: false })
      for (const { id } of test.session.queue.entries) {
        const from = test.events.length
        await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: id })
        expect(await lastEnd(test, from)).toMatchObject({ outcome: 'completed' })
      }
      expect(await work(test, 'Still there?')).toMatchObject({ outcome: 'completed' })
      expect(server.requests.length).toBeGreaterThan(requests)
      const rows = storedRows(test)
      expect(saidBy(test, rows)).toEqual([LONG, ...waits, 'Still there?'])
      expect(compactionProblemsOf(rows)).toEqual([])
      expect(rows.map(textOf).join()).not.toContain('Half of a summary')
      expect([ranIn(test), server.problems]).toEqual([isTask ? 1 : 0, []])
    }
  )

  it('ends a retry that waits, without another request', async () => {
    const clock = createManualClock()
    const { test, server } = await summarisingRig(
      toClose,
      [says('One.'), { fault: { kind: 'rate-limit', retryAfterMs: 7_000 } }],
      { clock }
    )
    await work(test, LONG)
    const end = test.nextEnd()
    await test.send('/compact')
    await clock.sleeping(7_000)
    await test.session.interrupt()
    expect(await end).toMatchObject({ outcome: 'interrupted', requests: 1 })
    expect(server.requests).toHaveLength(2)
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant', 'compaction-request'])
  })
})

describe('C-2 a summary that makes no room', () => {
  // The provider counts more than we do, so that each window is as full as the one before.
  const steps = (many: number): ScriptedTurn[] =>
    Array.from({ length: many }, (_, index) => calls(15_100 + index, bash('echo ran >> ran.txt')))

  it('is asked for once in a task, not at each of its steps; told once, also after a restart', async () => {
    const [first, ...others] = steps(6)
    const turns = [first ?? says(''), says('SUMMARY'), ...others, says('Done.', 15_200)]
    const made = await summarisingRig(toClose, turns)
    await work(made.test, LONG)
    expect(textOf(storedRows(made.test).at(-1))).toBe('Done.')
    expect(noticesOf(made.test).filter((text) => text.includes('goes on as it is'))).toHaveLength(1)
    await made.test.app.close()
    const { test, server } = await restarted(toClose, made)
    expect(await work(test, 'And now?')).toMatchObject({ outcome: 'completed', requests: 1 })
    const rows = storedRows(test)
    expect([countOf(rows, 'compaction-request'), countOf(rows, 'continue'), ranIn(test)]).toEqual([1, 2, 6])
    expect(compactionProblemsOf(rows)).toEqual([])
    expect(server.problems).toEqual([])
  })

  it('is asked for again once the window grew by something that it can leave out', async () => {
    const [first] = steps(1)
    const turns = [first ?? says(''), says('SUMMARY'), says('Done.', 9_000), says('More.', 15_200), says('SECOND')]
    const { test } = await summarisingRig(toClose, turns)
    for (const text of [LONG, `${LONG} Second`, `${LONG} Third`]) await work(test, text)
    expect(
      storedRows(test)
        .filter((row) => rowKindOf(row) === 'compaction-summary')
        .map(textOf)
    ).toEqual(['SUMMARY', 'SECOND'])
  })
})
