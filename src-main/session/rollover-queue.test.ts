// Proves what carries on a turn that stopped for its window (M-3, M-4): whatever waits, once, else one Continue.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import type { TestApp } from '../testing/test-app'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  countOf,
  kindsOf,
  lastEnd,
  says,
  storedRows,
  textOf
} from './testing/budget-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

type Mode = 'tool-end' | 'turn-end'

/** A turn that stops after its first step, while these messages wait. */
async function stopped(inputTokens: number, ...waiting: readonly Mode[]): Promise<BudgetRig> {
  const first = async (): Promise<ScriptedTurn> => {
    for (const [index, mode] of waiting.entries()) await made.test.send(`Waiting ${index}`, mode)
    return calls(inputTokens, bash('echo once >> ran.txt'))
  }
  const made: BudgetRig = await budgetRig(toClose, [first])
  const from = made.test.events.length
  await made.test.send('Do the work')
  await lastEnd(made.test, from)
  while (made.test.session.busy || made.test.session.queue.entries.length > 0) await made.test.nextEnd()
  expect(made.server.problems).toEqual([])
  expect(budgetProblemsOf(storedRows(made.test))).toEqual([])
  expect(ranIn(made.test)).toBe(1)
  return made
}

function ranIn({ project }: TestApp): number {
  const file = path.join(project, 'ran.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

const BOUNDARY = ['context-window-rollover', 'context-window-lead-in'] as const

describe('M-3 a rollover in the middle of a turn', () => {
  it('is carried by one Continue where nothing waits', async () => {
    const { test, server } = await stopped(15_200)
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant', ...BOUNDARY, 'continue', 'assistant'])
    expect(server.requests).toHaveLength(2)
  })

  it.each(['tool-end', 'turn-end'] as const)(
    'is carried by the one entry that waits, also for the turn’s end: %s',
    async (mode) => {
      const { test, server } = await stopped(15_200, mode)
      const rows = storedRows(test)
      expect(kindsOf(rows)).toEqual(['person', 'assistant', ...BOUNDARY, 'person', 'assistant'])
      expect(rows[2]?.metadata.machine).toMatchObject({ reason: 'mid-stream' })
      expect([textOf(rows[4]), rows[4]?.metadata.rolloverId]).toEqual([
        'Waiting 0',
        rows[2]?.metadata.machine?.['rolloverId']
      ])
      // the request that was interrupted is named, beside the message that follows.
      expect(textOf(rows[3])).toContain('Do the work')
      expect(server.requests).toHaveLength(2)
    }
  )

  it.each([
    ['turn-end', 'turn-end'],
    ['turn-end', 'tool-end'],
    ['tool-end', 'turn-end']
  ] as const)(
    'is carried by the first of two, and the second follows in the same fresh window: %s, %s',
    async (first, second) => {
      const { test, server } = await stopped(15_200, first, second)
      const rows = storedRows(test)
      expect(countOf(rows, 'context-window-rollover')).toBe(1)
      expect(countOf(rows, 'continue')).toBe(0)
      expect(kindsOf(rows).slice(2)).toEqual([...BOUNDARY, 'person', 'assistant', 'person', 'assistant'])
      expect(
        rows
          .flatMap((row) => (row.role === 'user' ? [textOf(row)] : []))
          .filter((text) => text.startsWith('Waiting'))
          .toSorted()
      ).toEqual(['Waiting 0', 'Waiting 1'])
      expect(server.requests).toHaveLength(3)
    }
  )

  it('waits for every call of the step, of which the last passes the point', async () => {
    const batch = calls(
      8_000,
      bash('echo one >> ran.txt'),
      bash('sleep 0.1; echo two >> ran.txt'),
      bash('echo three >> ran.txt; head -c 31000 /dev/zero | tr "\\0" x')
    )
    const { test, server } = await budgetRig(toClose, [batch])
    const from = test.events.length
    await test.send('Do the work')
    await lastEnd(test, from)
    const rows = storedRows(test)
    expect(budgetProblemsOf(rows)).toEqual([])
    expect(kindsOf(rows)).toEqual(['person', 'assistant', ...BOUNDARY, 'continue', 'assistant'])
    expect(rows.flatMap(toolPartsOf).map(({ state }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'output-available')
    )
    expect(ranIn(test)).toBe(3)
    // it says how the long result is fetched.
    expect(textOf(rows[3])).toContain(`"item_id": "i:${rows[1]?.metadata.historySequence}"`)
    // not one byte of the sealed window is sent.
    expect(server.requests[1]?.rawBody).not.toContain('xxxxxxxx')
  })

  it('E-2 gives no warning before one giant result, and says that there was no chance to write notes', async () => {
    const giant = calls(
      9_100,
      bash('echo once >> ran.txt; head -c 32000 /dev/zero | tr "\\0" x; head -c 90000 /dev/zero | tr "\\0" y')
    )
    const { test } = await budgetRig(toClose, [{ ...giant, usage: { ...giant.usage, inputTokens: 12_000 } }])
    const from = test.events.length
    await test.send('Do the work')
    await lastEnd(test, from)
    const rows = storedRows(test)
    expect(countOf(rows, 'context-budget-warning')).toBe(0)
    expect(rows[2]?.metadata.machine).toMatchObject({ reason: 'mid-stream', flushOpportunity: false })
  })
})

describe('M-4 a warning in the middle of a turn', () => {
  it('goes right before one Continue where nothing waits, tied to it', async () => {
    const { test } = await stopped(9_500)
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant', 'context-budget-warning', 'continue', 'assistant'])
    expect(rows[3]?.metadata.warningId).toBe(rows[2]?.metadata.machine?.['warningId'])
  })

  it.each(['tool-end', 'turn-end'] as const)('goes right before the entry that waits: %s', async (mode) => {
    const { test } = await stopped(9_500, mode)
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant', 'context-budget-warning', 'person', 'assistant'])
    expect(rows[3]?.metadata.warningId).toBe(rows[2]?.metadata.machine?.['warningId'])
  })

  it('is given once, however many sends race for it', async () => {
    const { test, server } = await budgetRig(toClose, [says('One.', 9_500)])
    await test.turn('First')
    await Promise.all(['a', 'b', 'c'].map((text, index) => test.send(text, index === 1 ? 'turn-end' : 'tool-end')))
    while (test.session.busy || test.session.queue.entries.length > 0) await test.nextEnd()
    const rows = storedRows(test)
    expect(countOf(rows, 'context-budget-warning')).toBe(1)
    expect(budgetProblemsOf(rows)).toEqual([])
    expect(server.requests).toHaveLength(4)
  })

  it('is not given again where its Continue was interrupted', async () => {
    const slow: ScriptedTurn = { text: 'slow words '.repeat(100), delivery: { pieceChars: 11, delayMs: 20 } }
    const { test } = await budgetRig(toClose, [calls(9_500, bash('echo a')), slow, says('Two.', 9_800)])
    await test.send('Do the work')
    await test.event('text-delta')
    await test.session.interrupt()
    expect(countOf(storedRows(test), 'context-budget-warning')).toBe(1)
    expect(test.session.queue.entries).toEqual([])
    await test.turn('Go on')
    const rows = storedRows(test)
    expect([countOf(rows, 'context-budget-warning'), countOf(rows, 'continue')]).toEqual([1, 1])
    expect(budgetProblemsOf(rows)).toEqual([])
  })
})

it('R-2 two rollovers in one task carry one Continue each, and the task with them', async () => {
  const { test, server } = await budgetRig(toClose, [
    calls(15_200, bash('echo once >> ran.txt')),
    calls(4_000, bash('echo twice >> ran.txt')),
    calls(15_300, bash('echo thrice >> ran.txt')),
    says('Done.')
  ])
  const from = test.events.length
  await test.send('Paint the boat')
  await lastEnd(test, from)
  const rows = storedRows(test)
  expect(kindsOf(rows)).toEqual([
    'person',
    'assistant',
    ...BOUNDARY,
    'continue',
    'assistant',
    ...BOUNDARY,
    'continue',
    'assistant'
  ])
  expect(budgetProblemsOf(rows)).toEqual([])
  expect(ranIn(test)).toBe(3)
  for (const leadIn of [rows[3], rows[7]]) expect(textOf(leadIn)).toContain(`(m:${rows[0]?.id}): “Paint the boat”`)
  expect(rows[6]?.metadata.machine).toMatchObject({ previousWindowId: `w:${rows[2]?.metadata.historySequence}` })
  expect(server.requests[3]?.rawBody).not.toContain('echo twice')
})
