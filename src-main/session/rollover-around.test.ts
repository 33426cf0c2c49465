// Proves what goes along with a rollover and what follows one that is not answered: the files of a message, entries that
// wait for the person, a provider that fails, watchers and the meter (P-6, R-4, R-7, P-1, M-3).
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import {
  budgetProblemsOf,
  budgetRig,
  bash,
  calls,
  countOf,
  kindsOf,
  lastEnd,
  restarted,
  says,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { noticesOf, wordsOf } from './testing/oversize'
import { pictureOf, watchSession } from './testing/watcher'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const BOUNDARY = ['context-window-rollover', 'context-window-lead-in'] as const

describe('P-6 a message that brings files along', () => {
  it('takes them into the fresh window, before itself, in the one batch', async () => {
    const { test, server } = await budgetRig(toClose, [says('One.', 15_200)])
    test.writeProject('notes.txt', 'the mast is green')
    await work(test, 'First')
    await work(test, 'What colour? @notes.txt')
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant', ...BOUNDARY, 'prelude', 'person', 'assistant'])
    expect(rows[5]?.metadata.rolloverId).toBe(rows[2]?.metadata.machine?.['rolloverId'])
    expect(server.requests[1]?.rawBody).toContain('the mast is green')
    expect(budgetProblemsOf(rows)).toEqual([])
  })

  it('seals nothing where they do not fit a fresh window, and can be sent without them', async () => {
    const { test, server } = await budgetRig(toClose, [says('One.', 15_200)])
    for (const name of ['a', 'b', 'c']) test.writeProject(`${name}.txt`, wordsOf(4_000))
    await work(test, 'First')
    expect(await work(test, 'Compare @a.txt @b.txt @c.txt')).toMatchObject({
      outcome: 'context_budget_blocked',
      reason: 'fresh_request_too_large'
    })
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant', 'rejected-input'])
    expect(JSON.stringify(rows)).not.toContain('w7919')
    expect(server.requests).toHaveLength(1)
    expect(await work(test, 'Never mind')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
  })
})

describe('a fresh window whose first request is not answered', () => {
  it('P-1 is gone on in by a retry, with no second boundary', async () => {
    const { test, server } = await budgetRig(toClose, [says('One.', 15_200), { fault: { kind: 'auth' } }, says('Two.')])
    await work(test, 'First')
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'failed', reason: 'auth' })
    const from = test.events.length
    await test.ask('turn.retry', { workspaceId: test.workspaceId })
    expect(await lastEnd(test, from)).toMatchObject({ outcome: 'completed' })
    const rows = storedRows(test)
    expect(countOf(rows, 'context-window-rollover')).toBe(1)
    expect(rows.filter((row) => textOf(row) === 'Second')).toHaveLength(1)
    expect(budgetProblemsOf(rows)).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('P-7 is final where the provider finds even that too long, and the next message works', async () => {
    const tooLong = { fault: { kind: 'context-exceeded' } } as const
    const { test, server } = await budgetRig(toClose, [says('One.', 15_200), tooLong])
    await work(test, 'First')
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'failed', reason: 'context_exceeded' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
    expect(server.requests).toHaveLength(2)
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'completed' })
    expect(budgetProblemsOf(storedRows(test))).toEqual([])
  })
})

it('M-3 leaves entries that wait for the person where they are: the Continue carries the rollover', async () => {
  const { test } = await budgetRig(toClose, [{ fault: { kind: 'auth' } }, calls(15_200, bash('echo a'))])
  await Promise.all([test.send('First'), test.send('Held', 'turn-end')])
  while (test.session.busy) await test.nextEnd()
  expect(test.session.queue.entries.map(({ text, held }) => [text, held])).toEqual([['Held', true]])
  await work(test, 'Do the work')
  expect(test.session.queue.entries.map(({ text, held }) => [text, held])).toEqual([['Held', true]])
  expect(kindsOf(storedRows(test)).slice(-4)).toEqual([...BOUNDARY, 'continue', 'assistant'])
})

it('R-7 says once that one answer filled a window, and how to get out of that', async () => {
  const { test } = await budgetRig(toClose, [calls(15_200, bash('echo a')), calls(15_200, bash('echo b'))])
  await work(test, 'First')
  const told = noticesOf(test).filter((message) => message.includes('One answer filled a whole context window'))
  expect(told).toEqual([expect.stringContaining('Take a model with a larger window')])
})

it('R-4 tells of rows that are on disk already, and shows the meter of the fresh window', async () => {
  const { test } = await budgetRig(toClose, [calls(15_200, bash('echo a')), says('Done.', 3_000)])
  const unstored: string[] = []
  test.session.events.subscribe(({ events }) => {
    for (const event of events)
      if (event.type === 'row-appended' && !storedRows(test).some(({ id }) => id === event.row.id))
        unstored.push(event.row.id)
  })
  const watcher = await watchSession(test.session)
  await work(test, 'Do the work')
  test.session.events.flush()
  expect(unstored).toEqual([])
  expect(watcher.problems).toEqual([])
  const snapshot = await test.ask('workspace.open', { workspaceId: test.workspaceId })
  expect(watcher.picture).toEqual(pictureOf(snapshot))
  const boundary = storedRows(test).find((row) => rowKindOf(row) === 'context-window-rollover')
  expect(snapshot.usage).toMatchObject({
    windowId: `w:${boundary?.metadata.historySequence}`,
    contextTokens: 3_050,
    atEnd: 'rolls over'
  })
  watcher.stop()
})

it('X-1 shows a turn that was cut off before its Continue as paused after a restart, and rolls over with the next message', async () => {
  const { test, server } = await budgetRig(toClose, [calls(15_200, bash('echo once >> ran.txt'))])
  // Closed the moment that its answer is recorded: what was latched and queued lives in memory alone.
  const closed = new Promise<void>((resolve) => {
    test.session.events.subscribe(({ events }) => {
      if (events.some(({ type }) => type === 'budget')) void test.app.close().then(resolve)
    })
  })
  await test.send('Do the work')
  await closed
  const again = await restarted(toClose, { test, server })
  const found = storedRows(test)
  const snapshot = await again.test.ask('workspace.open', { workspaceId: test.workspaceId })
  expect([snapshot.status.phase, snapshot.queue]).toEqual(['idle', []])
  await work(again.test, 'Go on')
  const rows = storedRows(test)
  expect(budgetProblemsOf(rows)).toEqual([])
  expect(countOf(rows, 'context-window-rollover')).toBe(1)
  expect(rows.slice(0, found.length)).toEqual(found)
  expect(readFileSync(`${test.project}/ran.txt`, 'utf8')).toBe('once\n')
})
