// Proves that a person's own step takes the place of what the budget owes: nothing is latched, claimed or queued
// after it, and nothing goes on by itself.
import { describe, expect, it } from 'vitest'
import type { TestApp } from '../testing/test-app'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  countOf,
  lastEnd,
  storedRows,
  textOf,
  watchedFileSystem,
  work
} from './testing/budget-rig'
import { OWED, type Owed, owing } from './testing/owing'
import { afterTicks } from './testing/random'
import { inForm } from '../history/testing/long-form'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const { clear, softClear, edit, remove, interrupt, fork } = {
  clear: (test: TestApp) => test.ask('history.clear', { workspaceId: test.workspaceId, soft: false }),
  softClear: (test: TestApp) => test.ask('history.clear', { workspaceId: test.workspaceId, soft: true }),
  async edit(test: TestApp) {
    const from = test.events.length
    const [first] = storedRows(test)
    const { workspaceId } = test
    await test.ask('row.edit', { workspaceId, rowId: first?.id ?? '', text: 'Something else', confirmed: true })
    await lastEnd(test, from)
  },
  remove: (test: TestApp) =>
    test.ask('row.delete', { workspaceId: test.workspaceId, rowId: storedRows(test).at(-1)?.id ?? '' }),
  interrupt: (test: TestApp) => test.ask('turn.interrupt', { workspaceId: test.workspaceId }),
  fork: (test: TestApp) => test.ask('row.fork', { workspaceId: test.workspaceId, rowId: null, inclusive: true })
}

async function expectQuiet({ test, server }: BudgetRig, requests: number): Promise<void> {
  await afterTicks(20)
  expect(test.session.busy).toBe(false)
  expect(test.session.queue.entries).toEqual([])
  expect(server.requests).toHaveLength(requests)
}

describe('R-8 what is owed when the person acts', () => {
  it.each(['rollover', 'warning'] as const)(
    'is owed to the next send where nothing superseded it: %s',
    async (owed) => {
      const made = await owing(toClose, owed)
      await expectQuiet(made, 1)
      await work(made.test, 'Next')
      const rows = storedRows(made.test)
      expect(countOf(rows, 'context-window-rollover')).toBe(owed === 'rollover' ? 1 : 0)
      expect(countOf(rows, 'context-budget-warning')).toBe(owed === 'warning' ? 1 : 0)
      expect(budgetProblemsOf(rows)).toEqual([])
    }
  )

  it.each([
    ['/clear', clear],
    ['/clear --soft', softClear],
    ['delete', remove],
    ['edit', edit]
  ] as const)('is forgotten after %s', async (_name, act) => {
    for (const owed of ['rollover', 'warning'] as const) {
      const made = await owing(toClose, owed)
      await act(made.test)
      await expectQuiet(made, act === edit ? 2 : 1)
      expect(await work(made.test, 'Next')).toMatchObject({ outcome: 'completed' })
      const rows = storedRows(made.test)
      expect([countOf(rows, 'context-window-rollover'), countOf(rows, 'context-budget-warning')]).toEqual([0, 0])
      expect(countOf(rows, 'continue')).toBe(0)
      expect(made.server.problems).toEqual([])
    }
  })

  it('lets history alone decide after an interrupt: the window still is over its point', async () => {
    const made = await owing(toClose, 'rollover')
    await interrupt(made.test)
    await expectQuiet(made, 1)
    await work(made.test, 'Next')
    const rows = storedRows(made.test)
    expect(
      rows.find((row) => row.metadata.machine?.type === 'context-window-rollover')?.metadata.machine
    ).toMatchObject({
      reason: 'on-send'
    })
    expect(budgetProblemsOf(rows)).toEqual([])
  })

  it('does not follow a fork, and leaves the parent as it is', async () => {
    const made = await owing(toClose, 'rollover')
    const before = storedRows(made.test)
    const { workspace } = await fork(made.test)
    await expectQuiet(made, 1)
    expect(storedRows(made.test)).toEqual(before)
    const forked = await made.test.ask('workspace.open', { workspaceId: workspace.workspaceId })
    expect([forked.status.phase, forked.queue]).toEqual(['idle', []])
    await work(made.test, 'Next')
    expect(countOf(storedRows(made.test), 'context-window-rollover')).toBe(1)
  })
})

describe('R-8 an interrupt', () => {
  const STRIDE = inForm({ quick: 40, full: 5, long: 1 })

  /** Interrupts at the n-th call of the disk after the first answer came; answers how many calls there were. */
  async function interruptedAt(owed: Owed, at: number): Promise<{ made: BudgetRig; seen: number }> {
    let seen = -1
    let stopped: Promise<void> | null = null
    const fs = watchedFileSystem(() => {
      if (seen < 0 || ++seen !== at) return
      // Once the call is over.
      stopped = Promise.resolve().then(() => made.test.session.interrupt())
    })
    const answer = (): ScriptedTurn => {
      seen = 0
      return calls(OWED[owed], bash('echo once >> ran.txt'))
    }
    const made = await budgetRig(toClose, [answer], { fs })
    const from = made.test.events.length
    await made.test.send('Do the work')
    await lastEnd(made.test, from)
    await (stopped as Promise<void> | null)
    while (made.test.session.busy) await afterTicks(1)
    return { made, seen }
  }

  it.each(['rollover', 'warning'] as const)(
    'at any moment of a turn that stops for a %s leaves nothing that resumes',
    async (owed) => {
      const whole = await interruptedAt(owed, -1)
      expect(whole.seen).toBeGreaterThan(20)
      for (let at = 1; at <= whole.seen; at += STRIDE) {
        const { made } = await interruptedAt(owed, at)
        const { test, server } = made
        const before = storedRows(test)
        await expectQuiet(made, server.requests.length)
        expect(budgetProblemsOf(before)).toEqual([])
        await work(test, 'Next')
        const after = storedRows(test)
        expect(budgetProblemsOf(after), `call ${at}`).toEqual([])
        expect(after.filter((row) => textOf(row) === 'Do the work')).toHaveLength(1)
        // What is decided now is decided by the history, not by what was latched before the stop.
        const [added] = after.slice(before.length).flatMap(({ metadata }) => metadata.machine ?? [])
        if (added?.type === 'context-window-rollover') expect(added, `call ${at}`).toMatchObject({ reason: 'on-send' })
        expect(countOf(after, 'continue')).toBeLessThanOrEqual(1)
        await test.close()
      }
    },
    600_000
  )
})
