// Proves that the app may be closed at any moment of a turn that stops for its window (X-1, T-2): all that was said is
// kept, nothing resumes by itself when it opens again, and the next message goes on.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inForm } from '../history/testing/long-form'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  countOf,
  lastEnd,
  restarted,
  storedRows,
  textOf,
  watchedFileSystem,
  work
} from './testing/budget-rig'
import { OWED, type Owed } from './testing/owing'
import { afterTicks } from './testing/random'
import { closeAfterEach, closeThem } from '../testing/close-after-each'

const toClose = closeAfterEach()
const closeAll = (): Promise<void> => closeThem(toClose)

const STRIDE = inForm({ quick: 50, full: 3, long: 1 })

/** Closes the app at the n-th call of the disk after the first answer came, or when all is over; answers how many there were. */
async function closedAt(owed: Owed, at: number): Promise<{ made: BudgetRig; seen: number }> {
  let seen = -1
  let closed: Promise<void> | null = null
  const fs = watchedFileSystem(() => {
    if (seen < 0 || ++seen !== at) return
    // Once the call is over.
    closed = Promise.resolve().then(() => made.test.app.close())
  })
  const answer = (): ScriptedTurn => {
    seen = 0
    return calls(OWED[owed], bash('echo once >> ran.txt'))
  }
  const made = await budgetRig(toClose, [answer], { fs })
  const from = made.test.events.length
  await made.test.send('Do the work')
  await lastEnd(made.test, from)
  const total = seen
  closed ??= made.test.app.close()
  await closed
  return { made, seen: total }
}

it.each(['rollover', 'warning'] as const)(
  'X-1 T-2 loses nothing when closed at any moment of a turn that stops for a %s',
  async (owed) => {
    const { seen } = await closedAt(owed, -1)
    expect(seen).toBeGreaterThan(20)
    await closeAll()
    for (let at = 1; at <= seen; at += STRIDE) {
      const where = `closed at call ${at}`
      const { made } = await closedAt(owed, at)
      const before = storedRows(made.test)
      expect(budgetProblemsOf(before), where).toEqual([])
      const requests = made.server.requests.length
      const { test, server } = await restarted(toClose, made)
      await afterTicks(20)
      expect([test.session.busy, test.session.queue.entries, server.requests.length], where).toEqual([
        false,
        [],
        requests
      ])
      expect(await work(test, 'Next'), where).toMatchObject({ outcome: 'completed' })
      const rows = storedRows(test)
      expect(budgetProblemsOf(rows), where).toEqual([])
      expect(rows.slice(0, before.length), where).toEqual(before)
      expect(rows.filter((row) => textOf(row) === 'Do the work')).toHaveLength(1)
      expect(countOf(rows, 'context-window-rollover'), where).toBeLessThanOrEqual(1)
      expect(
        readFileSync(path.join(test.project, 'ran.txt'), { encoding: 'utf8', flag: 'a+' }).length,
        where
      ).toBeLessThanOrEqual(5)
      expect(server.problems, where).toEqual([])
      await closeAll()
    }
  },
  600_000
)
