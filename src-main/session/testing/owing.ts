// Owns a session that owes its window something, for tests: a step asked for it, and what should have paid it failed.
import { expect } from 'vitest'
import { bash, budgetRig, type BudgetRig, calls, kindsOf, storedRows, watchedFileSystem, work } from './budget-rig'

/** Figures of the answer that asks for it, on the small model. */
export const OWED = { rollover: 15_200, warning: 9_500 } as const
export type Owed = keyof typeof OWED

/** A turn stopped for its window, and the Continue that should carry it on failed: it is owed, and nothing runs. */
export async function owing(toClose: { close(): Promise<void> }[], owed: Owed): Promise<BudgetRig> {
  let [writes, isBroken] = [0, true]
  const fs = watchedFileSystem((name, path) => {
    if (!isBroken) return
    // The person's row and the answer are the first two.
    const isWarning = name === 'write' && path.includes('w-0.jsonl') && ++writes === 3
    const isRollover = name === 'rename' && /\.w-[1-9]/.test(path)
    if (isWarning || isRollover) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: name, path })
  })
  const made = await budgetRig(toClose, [calls(OWED[owed], bash('echo once >> ran.txt'))], { fs })
  const { test } = made
  expect(await work(test, 'Do the work')).toMatchObject({ outcome: 'failed', reason: 'history', continues: false })
  isBroken = false
  expect(test.session.queue.entries).toEqual([])
  expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant'])
  return made
}
