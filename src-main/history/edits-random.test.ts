// H-6, H-10, H-14 as a whole: whatever two writers append, edit, amend, fork and clear, in whatever order, and
// wherever a step dies or the disk fails: a reader sees what was accepted, in order, once.
import * as fc from 'fast-check'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Result } from '@common/result'
import type { HistoryError } from './history-error'
import type { HistoryStore } from './history-store'
import { type FaultMode, observeFileSystem, type ObservedFileSystem } from './testing/faulty-file-system'
import { inForm } from './testing/long-form'
import { assistantRow, personRow, rolloverBatch } from './testing/row-builders'
import { TempWorkspace, tempWorkspace } from './testing/temp-workspace'

/** Lines of one window: ids of rows, other lines as they stand. */
type Model = readonly (readonly string[])[]

const MODES: readonly FaultMode[] = ['refused', 'answer-lost', 'half-done', 'no-more-writes', 'dead']
const step = fc.record({
  kind: fc.constantFrom('append', 'append', 'window', 'truncate', 'delete', 'amend', 'clear', 'odd-line', 'fork'),
  writer: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 999 }),
  rows: fc.integer({ min: 1, max: 4 }),
  fault: fc.option(fc.record({ mode: fc.constantFrom(...MODES), failAt: fc.nat({ max: 90 }) }), { nil: null, freq: 3 })
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Writer {
  readonly observed: ObservedFileSystem
  readonly store: HistoryStore
}

/** What a step does: its result, and the windows after it. */
interface Action {
  readonly after: Model
  run(store: HistoryStore): Promise<Result<unknown, HistoryError>>
  /** Appends are made to fail by tests of their own. */
  readonly mayFail: boolean
}

test('H-6 H-10 H-14 any mix of appends, edits, forks, amends, crashes and two writers leaves exactly what was accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: inForm({ quick: 14, full: 14, long: 40 }) }), playSteps),
    {
      seed: 20261130,
      numRuns: inForm({ quick: 12, full: 45, long: 1_500 })
    }
  )
}, 900_000)

async function playSteps(steps: readonly Step[]): Promise<void> {
  const workspace = tempWorkspace()
  const writers = [await newWriter(workspace), await newWriter(workspace)]
  const notes = new Map<string, string>()
  let model: Model = []
  for (const [index, each] of steps.entries()) {
    const writer = writers[each.writer]
    if (writer === undefined) throw new Error('There are two writers.')
    const place = `step ${index} ${each.kind}`
    if (each.kind === 'odd-line') {
      model = writeOddLine(workspace, model, index)
      continue
    }
    if (each.kind === 'fork') {
      await expectFork(workspace, writer.store, model, each.pick)
      continue
    }
    const action = actionOf(each, model, `s${index}`, notes)
    if (action === null) continue
    const fault = action.mayFail ? each.fault : null
    writer.observed.arm(fault)
    const outcome = await action.run(writer.store)
    const isDead = fault?.mode === 'dead' && writer.observed.struck() !== null
    // A process that is gone never does anything again.
    if (!isDead) writer.observed.arm(null)
    // A lock whose taking was done and reported as failed is found again by the one who took it.
    if (fault !== null && !isDead) expect((await writer.store.recoverPartial()).ok, place).toBe(true)
    if (isDead || (!outcome.ok && outcome.error.kind === 'edit_unfinished'))
      await reopen(workspace, writers, isDead ? writer : null)
    const found = linesOf(workspace)
    const isOld = JSON.stringify(found) === JSON.stringify(model)
    if (outcome.ok) expect(found, place).toEqual(action.after)
    else if (isDead) expect([model, action.after], place).toContainEqual(found)
    else expect(found, place).toEqual(outcome.error.kind === 'edit_unfinished' ? action.after : model)
    if (each.kind === 'amend' && (outcome.ok || !isOld)) notes.set(idAt(model, each.pick) ?? '', `s${index}`)
    model = found
  }
  await expectSound(workspace, writers, model, notes)
}

async function newWriter(workspace: TempWorkspace): Promise<Writer> {
  const observed = observeFileSystem()
  return { observed, store: await workspace.open({ fs: observed.fs }) }
}

/** The next ones who open put right what is left; `dead` leaves its lock and all else as it is. */
async function reopen(workspace: TempWorkspace, writers: Writer[], dead: Writer | null): Promise<void> {
  for (const writer of writers) if (writer !== dead) await writer.store.close()
  workspace.buryOwners()
  for (const index of writers.keys()) writers[index] = await newWriter(workspace)
}

function linesOf(workspace: TempWorkspace): string[][] {
  return workspace.windowNames().map((name) =>
    workspace
      .readWindow(name)
      .split('\n')
      .filter((line) => line !== '')
      .map(tokenOf)
  )
}

function tokenOf(line: string): string {
  return /^\{"id":"([^"]+)"/.exec(line)?.[1] ?? line
}

const isRow = (token: string): boolean => !token.startsWith('odd ')
const rowsOf = (model: Model): string[] => model.flat().filter(isRow)
const idAt = (model: Model, pick: number): string | undefined => rowsOf(model)[pick % Math.max(1, rowsOf(model).length)]

function actionOf({ kind, pick, rows }: Step, model: Model, id: string, notes: Map<string, string>): Action | null {
  const target = idAt(model, pick)
  switch (kind) {
    case 'append': {
      const ids = Array.from({ length: rows }, (_, index) => `${id}-${index}`)
      const last = model.at(-1) ?? []
      return {
        after: [...model.slice(0, -1), [...last, ...ids]],
        run: (store) => store.appendMany(ids.map((each) => personRow(each, 'y'.repeat(pick)))),
        mayFail: false
      }
    }
    case 'window':
      return {
        after: [...model, rolloverBatch(id).map((row) => row.id)],
        run: (store) => store.appendMany(rolloverBatch(id)),
        mayFail: true
      }
    case 'truncate':
      return target === undefined
        ? null
        : {
            after: cutFrom(model, target),
            run: (store) => store.truncateFrom({ id: target }, { isConfirmed: true }),
            mayFail: true
          }
    case 'delete': {
      if (target === undefined) return null
      if (/-(?:boundary|lead-in)$/.test(target)) return null
      const after = model.map((lines) => lines.filter((token) => token !== target)).filter((lines) => lines.length > 0)
      return { after, run: (store) => store.deleteRow({ id: target }), mayFail: true }
    }
    case 'amend':
      return target === undefined
        ? null
        : {
            after: model,
            run: (store) => store.amendRow({ id: target }, { note: id, [`by-${id}`]: { deep: notes.size } }),
            mayFail: true
          }
    case 'clear':
      return { after: [], run: (store) => store.clear(), mayFail: true }
    default:
      return null
  }
}

function cutFrom(model: Model, target: string): Model {
  const window = model.findIndex((lines) => lines.includes(target))
  const lines = model[window] ?? []
  const kept = lines.slice(0, lines.indexOf(target))
  return [...model.slice(0, window), ...(kept.length === 0 ? [] : [kept])]
}

/** Something else writes what is no row. */
function writeOddLine(workspace: TempWorkspace, model: Model, index: number): Model {
  const name = workspace.windowNames().at(-1)
  const last = model.at(-1)
  if (name === undefined || last === undefined) return model
  appendFileSync(workspace.path('windows', name), `odd \u0001 ${index}\n`)
  return [...model.slice(0, -1), [...last, `odd \u0001 ${index}`]]
}

async function expectFork(workspace: TempWorkspace, store: HistoryStore, model: Model, pick: number): Promise<void> {
  const folder = mkdtempSync(join(dirname(workspace.dir), 'tidemark-forks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const target = idAt(model, pick)
  if (target === undefined) return
  const before = JSON.stringify(workspace.windowNames().map((name) => workspace.readWindow(name)))
  const fork = new TempWorkspace(join(folder, 'fork'))
  const forked = await store.forkTo({ targetDir: fork.dir, upTo: { id: target }, isInclusive: false })
  expect(forked.ok).toBe(true)
  expect(linesOf(fork)).toEqual(cutFrom(model, target))
  expect(JSON.stringify(workspace.windowNames().map((name) => workspace.readWindow(name)))).toBe(before)
}

/** Every window verifies, a reader sees the rows, numbers rise, cut rows are kept once. */
async function expectSound(
  workspace: TempWorkspace,
  writers: readonly Writer[],
  model: Model,
  notes: ReadonlyMap<string, string>
): Promise<void> {
  for (const { store } of writers) {
    const seen: string[] = []
    for await (const { lines } of store.exportBatches()) seen.push(...lines.map(tokenOf))
    expect(seen).toEqual(rowsOf(model))
    const windows = await store.listWindows()
    expect(windows.ok && windows.value.map(({ rows }) => rows)).toEqual(
      model.map((lines) => lines.filter(isRow).length)
    )
    for (const { windowId } of windows.ok ? windows.value : []) {
      const verdict = await store.verifyWindow(windowId)
      expect(verdict.ok && verdict.value, windowId).toMatchObject({ kind: 'verified' })
    }
  }
  const later = await writers[0]?.store.appendMany([assistantRow('later')])
  expect(later?.ok === false ? later.error : null).toBeNull()
  for (const { store } of writers) await store.close()
  const rows = workspace.storedRows()
  const sequences = rows.map((row) => row.metadata.historySequence ?? 0)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  for (const row of rows) if (notes.has(row.id)) expect(row.metadata).toMatchObject({ note: notes.get(row.id) })
  const cut = existsSync(workspace.path('cut-rows.jsonl')) ? readFileSync(workspace.path('cut-rows.jsonl'), 'utf8') : ''
  const cutIds = cut
    .split('\n')
    .filter((line) => line.startsWith('{"id"'))
    .map(tokenOf)
  expect(new Set(cutIds).size).toBe(cutIds.length)
  const all = new Set([...cutIds, ...rows.map((row) => row.id)])
  expect(all.size).toBe(cutIds.length + rows.length)
}
