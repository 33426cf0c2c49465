// Proves what a window file that was cut by hand means: with its boundary line it is the window in force, fresh as
// long as nothing was said in it; without that line the old window goes on.
import { cpSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inForm } from '../history/testing/long-form'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  countOf,
  kindsOf,
  restarted,
  says,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const STRIDE = inForm({ quick: 700, full: 41, long: 1 })

/** A workspace that rolled over, closed; its files are copied back before each cut. */
async function rolledOver(isStep: boolean): Promise<{ made: BudgetRig; folder: string; copy: string; file: string }> {
  const turns = isStep ? [calls(15_200, bash('echo ran >> ran.txt'))] : [says('One.', 15_200)]
  const made = await budgetRig(toClose, turns)
  const { test } = made
  await work(test, 'First')
  if (!isStep) await work(test, 'Second')
  const rows = storedRows(test)
  expect(budgetProblemsOf(rows)).toEqual([])
  const file = `w-${rows[2]?.metadata.historySequence}.jsonl`
  const { folder } = test.session
  await test.app.close()
  const copy = `${folder}-copy`
  cpSync(folder, copy, { recursive: true })
  return { made, folder, copy, file: path.join(folder, 'windows', file) }
}

it.each([
  ['on send', false],
  ['in the middle of a turn', true]
] as const)(
  'X-2 X-1 goes on after any cut of the window that a rollover began %s',
  async (_name, isStep) => {
    const { made, folder, copy, file } = await rolledOver(isStep)
    const bytes = readFileSync(file)
    const lineEnds = [...bytes.entries()].flatMap(([index, byte]) => (byte === 10 ? [index + 1] : []))
    const [boundaryEnd = 0, leadInEnd = 0, inputEnd = 0] = lineEnds
    const cuts = new Set([
      0,
      1,
      boundaryEnd - 1,
      boundaryEnd,
      leadInEnd - 1,
      leadInEnd,
      inputEnd - 1,
      inputEnd,
      bytes.length
    ])
    for (let cut = 0; cut < bytes.length; cut += STRIDE) cuts.add(cut)
    for (const cut of [...cuts].toSorted((a, b) => a - b)) {
      const where = `cut at byte ${cut} of ${bytes.length}`
      rmSync(folder, { recursive: true })
      cpSync(copy, folder, { recursive: true })
      truncateSync(file, cut)
      const again = await restarted(toClose, made)
      const { test, server } = again
      const requests = server.requests.length
      expect([test.session.busy, requests], where).toEqual([false, made.server.requests.length])
      expect(await work(test, 'Third'), where).toMatchObject({ outcome: 'completed' })
      const rows = storedRows(test)
      expect(budgetProblemsOf(rows, { isCut: true }), where).toEqual([])
      expect(
        rows.filter((row) => textOf(row) === 'Third'),
        where
      ).toHaveLength(1)
      expect(countOf(rows, 'context-window-rollover'), where).toBe(1)
      const sent = server.requests.at(-1)?.rawBody ?? ''
      expect([sent.includes('fresh window began here'), sent.includes('"First"')], where).toEqual([
        cut < boundaryEnd - 1 || cut >= leadInEnd - 1,
        false
      ])
      // With its boundary the window is in force: nothing was sealed a second time.
      const isInForce = cut >= boundaryEnd - 1
      expect(test.session.store.currentWindowId === windowOf(file), `${where}: ${kindsOf(rows).join()}`).toBe(isInForce)
      expect(server.problems, where).toEqual([])
      await test.app.close()
    }
  },
  900_000
)

function windowOf(file: string): string {
  return `w:${/w-(\d+)\.jsonl$/.exec(file)?.[1]}`
}
