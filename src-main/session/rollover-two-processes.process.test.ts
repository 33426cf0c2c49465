// Proves that two processes on one workspace warn and roll over once between them (M-4, R-6, X-3), and that what one
// owes its window is never taken out on a window that the other began.
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildChild, type BuiltScript } from '../history/testing/build-child'
import type { TestApp } from '../testing/test-app'
import {
  budgetProblemsOf,
  budgetRig,
  countOf,
  kindsOf,
  lastEnd,
  says,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { owing } from './testing/owing'
import { afterTicks } from './testing/random'
import { closeAfterEach } from '../testing/close-after-each'

let child: BuiltScript
beforeAll(async () => {
  child = await buildChild(new URL('../testing/dying-child.ts', import.meta.url))
}, 60_000)
afterAll(() => child.remove())

const toClose = closeAfterEach()

/** Lets another process send these messages, one after the other; resolves once it is over. */
function otherSends(test: TestApp, ...texts: string[]): Promise<void> {
  const started = spawn(process.execPath, [child.file, test.home, test.workspaceId, '0', ...texts])
  let complaints = ''
  started.stdout.resume()
  started.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  return new Promise((resolve, reject) => {
    started.once('close', () => (complaints === '' ? resolve() : reject(new Error(complaints))))
  })
}

async function sendHeld(test: TestApp): Promise<void> {
  for (const { id } of test.session.queue.entries) {
    const from = test.events.length
    await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: id })
    await lastEnd(test, from)
  }
}

it.each([
  ['M-4', 9_500, 0, 1],
  ['R-6', 15_200, 1, 0]
] as const)(
  '%s gives one between two that send at the same time, after %i tokens',
  async (_id, inputTokens, rollovers, warnings) => {
    const { test, server } = await budgetRig(toClose, [says('One.', inputTokens)])
    await work(test, 'First')
    const over = otherSends(test, 'From there')
    for (let round = 0; round < 8; round++) {
      await work(test, `From here ${round}`)
      await afterTicks(20)
    }
    await over
    await test.session.tellForeignRows()
    await sendHeld(test)
    const rows = storedRows(test)
    expect(budgetProblemsOf(rows), kindsOf(rows).join()).toEqual([])
    expect([countOf(rows, 'context-window-rollover'), countOf(rows, 'context-budget-warning')]).toEqual([
      rollovers,
      warnings
    ])
    for (let round = 0; round < 8; round++)
      expect(rows.filter((row) => textOf(row) === `From here ${round}`)).toHaveLength(1)
    expect(rows.filter((row) => textOf(row) === 'From there').length).toBeLessThanOrEqual(1)
    expect(server.problems).toEqual([])
  }
)

it.each(['rollover', 'warning'] as const)(
  'X-3 R-8 pays a %s to the window that it is owed to, not to one that another process began',
  async (owed) => {
    const { test, server } = await owing(toClose, owed)
    await otherSends(test, '/clear --soft', 'From there')
    expect(await work(test, 'From here')).toMatchObject({ outcome: 'completed' })
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant', 'plain-reset', 'person', 'assistant', 'person', 'assistant'])
    expect(server.problems).toEqual([])
  }
)
