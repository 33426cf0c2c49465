// Proves that a conversation of twenty rollovers costs per turn what its first windows cost (F-7): by exact counts of
// what is read and written, not by a clock. Rows, order and windows are right, and the oldest is still found.
import { expect, it } from 'vitest'
import { isBoundary } from '@common/rows/boundaries'
import { toolPartsOf } from '@common/rows/row-schema'
import { observeFileSystem } from '../history/testing/faulty-file-system'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  calls,
  countOf,
  kindsOf,
  lastEnd,
  restarted,
  says,
  storedRows,
  work
} from './testing/budget-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const ROLLOVERS = 20
/** What each older window adds to a turn that rolls over: its entry in windows.json, read again. */
const INDEX_BYTES_A_WINDOW = 500

it(`F-7 R-6 H-2 S-10 costs as much in the last of ${ROLLOVERS} windows as in the first few`, async () => {
  const disk = observeFileSystem()
  const turns = Array.from({ length: ROLLOVERS }, (_, index) => [
    calls(5_000, bash(`echo window-${index}; seq 1 2000`)),
    calls(9_500, bash('echo warned')),
    calls(15_200, bash('echo full')),
    says(`Done ${index}.`)
  ]).flat()
  turns.push(calls(5_000, { name: 'session_history', input: { action: 'search', query: 'window-0' } }))
  const made = await budgetRig(toClose, turns, { fs: disk.fs })
  const { test, server } = made
  const costs: Cost[] = []
  for (let task = 0; task < ROLLOVERS; task++) {
    const from = test.events.length
    const [calledBefore, readBefore, indexBefore] = [
      disk.calls.length,
      disk.bytesRead(''),
      disk.bytesRead('windows.json')
    ]
    await test.send(`Task ${task}: paint plank ${task}`)
    expect(await lastEnd(test, from)).toMatchObject({ outcome: 'completed' })
    costs.push({
      read: disk.bytesRead('') - readBefore,
      readElsewhere: disk.bytesRead('') - readBefore - (disk.bytesRead('windows.json') - indexBefore),
      calls: disk.calls.length - calledBefore,
      request: Math.max(...server.requests.slice(-4).map(({ rawBody }) => rawBody.length))
    })
  }
  expect(server.problems).toEqual([])
  const rows = storedRows(test)
  expect(budgetProblemsOf(rows)).toEqual([])
  expect(countOf(rows, 'context-window-rollover')).toBe(ROLLOVERS)
  expect(countOf(rows, 'context-budget-warning')).toBe(ROLLOVERS)
  // Every window but the first begins with its boundary and lead-in, and holds the end of a task and the next one.
  const A_WINDOW = ['context-window-rollover', 'context-window-lead-in', 'continue', 'assistant']
  const A_TASK = ['person', 'assistant', 'context-budget-warning', 'continue', 'assistant']
  expect(kindsOf(rows)).toEqual(Array.from({ length: ROLLOVERS }, () => [...A_TASK, ...A_WINDOW]).flat())
  expect(rows.map(({ metadata }) => metadata.historySequence)).toEqual(rows.map((_, index) => index + 1))
  const windows = await test.session.store.listWindows()
  const starts = rows.filter(isBoundary).map(({ metadata }) => `w:${metadata.historySequence}`)
  expect(windows.ok && windows.value.map(({ windowId }) => windowId)).toEqual(['w:0', ...starts])
  for (const [index, boundary] of rows.filter(isBoundary).entries())
    expect(boundary.metadata.machine?.['previousWindowId']).toBe(index === 0 ? 'w:0' : starts[index - 1])

  // The middle of five each: the answer so far is saved by the clock, so one turn may hold a call more than another.
  const early = middleOf(costs.slice(1, 6))
  const late = middleOf(costs.slice(-5))
  expect(late.request).toBeLessThan(early.request + 200)
  expect(late.calls).toBeLessThanOrEqual(early.calls + 15)
  expect(late.readElsewhere).toBeLessThan(early.readElsewhere * 1.05)
  expect(late.read).toBeLessThan(early.read * 1.02 + ROLLOVERS * INDEX_BYTES_A_WINDOW)

  // After a restart the agent still finds what the first window held.
  await test.app.close()
  const again = await restarted(toClose, made)
  await work(again.test, 'What was the first?')
  const found = storedRows(again.test).flatMap(toolPartsOf).at(-1)
  expect(found).toMatchObject({ toolName: 'session_history', state: 'output-available' })
  expect(JSON.stringify(found?.output)).toContain('window-0')
}, 120_000)

interface Cost {
  /** Bytes that the history read, and of those what is not its index. */
  readonly read: number
  readonly readElsewhere: number
  /** Calls of the disk. */
  readonly calls: number
  /** Bytes of the largest request. */
  readonly request: number
}

function middleOf(costs: readonly Cost[]): Cost {
  const middle = (of: (cost: Cost) => number): number =>
    costs.map(of).toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0
  return {
    read: middle(({ read }) => read),
    readElsewhere: middle(({ readElsewhere }) => readElsewhere),
    calls: middle(({ calls: count }) => count),
    request: middle(({ request }) => request)
  }
}
