import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LINE_BYTES } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import type { HistoryStore } from './history-store'
import { type HistorySpan, readPageAfter, readPageAround, readPageAtWindow } from './page-span'
import { isLong } from './testing/long-form'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace } from './testing/temp-workspace'

const BOUNDS = { maxRows: 10, maxBytes: 60_000 }

function rowsOf({ lines }: Pick<HistorySpan, 'lines'>): Row[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

async function around(
  store: HistoryStore,
  id: string,
  bounds = BOUNDS,
  historySequence?: number
): Promise<HistorySpan> {
  const row = historySequence === undefined ? { id } : { id, historySequence }
  const page = await readPageAround(store, row, bounds)
  if (!page.ok) throw new Error(page.error.message)
  if (page.value === null) throw new Error('the row is not there')
  return page.value
}

async function after(store: HistoryStore, cursor: string, bounds = BOUNDS): Promise<HistorySpan> {
  const page = await store.read((files) => readPageAfter(files, cursor, bounds))
  if (!page.ok) throw new Error(page.error.message)
  if (!page.value.ok) throw new Error(page.value.error.message)
  return page.value.value
}

/** Every row, walked from the page around one of them to both ends. */
async function walked(store: HistoryStore, id: string, bounds: typeof BOUNDS): Promise<Row[]> {
  const middle = await around(store, id, bounds)
  expect(rowsOf(middle).map((row) => row.id)).toContain(id)
  expect(middle.rowCount).toBeLessThanOrEqual(bounds.maxRows)
  expect(Buffer.byteLength(middle.lines)).toBeLessThanOrEqual(Math.max(bounds.maxBytes, 4_096))
  const rows = rowsOf(middle)
  for (let cursor = middle.before; cursor !== null;) {
    const page = await store.page({ before: cursor, ...bounds })
    if (!page.ok) throw new Error(page.error.message)
    rows.unshift(...rowsOf(page.value))
    cursor = page.value.before
  }
  for (let cursor = middle.after; cursor !== null;) {
    const page = await after(store, cursor, bounds)
    rows.push(...rowsOf(page))
    cursor = page.after
  }
  return rows
}

test('S-9 H-11 from the page around any row every other row is reached, both ways, once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constant('rollover' as const)), {
        minLength: 1,
        maxLength: 30
      }),
      fc.nat(),
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 9_000, max: 40_000 }),
      async (script, which, maxRows, maxBytes) => {
        const workspace = tempWorkspace()
        const store = await workspace.open({ durability: 'relaxed' })
        for (const [index, step] of script.entries())
          if (step === 'rollover') await store.appendMany(rolloverBatch(`r${index}`))
          else await store.appendMany([personRow(`p${index}`, 'ä'.repeat(step / 2))])
        const rows = workspace.storedRows()
        const id = rows[which % rows.length]?.id ?? ''
        expect(await walked(store, id, { maxRows, maxBytes })).toEqual(rows)
        await store.close()
      }
    ),
    { seed: 119, numRuns: isLong ? 400 : 20 }
  )
})

test('S-9 a row of two with one id is told apart by its sequence; one that is nowhere is null', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([
    personRow('twin', 'one'),
    ...Array.from({ length: 30 }, (_, at) => personRow(`p${at}`)),
    personRow('twin', 'two')
  ])
  expect(rowsOf(await around(store, 'twin', BOUNDS, 32)).at(-1)).toMatchObject({
    id: 'twin',
    metadata: { historySequence: 32 }
  })
  expect(rowsOf(await around(store, 'twin', BOUNDS, 1))[0]).toMatchObject({
    id: 'twin',
    metadata: { historySequence: 1 }
  })
  expect(await readPageAround(store, { id: 'nobody' }, BOUNDS)).toEqual({ ok: true, value: null })
  expect(await readPageAround(store, { id: 'twin', historySequence: 9 }, BOUNDS)).toEqual({ ok: true, value: null })
  await store.close()
})

test('U-3 a page around the beginning of a window holds its first row and goes on both ways; no row is looked for', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await store.appendMany(Array.from({ length: 40 }, (_, at) => personRow(`a${at}`)))
  await store.appendMany(rolloverBatch('r'))
  await store.appendMany(Array.from({ length: 40 }, (_, at) => personRow(`b${at}`, 'x'.repeat(20_000))))
  observed.calls.length = 0
  const bounds = { maxRows: 10, maxBytes: 65_536 }
  const read = await readPageAtWindow(store, 'w:41', bounds)
  const page = read.ok ? read.value : null
  if (page === null) throw new Error('no page')
  expect(observed.bytesRead('w-41.jsonl')).toBeLessThan(600_000)
  const sequences = rowsOf(page).map((row) => row.metadata.historySequence ?? 0)
  expect(sequences).toContain(41)
  expect(sequences).toEqual(sequences.map((_, at) => (sequences[0] ?? 0) + at))
  expect(sequences[0]).toBeLessThan(41)
  expect([page.before, page.after].every((cursor) => cursor !== null)).toBe(true)
  for (const windowId of ['w:40', 'w:m:r'])
    expect(await readPageAtWindow(store, windowId, bounds)).toEqual({ ok: true, value: null })
  await store.close()
})

test('S-9 rows appended meanwhile are on the pages after; the newest page has no cursor', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany(Array.from({ length: 20 }, (_, at) => personRow(`p${at}`)))
  const page = await around(store, 'p3')
  expect(page.after).not.toBeNull()
  await store.appendMany(rolloverBatch('r'))
  await store.appendMany([personRow('last')])
  const rest: string[] = []
  for (let cursor = page.after; cursor !== null;) {
    const next = await after(store, cursor)
    rest.push(...rowsOf(next).map((row) => row.id))
    cursor = next.after
  }
  expect(rest.at(-1)).toBe('last')
  expect((await around(store, 'last')).after).toBeNull()
  await store.close()
})

test('S-9 H-3 damage around a row is passed over and counted; a large row is a placeholder', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a'), assistantRow('large', 'x'.repeat(90_000))])
  appendFileSync(workspace.path('windows', 'w-0.jsonl'), `{"torn\n${'z'.repeat(MAX_LINE_BYTES + 9)}\n`)
  await store.appendMany([personRow('b')])
  const page = await around(store, 'large')
  expect(rowsOf(page).map((row) => row.id)).toEqual(['a', 'large', 'b'])
  expect(rowsOf(page)[1]).toMatchObject({ metadata: { machine: { type: 'oversized-row' } } })
  expect(page.damage.total).toBe(2)
  await store.close()
})

test('S-9 a cursor of another form, of a rewritten or a cut file is stale', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany(Array.from({ length: 20 }, (_, at) => personRow(`p${at}`)))
  const { after: cursor } = await around(store, 'p3')
  const kindOf = async (text: string): Promise<string> => {
    const page = await store.read((files) => readPageAfter(files, text, BOUNDS))
    if (!page.ok) return page.error.kind
    return page.value.ok ? 'ok' : page.value.error.kind
  }
  for (const text of ['', 'p1.0.5', 'p1.99.0.1', 'p1.0.5.999999']) expect(await kindOf(text)).toBe('stale_cursor')
  expect(await kindOf(cursor ?? '')).toBe('ok')
  const path = workspace.path('windows', 'w-0.jsonl')
  writeFileSync(`${path}.new`, 'x'.repeat(5_000))
  renameSync(`${path}.new`, path)
  expect(await kindOf(cursor ?? '')).toBe('stale_cursor')
  await store.close()
})
