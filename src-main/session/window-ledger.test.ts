// Proves the ledger of windows: whatever was written, divided, cut and forked, its lines sum to what the workspace says.
import * as fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import type { LedgerView } from '@common/contract/inspector-views'
import { divideRow } from '@common/rows/divide-row'
import type { NewRow, StepPart } from '@common/rows/row-schema'
import { WindowLedger } from '../costs/window-ledger'
import { workspacePathsOf } from '../files/app-paths'
import { nodeFileSystem } from '../files/file-system'
import { silentLog } from '../files/log'
import { personRow, resetRow } from '../history/testing/row-builders'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { finishedRow } from './close-row'
import { bash, replayRig, type ReplayRig } from './testing/replay-rig'
import { WorkspaceFile } from './workspace-file'
import { WorkspaceHandle } from './workspace-handle'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const PRICE = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const priceOf = (modelRef: string) => (modelRef === 'lab:free' ? null : PRICE)

const count = fc.nat(200_000)
const anyStep = fc.record({
  model: fc.constantFrom('a:b', 'c:d', 'lab:free'),
  input: count,
  read: count,
  output: count
})
const anyAction = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      steps: fc.array(anyStep, { maxLength: 3 }),
      isLong: fc.boolean()
    })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('say' as const, 'reset' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'truncate' as const), at: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) }
)

type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

function stepPart({ model, input, read, output }: Step): StepPart {
  const usage = {
    inputTokens: input,
    cacheReadTokens: read,
    cacheWriteTokens: 7,
    outputTokens: output,
    reasoningTokens: 0
  }
  return { type: 'step', requestSequence: 1, model, usage }
}

/** Long enough to be stored as several rows. */
const LONG_TEXT = 'x'.repeat(150_000)

it('V-3 sums to the total of the workspace whatever was answered, divided, reset and cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 1, maxLength: 14 }), async (actions) => {
      const workspace = tempWorkspace()
      const store = await workspace.open({ durability: 'relaxed' })
      const handle = new WorkspaceHandle(workspace.path('workspace.json'), WorkspaceFile.parse({ id: 'w1' }))
      const files = { fs: nodeFileSystem, paths: workspacePathsOf(workspace.dir), log: silentLog, isDurable: false }
      const ledger = new WindowLedger(files, priceOf)
      const spent = { requests: 0, fresh: 0, output: 0 }
      let id = 0
      const append = async (rows: NewRow[]): Promise<void> => {
        const stored = await store.appendMany(rows)
        if (!stored.ok) throw new Error(stored.error.message)
        for (const row of stored.value) handle.countRow(row)
      }
      try {
        for (const action of actions) {
          const rows = workspace.storedRows()
          const chosen = 'at' in action ? rows[action.at % Math.max(rows.length, 1)] : undefined
          if (action.do === 'answer') {
            const text = { type: 'text' as const, text: action.isLong ? LONG_TEXT : 'Short.' }
            const parts = action.steps.flatMap((step) => [text, stepPart(step)])
            const live: NewRow = { id: `r${id++}`, role: 'assistant', parts, metadata: { model: 'a:b' } }
            await append(divideRow(finishedRow(live, priceOf, {}), () => `r${id++}`))
            for (const { input, output } of action.steps) {
              spent.requests++
              spent.fresh += input
              spent.output += output
            }
          } else if (action.do === 'say') await append([personRow(`r${id++}`)])
          else if (action.do === 'reset') await append([resetRow(`r${id++}`)])
          else if (action.do === 'clear') await store.clear()
          else if (chosen !== undefined && action.do === 'delete') await store.deleteRow({ id: chosen.id })
          else if (chosen !== undefined) await store.truncateFrom({ id: chosen.id }, { isConfirmed: true })
          // Asked in between, so that what is remembered of files is put to the test.
          if (id % 3 === 0) await ledger.read(0)
        }
        const { windows, cut, copied } = await ledger.read(0)
        const lines = [...windows.map(({ sums }) => sums), cut]
        const total = (of: (line: typeof cut) => number): number => lines.reduce((sum, line) => sum + of(line), 0)
        expect(total(({ costUsd }) => costUsd)).toBeCloseTo(handle.file.costUsd, 9)
        expect(total(({ requests }) => requests)).toBe(spent.requests)
        expect(total(({ fresh }) => fresh)).toBe(spent.fresh)
        expect(total(({ output }) => output)).toBe(spent.output)
        expect(copied.requests).toBe(0)
        expect(total(({ unpriced }) => unpriced) > 0).toBe(handle.file.costIncomplete)
        // A second reading, from nothing remembered, says the same.
        const again = await new WindowLedger(files, priceOf).read(0)
        expect(again).toEqual({ windows, cut, copied })
      } finally {
        await store.close()
      }
    }),
    { seed: 20261130, numRuns: 30 }
  )
}, 20_000)

const PRICED = { id: 'test-model', contextLimit: 200_000, maxOutputTokens: 2_000, price: PRICE }

function ledgerOf({ test }: ReplayRig, workspaceId = test.workspaceId): Promise<LedgerView> {
  return test.ask('inspector.ledger', { workspaceId })
}

it('V-3 tells each window by model, keeps what cut rows cost, and charges a copy only for its own', async () => {
  const made = await replayRig(cleanUps, PRICED)
  await made.turn('anthropic', 'List.', bash('ls'), { text: 'Done.' })
  await made.test.ask('history.clear', { workspaceId: made.test.workspaceId, soft: true })
  await made.turn('responses', 'Again.', { text: 'Yes.' })
  const [, , answer] = await made.test.rows()
  const before = await ledgerOf(made)
  expect(before.workspaceUsd).toBeGreaterThan(0)
  expect(before.total.costUsd).toBeCloseTo(before.workspaceUsd, 12)
  expect(
    before.windows.map(({ number, requests, models }) => [number, requests, models.map(({ model }) => model)])
  ).toEqual([
    [1, 2, ['anthropic:test-model']],
    [2, 1, ['responses:test-model']]
  ])
  for (const { fresh, cached, written, sections } of before.windows) {
    const bySection = Object.values(sections ?? {})
    expect(bySection.reduce((sum, tokens) => sum + tokens, 0)).toBe(fresh + cached + written)
    expect(sections?.tools).toBeGreaterThan(0)
  }
  expect(before.windows[0]?.sections?.toolResults).toBeGreaterThan(0)
  expect(before.windows[1]?.sections?.toolResults).toBe(0)
  const { workspaceId } = made.test
  await made.test.ask('row.delete', { workspaceId, rowId: answer?.id ?? '' })
  const after = await ledgerOf(made)
  expect(after.cut.requests).toBe(1)
  expect(after.total).toEqual(before.total)
  expect(after.workspaceUsd).toBe(before.workspaceUsd)

  const { workspace } = await made.test.ask('row.fork', { workspaceId, rowId: null, inclusive: true })
  await made.restart(workspace)
  const fresh = await ledgerOf(made)
  expect(fresh).toMatchObject({ workspaceUsd: 0, total: { requests: 0, costUsd: 0 }, copied: { requests: 2 } })
  await made.turn('anthropic', 'In the copy.', { text: 'Mine.' })
  const own = await ledgerOf(made)
  expect(own.total.requests).toBe(1)
  expect(own.total.costUsd).toBeCloseTo(own.workspaceUsd, 12)
  expect(own.workspaceUsd).toBeGreaterThan(0)
})
