import { describe, expect, test } from 'vitest'
import type { Result } from '@common/result'
import type { NewRow, Row } from '@common/rows/row-schema'
import type { HistoryError } from './history-error'
import { type HistoryStore, openHistory } from './history-store'
import { silentLog } from '../files/log'
import { type FaultMode, observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, rolloverBatch, toolPart } from './testing/row-builders'
import { inForm } from './testing/long-form'
import { tempWorkspace, type TempWorkspace, testClock } from './testing/temp-workspace'

/** One operation whose every file-system call is made to fail in turn. */
interface Scenario {
  readonly name: string
  /** Rows that are accepted before the fault is armed. */
  before(store: HistoryStore, workspace: TempWorkspace): Promise<void>
  /** What the operation stores when it is accepted. */
  readonly rows: readonly NewRow[]
  run(store: HistoryStore): Promise<Result<Row[], HistoryError>>
}

const BATCH = [personRow('x-1'), assistantRow('x-2'), personRow('x-3')]
const STREAMED: NewRow = {
  ...assistantRow('x-1'),
  parts: [toolPart('call-1'), toolPart('call-2', { state: 'input-available' })]
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'an append',
    rows: BATCH,
    async before(store) {
      await accept(store.appendMany([personRow('a')]))
      await accept(store.appendMany([personRow('b')]))
    },
    run: (store) => store.appendMany(BATCH)
  },
  { name: 'the first append', rows: BATCH, before: async () => {}, run: (store) => store.appendMany(BATCH) },
  {
    name: 'an append after another process appended',
    rows: BATCH,
    async before(store, workspace) {
      await accept(store.appendMany([personRow('a')]))
      const other = await workspace.open()
      await accept(other.appendMany([personRow('b')]))
      await other.close()
    },
    run: (store) => store.appendMany(BATCH)
  },
  {
    name: 'a rollover',
    rows: rolloverBatch('x'),
    before: (store) => accept(store.appendMany([personRow('a')])),
    run: (store) => store.appendMany(rolloverBatch('x'))
  },
  {
    name: 'a committed answer',
    rows: [STREAMED],
    async before(store) {
      await accept(store.appendMany([personRow('a')]))
      await accept(store.writePartial(STREAMED))
    },
    run: (store) => store.commitPartial([STREAMED])
  },
  {
    name: 'a recovered answer',
    rows: [STREAMED],
    async before(store) {
      await accept(store.appendMany([personRow('a')]))
      await accept(store.writePartial(STREAMED))
    },
    run: (store) => store.recoverPartial()
  }
]

const MODES: readonly FaultMode[] = ['refused', 'answer-lost', 'half-done', 'no-more-writes']
/** Every call, in every mode; in the quick form each mode takes its turn, so that every call fails once. */
const STEP = inForm({ quick: MODES.length, full: 1, long: 1 })
/** Of the calls at which the process dies. */
const DEAD_STEP = inForm({ quick: 3, full: 1, long: 1 })

describe.each(SCENARIOS)('H-1 each file-system call of $name fails once', (scenario) => {
  test.each(MODES)('%s: nothing accepted is lost, nothing refused stays, nothing is there twice', async (mode) => {
    for (let failAt = MODES.indexOf(mode) % STEP; ; failAt += STEP) {
      const workspace = tempWorkspace()
      const observed = observeFileSystem()
      const store = await workspace.open({ fs: observed.fs })
      await scenario.before(store, workspace)
      const before = workspace.storedIds()
      observed.arm({ failAt, mode })
      const outcome = await scenario.run(store)
      const struck = observed.struck()
      observed.arm(null)
      await accept(store.appendMany([personRow('later')]))
      const ids = workspace.storedIds()
      const stored = scenario.rows.map((row) => row.id)
      const place = `${mode} at call ${failAt} (${struck?.name}): ${outcome.ok ? 'accepted' : outcome.error.kind}`
      if (outcome.ok) expect(ids, place).toEqual([...before, ...stored, 'later'])
      else {
        expect(outcome.error.message, place).toMatch(/^[A-Z].*\.$/)
        if (outcome.error.kind !== 'outcome_unknown') expect(ids, place).toEqual([...before, 'later'])
      }
      await expectSound(workspace, place)
      await store.close()
      // A close that is refused, or an open whose answer is lost, leaves a descriptor that nobody can give back.
      if (struck?.name !== 'close' && struck?.name !== 'open') expect(observed.openFiles(), place).toEqual([])
      if (struck === null) return
    }
  })

  test('dead: what was accepted is there, the batch whole or cut short, and the workspace goes on', async () => {
    for (let failAt = 0; ; failAt += DEAD_STEP) {
      const workspace = tempWorkspace()
      const observed = observeFileSystem()
      const store = await workspace.open({ fs: observed.fs })
      await scenario.before(store, workspace)
      const before = workspace.storedIds()
      observed.arm({ failAt, mode: 'dead' })
      const outcome = await scenario.run(store)
      if (observed.struck() === null) {
        await store.close()
        return
      }
      workspace.buryOwners()
      const next = await workspace.open()
      const recovered = await next.recoverPartial()
      expect(recovered.ok).toBe(true)
      await accept(next.appendMany([personRow('later')]))
      const ids = workspace.storedIds()
      const place = `dead at call ${failAt}: ${ids.join(' ')}`
      const stored = scenario.rows.map((row) => row.id)
      const between = ids.slice(before.length, -1)
      expect(ids, place).toEqual([...before, ...stored.slice(0, between.length), 'later'])
      if (outcome.ok || scenario.rows === SCENARIOS[3]?.rows)
        expect([0, stored.length], place).toContain(between.length)
      if (outcome.ok) expect(between, place).toEqual(stored)
      await expectSound(workspace, place)
      await next.close()
    }
  })
})

test('H-4 an answer that was on its way is there once, its calls paired, wherever the commit died', async () => {
  for (let failAt = 0; ; failAt += DEAD_STEP) {
    const workspace = tempWorkspace()
    const observed = observeFileSystem()
    const store = await workspace.open({ fs: observed.fs })
    await accept(store.appendMany([personRow('a')]))
    await accept(store.writePartial(STREAMED))
    observed.arm({ failAt, mode: 'dead' })
    await store.commitPartial([STREAMED])
    if (observed.struck() === null) return store.close()
    workspace.buryOwners()
    const next = await workspace.open()
    await next.recoverPartial()
    await next.recoverPartial()
    expect(workspace.storedIds(), `dead at call ${failAt}`).toEqual(['a', 'x-1'])
    expect(workspace.storedRows()[1]?.parts).toMatchObject([{ state: 'output-available' }, { state: 'interrupted' }])
    await next.close()
  }
})

test('each file-system call of opening fails once: it opens or says why, and the next try works', async () => {
  for (const mode of ['refused', 'no-more-writes', 'dead'] as const) {
    for (let failAt = 0; ; failAt += DEAD_STEP) {
      const workspace = tempWorkspace()
      const first = await workspace.open()
      await accept(first.appendMany([personRow('a')]))
      await first.close()
      const observed = observeFileSystem()
      observed.arm({ failAt, mode })
      const opened = await openHistory({
        workspaceDir: workspace.dir,
        clock: testClock,
        log: silentLog,
        fs: observed.fs
      })
      const struck = observed.struck()
      if (opened.ok && mode !== 'dead') await opened.value.close()
      if (!opened.ok) expect(opened.error.message).toMatch(/^[A-Z].*\.$/)
      workspace.buryOwners()
      const next = await workspace.open()
      await accept(next.appendMany([personRow('b')]))
      expect(workspace.storedIds()).toEqual(['a', 'b'])
      await next.close()
      if (struck === null) break
    }
  }
})

test('X-3 what a failed append left is cut at the next open when it could not be cut at once', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await accept(store.appendMany([personRow('a')]))
  await accept(store.appendMany([personRow('b')]))
  const { write } = observed.fs
  observed.fs.truncate = failing
  observed.fs.write = (descriptor, bytes, offset, length, position) => {
    if (position !== null) return write(descriptor, bytes, offset, length, position)
    write(descriptor, bytes, offset, Math.floor(length / 2), position)
    return failing()
  }
  const refused = await store.appendMany([personRow('lost-1'), personRow('lost-2', 'y'.repeat(500))])
  expect(refused).toMatchObject({ ok: false, error: { kind: 'io' } })
  await store.close()
  expect(workspace.storedIds()).toEqual(['a', 'b', 'lost-1'])
  const next = await workspace.open()
  expect(workspace.storedIds()).toEqual(['a', 'b'])
  const appended = await next.appendMany([personRow('c')])
  expect(appended.ok && appended.value[0]?.metadata.historySequence).toBe(5)
  await next.close()
})

test('X-3 a whole batch that could not be undone counts as accepted', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await accept(store.appendMany([personRow('a')]))
  await accept(store.appendMany([personRow('b')]))
  observed.fs.truncate = failing
  observed.fs.datasync = async () => failing()
  await accept(store.appendMany([personRow('c')]))
  await store.close()
  expect(workspace.storedIds()).toEqual(['a', 'b', 'c'])
})

function failing(): never {
  throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'ftruncate' })
}

async function accept(pending: Promise<Result<unknown, HistoryError>>): Promise<void> {
  const result = await pending
  if (!result.ok) throw new Error(`Not accepted: ${result.error.message}`)
}

/** Opens, reads everything, and every sequence is given once, in order. */
async function expectSound(workspace: TempWorkspace, place: string): Promise<void> {
  const store = await workspace.open()
  const window = await store.activeWindow()
  expect(window.ok, place).toBe(true)
  const sequences = workspace.storedRows().map((row) => row.metadata.historySequence ?? 0)
  expect(sequences, place).toEqual(sequences.toSorted((a, b) => a - b))
  expect(new Set(sequences).size, place).toBe(sequences.length)
  expect(store.highestSequence, place).toBeGreaterThanOrEqual(sequences.at(-1) ?? 0)
  await store.close()
}
