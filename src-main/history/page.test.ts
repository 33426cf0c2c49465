import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import type { HistoryStore } from './history-store'
import type { HistoryPage } from './page-history'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace } from './testing/temp-workspace'
import { isLong } from './testing/long-form'

async function pageOf(
  store: HistoryStore,
  before: string | null,
  maxRows = 10,
  maxBytes = 262_144
): Promise<HistoryPage> {
  const page = await store.page({ before, maxRows, maxBytes })
  if (!page.ok) throw new Error(page.error.message)
  return page.value
}

function rowsOf(page: HistoryPage): Row[] {
  return page.lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

async function allPages(store: HistoryStore, maxRows: number, maxBytes: number): Promise<Row[]> {
  const rows: Row[] = []
  let before: string | null = null
  do {
    const page = await pageOf(store, before, maxRows, maxBytes)
    expect(page.rowCount).toBeLessThanOrEqual(maxRows)
    expect(Buffer.byteLength(page.lines)).toBeLessThanOrEqual(maxBytes)
    rows.unshift(...rowsOf(page))
    before = page.before
  } while (before !== null)
  return rows
}

test('H-11 pages go backward across windows to the start, every row once, in any page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constant('rollover' as const)), { maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 4_000, max: 40_000 }),
      async (script, maxRows, maxBytes) => {
        const workspace = tempWorkspace()
        const store = await workspace.open({ durability: 'relaxed' })
        for (const [index, step] of script.entries()) {
          if (step === 'rollover') await store.appendMany(rolloverBatch(`r${index}`))
          else await store.appendMany([personRow(`p${index}`, 'ä'.repeat(step / 2))])
        }
        expect(await allPages(store, maxRows, maxBytes)).toEqual(workspace.storedRows())
        await store.close()
      }
    ),
    { seed: 11, numRuns: isLong ? 400 : 20 }
  )
})

test('H-11 an empty history is one empty page', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  expect(await pageOf(store, null)).toEqual({ lines: '', rowCount: 0, before: null, damage: { total: 0, places: [] } })
  await store.close()
})

test('H-11 a page of a large window reads no more than it returns, in steps', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs, durability: 'relaxed' })
  for (let batch = 0; batch < 20; batch++) {
    await store.appendMany(Array.from({ length: 100 }, (_, index) => personRow(`${batch}-${index}`, 'x'.repeat(2_000))))
  }
  observed.calls.length = 0
  const first = await pageOf(store, null, 80)
  expect(first.rowCount).toBe(80)
  expect(observed.bytesRead('w-0.jsonl')).toBe(SCAN_STEP_BYTES)
  observed.calls.length = 0
  await pageOf(store, first.before, 80)
  expect(observed.bytesRead('w-0.jsonl')).toBe(SCAN_STEP_BYTES)
  await store.close()
})

test('F-15 asking a large window for what came after its end reads one step, whatever stands before', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs, durability: 'relaxed' })
  for (let batch = 0; batch < 20; batch++) {
    await store.appendMany(Array.from({ length: 100 }, (_, index) => personRow(`${batch}-${index}`, 'x'.repeat(2_000))))
  }
  observed.calls.length = 0
  expect(await store.rowsAfter(store.highestSequence)).toEqual({ ok: true, value: [] })
  const newest = await store.rowsAfter(store.highestSequence - 3)
  expect(newest.ok && newest.value.map((row) => row.id)).toEqual(['19-97', '19-98', '19-99'])
  expect(observed.bytesRead('w-0.jsonl')).toBeLessThanOrEqual(2 * SCAN_STEP_BYTES)
  await store.close()
})

test('H-11 rows appended meanwhile do not move the older pages', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a'), personRow('b'), personRow('c'), personRow('d')])
  const newest = await pageOf(store, null, 2)
  await store.appendMany([personRow('e')])
  await store.appendMany(rolloverBatch('r'))
  expect(rowsOf(await pageOf(store, newest.before, 2)).map((row) => row.id)).toEqual(['a', 'b'])
  await store.close()
})

test('K-2 the post-compaction context stays on disk and never crosses; other lines cross byte for byte', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const postCompactionContext = { text: 'the plan', tokens: 2, skillNames: [], builtAtMs: 1 }
  await store.appendMany([
    { ...assistantRow('summary'), metadata: { contextBoundaryKind: 'compaction', postCompactionContext } }
  ])
  await store.appendMany([personRow('quotes', 'it says "postCompactionContext" here')])
  const page = await pageOf(store, null)
  const [summary, quotes] = page.lines.split('\n')
  expect(summary).not.toContain('the plan')
  expect(JSON.parse(summary ?? '')).toMatchObject({
    id: 'summary',
    metadata: { contextBoundaryKind: 'compaction', historySequence: 1 }
  })
  expect(workspace.readWindow('w-1.jsonl')).toContain('the plan')
  expect(`${quotes}\n`).toBe(workspace.readWindow('w-1.jsonl').split('\n').slice(1).join('\n'))
  const raw = await store.rawLineOf({ id: 'summary' })
  expect(raw.ok && raw.value).toContain('the plan')
  await store.close()
})

test('H-11 a row over the byte bound crosses as a placeholder with its id, role and sequence', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a'), assistantRow('large', 'x'.repeat(50_000)), personRow('b')])
  const rows = await allPages(store, 10, 10_000)
  expect(rows.map((row) => row.id)).toEqual(['a', 'large', 'b'])
  expect(rows[1]).toMatchObject({
    role: 'assistant',
    parts: [],
    metadata: { historySequence: 2, machine: { type: 'oversized-row' } }
  })
  await store.close()
})

test('H-11 a cursor into a file that was rewritten or cut is stale, and one with another form too', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany(Array.from({ length: 6 }, (_, index) => personRow(`p${index}`)))
  const { before } = await pageOf(store, null, 2)
  const path = workspace.path('windows', 'w-0.jsonl')
  const staleWith = async (cursor: string | null): Promise<unknown> => {
    const page = await store.page({ before: cursor, maxRows: 2, maxBytes: 10_000 })
    return page.ok ? page.value : page.error.kind
  }
  for (const cursor of ['', 'p1.0.5', 'p1.99.0.1', 'p1.0.5.999999', '../../etc/passwd'])
    expect(await staleWith(cursor)).toBe('stale_cursor')
  truncateSync(path, 100)
  expect(await staleWith(before)).toBe('stale_cursor')
  writeFileSync(`${path}.new`, 'x'.repeat(5_000))
  renameSync(`${path}.new`, path)
  expect(await staleWith(before)).toBe('stale_cursor')
  await store.close()
})

test('H-3 H-11 a page gives up after enough damage and goes on from there', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a')])
  const noise = `${'z'.repeat(MAX_LINE_BYTES / 2)}\n`.repeat(40)
  appendFileSync(workspace.path('windows', 'w-0.jsonl'), noise)
  const first = await pageOf(store, null)
  expect(first.rowCount).toBe(0)
  expect(first.before).not.toBeNull()
  expect((await allPages(store, 10, 10_000)).map((row) => row.id)).toEqual(['a'])
  await store.close()
})

test('the raw line of a row is found by id and by sequence, byte for byte, and quoted ids do not fool it', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([
    personRow('a', 'see "id":"b"'),
    personRow('b'),
    personRow('dup', 'one'),
    personRow('dup', 'two')
  ])
  await store.appendMany(rolloverBatch('r'))
  const lines = workspace.readWindow('w-0.jsonl').split('\n')
  expect(await store.rawLineOf({ id: 'b' })).toEqual({ ok: true, value: lines[1] })
  expect(await store.rawLineOf({ id: 'dup', historySequence: 4 })).toEqual({ ok: true, value: lines[3] })
  expect(await store.rawLineOf({ id: 'dup', historySequence: 9 })).toEqual({ ok: true, value: null })
  expect(await store.rawLineOf({ id: 'nobody' })).toEqual({ ok: true, value: null })
  await store.close()
})

test('rows after a sequence are found across windows', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a'), personRow('b')])
  await store.appendMany(rolloverBatch('r'))
  await store.appendMany([personRow('c')])
  const after = async (sequence: number): Promise<unknown> => {
    const rows = await store.rowsAfter(sequence)
    return rows.ok && rows.value.map((row) => row.id)
  }
  expect(await after(0)).toEqual(['a', 'b', 'r-boundary', 'r-lead-in', 'r-continue', 'c'])
  expect(await after(1)).toEqual(['b', 'r-boundary', 'r-lead-in', 'r-continue', 'c'])
  expect(await after(4)).toEqual(['r-continue', 'c'])
  expect(await after(6)).toEqual([])
  await store.close()
})

test('F-1 the window in force costs its own bytes, whatever lies before it', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs, durability: 'relaxed' })
  await store.appendMany(Array.from({ length: 100 }, (_, index) => personRow(`old-${index}`, 'x'.repeat(9_000))))
  await store.appendMany(rolloverBatch('r'))
  await store.appendMany(Array.from({ length: 50 }, (_, index) => personRow(`new-${index}`, 'x'.repeat(9_000))))
  observed.calls.length = 0
  const window = await store.activeWindow()
  expect(window.ok && window.value.rows).toHaveLength(53)
  const total = observed.calls.reduce((sum, call) => sum + (call.name === 'read' ? call.bytes : 0), 0)
  expect(total).toBe(Buffer.byteLength(workspace.readWindow('w-101.jsonl')))
  await store.close()
})
