// H-10 and H-14 on a quiet disk: what edits cut, keep and never give again.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { NewRow } from '@common/rows/row-schema'
import type { HistoryStore } from './history-store'
import { assistantRow, personRow, resetRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace, type TempWorkspace } from './testing/temp-workspace'

const CONFIRMED = { isConfirmed: true }

async function accept(store: HistoryStore, ...batches: NewRow[][]): Promise<void> {
  for (const rows of batches) {
    const appended = await store.appendMany(rows)
    if (!appended.ok) throw new Error(appended.error.message)
  }
}

async function verdicts(store: HistoryStore): Promise<string[]> {
  const windows = await store.listWindows()
  if (!windows.ok) throw new Error(windows.error.message)
  const kinds: string[] = []
  for (const { windowId } of windows.value) {
    const verdict = await store.verifyWindow(windowId)
    kinds.push(verdict.ok ? (verdict.value?.kind ?? 'none') : verdict.error.kind)
  }
  return kinds
}

/** Lines that edits cut, as they stood; without our own lines about them. */
function cutLines(workspace: TempWorkspace): string[] {
  if (!existsSync(workspace.path('cut-rows.jsonl'))) return []
  return readFileSync(workspace.path('cut-rows.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{"cut":'))
}

const cutIds = (workspace: TempWorkspace): string[] =>
  cutLines(workspace).map((line) => (JSON.parse(line) as { id: string }).id)

test('H-10 editing a message cuts it and all after it, keeps them aside, and never gives their numbers again', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a'), assistantRow('b')], [personRow('c'), assistantRow('d')])
  const kept = workspace.readWindow('w-0.jsonl').split('\n').slice(0, 2).join('\n')
  const cut = await store.truncateFrom({ id: 'c' }, { isConfirmed: false })
  expect(cut).toEqual({ ok: true, value: { rows: 2, windows: 0, windowId: 'w:0' } })
  expect(workspace.readWindow('w-0.jsonl')).toBe(`${kept}\n`)
  expect(cutIds(workspace)).toEqual(['c', 'd'])
  await accept(store, [personRow('e')])
  expect(workspace.storedRows().map((row) => row.metadata.historySequence)).toEqual([1, 2, 5])
  expect(await verdicts(store)).toEqual(['verified'])
  await store.close()
  expect(existsSync(workspace.path('windows', 'edit.json'))).toBe(false)
})

test('H-10 an edit across a boundary says first what it would take, and takes it only then', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a'), assistantRow('b')], [personRow('c')])
  await accept(store, rolloverBatch('r'), [assistantRow('d')], [resetRow('e'), personRow('f')])
  const before = workspace.storedRows()
  const asked = await store.truncateFrom({ id: 'c' }, { isConfirmed: false })
  expect(asked).toMatchObject({
    ok: false,
    error: { kind: 'needs_confirmation', cut: { rows: 7, windows: 2 }, message: expect.stringContaining('7 rows') }
  })
  expect(workspace.storedRows()).toEqual(before)
  expect(await store.truncateFrom({ id: 'c' }, CONFIRMED)).toMatchObject({ ok: true, value: { rows: 7, windows: 2 } })
  expect(workspace.windowNames()).toEqual(['w-0.jsonl'])
  expect(cutIds(workspace)).toEqual(['c', 'r-boundary', 'r-lead-in', 'r-continue', 'd', 'e', 'f'])
  expect(store.currentWindowId).toBe('w:0')
  await accept(store, [personRow('g')], [resetRow('h')])
  expect(workspace.windowNames()).toEqual(['w-0.jsonl', 'w-11.jsonl'])
  expect(await verdicts(store)).toEqual(['verified', 'verified'])
  await store.close()
})

test('H-10 a cut that begins at a boundary removes its window, and the one before it is in force', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a')], rolloverBatch('r'))
  expect((await store.truncateFrom({ id: 'r-boundary' }, CONFIRMED)).ok).toBe(true)
  const window = await store.activeWindow()
  expect(window.ok && window.value.rows.map((row) => row.id)).toEqual(['a'])
  await store.close()
})

test('H-2 H-10 numbers of cut rows are not given again, with the receipt lost or old', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a')])
  const oldReceipt = readFileSync(workspace.path('append-receipt.json'))
  await accept(store, [personRow('b'), personRow('c')], [personRow('d')])
  await store.truncateFrom({ id: 'b' }, CONFIRMED)
  await store.close()
  let next = 5
  for (const receipt of ['lost', oldReceipt]) {
    writeFileSync(workspace.path('append-receipt.json'), receipt)
    const again = await workspace.open()
    await accept(again, [personRow(`e${next}`)])
    expect(workspace.storedRows().at(-1)?.metadata.historySequence).toBe(next++)
    await again.truncateFrom({ id: `e${next - 1}` }, CONFIRMED)
    await again.close()
  }
})

test('H-10 H-3 kept bytes stay as they were: damaged lines, foreign fields, reset rows, a torn end', async () => {
  const workspace = tempWorkspace()
  const first = await workspace.open()
  await accept(first, [personRow('a')], [resetRow('r'), personRow('b')])
  await first.close()
  const path = workspace.path('windows', 'w-2.jsonl')
  const odd = Buffer.concat([
    Buffer.from('{"id":"odd", "role" : "user","parts":[{"type":"hologram"}],"metadata":{"x":1e3}}\n'),
    Buffer.from([0xff, 0x00, 0x7b, 0x0a]),
    Buffer.from('{"id":"gone","role":"user","parts":[],"metadata":{"historySequence":4}}\n\n{"id":"torn","ro')
  ])
  appendFileSync(path, odd)
  const whole = readFileSync(path)
  const store = await workspace.open()
  expect(await store.deleteRow({ id: 'gone' })).toMatchObject({ ok: true })
  const at = whole.indexOf('{"id":"gone"')
  const end = whole.indexOf(10, at) + 1
  expect(readFileSync(path).equals(Buffer.concat([whole.subarray(0, at), whole.subarray(end)]))).toBe(true)
  expect(cutLines(workspace)).toEqual([whole.toString('utf8', at, end - 1)])
  await accept(store, [personRow('later')])
  await store.truncateFrom({ id: 'odd' }, CONFIRMED)
  const section = readFileSync(workspace.path('cut-rows.jsonl'))
  expect(section.includes(Buffer.from([0xff, 0x00, 0x7b, 0x0a]))).toBe(true)
  expect(section.includes('{"id":"torn","ro\n')).toBe(true)
  expect(readFileSync(path).equals(whole.subarray(0, whole.indexOf('{"id":"odd"')))).toBe(true)
  expect(await verdicts(store)).toEqual(['verified', 'verified'])
  await store.close()
})

test('H-10 one row of a sealed window is deleted; a divider and its lead-in are not', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a'), assistantRow('b'), personRow('c')], rolloverBatch('r'))
  expect(await store.deleteRow({ id: 'b' })).toEqual({ ok: true, value: { rows: 1, windows: 0, windowId: 'w:0' } })
  for (const id of ['r-boundary', 'r-lead-in'])
    expect(await store.deleteRow({ id })).toMatchObject({ ok: false, error: { kind: 'refused' } })
  expect(await store.deleteRow({ id: 'b' })).toMatchObject({ ok: false, error: { kind: 'row_not_found' } })
  expect(workspace.storedIds()).toEqual(['a', 'c', 'r-boundary', 'r-lead-in', 'r-continue'])
  const windows = await store.listWindows()
  expect(windows).toMatchObject({
    value: [
      { rows: 2, isCurrent: false },
      { rows: 3, isCurrent: true }
    ]
  })
  expect(await verdicts(store)).toEqual(['verified', 'verified'])
  await accept(store, [personRow('d')])
  await store.close()
})

test('H-10 a hard clear cuts everything and begins a fresh root window; clearing nothing changes nothing', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  expect(await store.clear()).toMatchObject({ ok: true, value: { rows: 0 } })
  await accept(store, [personRow('a')], rolloverBatch('r'), [resetRow('s')])
  expect(await store.clear()).toMatchObject({ ok: true, value: { rows: 5, windows: 3 } })
  expect(workspace.windowNames()).toEqual([])
  expect(cutIds(workspace)).toEqual(['a', 'r-boundary', 'r-lead-in', 'r-continue', 's'])
  expect(store.currentWindowId).toBe('w:0')
  expect(await store.page({ before: null, maxRows: 9, maxBytes: 9_999 })).toMatchObject({ value: { rowCount: 0 } })
  await accept(store, [personRow('b')])
  expect(workspace.storedRows()).toMatchObject([{ id: 'b', metadata: { historySequence: 6 } }])
  await store.close()
  const again = await workspace.open()
  expect(again.highestSequence).toBe(6)
  expect(await verdicts(again)).toEqual(['verified'])
  await again.close()
})

test('H-8 H-10 every edit begins a new epoch, also one of a sealed window', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a'), personRow('b'), personRow('c')], [resetRow('r'), personRow('d')])
  const epochs: string[] = []
  const note = async (): Promise<void> => {
    const epoch = await store.read((_files, state) => state.epoch)
    epochs.push(epoch.ok ? epoch.value : epoch.error.message)
  }
  await note()
  await store.deleteRow({ id: 'a' })
  await note()
  await store.amendRow({ id: 'b' }, { machine: { type: 'noted' } })
  await note()
  await store.deleteRow({ id: 'd' })
  await note()
  expect(new Set(epochs).size).toBe(4)
  await store.close()
})

test('H-14 amending merges fields into the row as it is on disk and drops nothing that the writer did not know', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const header = { text: 'kept', tokens: 9, skillNames: [], builtAtMs: 1, fromTheFuture: { a: [1] } }
  const summary: NewRow = {
    ...assistantRow('s'),
    metadata: { contextBoundaryKind: 'compaction', postCompactionContext: header }
  }
  await accept(store, [personRow('a')], [summary, personRow('b')])
  const late = await workspace.open()
  await late.amendRow({ id: 's' }, { costUsd: 0.5, laterField: { deep: true } })
  const amended = await store.amendRow(
    { id: 's' },
    { postCompactionContext: { omittedFromRequest: 18 }, machine: { type: 'noted' }, followUp: undefined }
  )
  const stored = workspace.storedRows()[1]
  expect(amended).toEqual({ ok: true, value: stored })
  expect(stored?.metadata).toEqual({
    ...stored?.metadata,
    costUsd: 0.5,
    laterField: { deep: true },
    postCompactionContext: { ...header, omittedFromRequest: 18 },
    machine: { type: 'noted' },
    contextBoundaryKind: 'compaction',
    historySequence: 2
  })
  expect(Object.keys(stored?.metadata ?? {}).slice(-4)).toEqual([
    'machine',
    'contextBoundaryKind',
    'timestamp',
    'historySequence'
  ])
  expect(workspace.storedIds()).toEqual(['a', 's', 'b'])
  expect(await verdicts(store)).toEqual(['verified', 'verified'])
  const index = JSON.parse(readFileSync(workspace.path('windows.json'), 'utf8')) as { amendments: object[] }
  expect(index.amendments).toMatchObject([
    { rowId: 's', windowId: 'w:2', fields: ['costUsd', 'laterField'] },
    { rowId: 's', windowId: 'w:2', fields: ['postCompactionContext', 'machine', 'followUp'] }
  ])
  expect(index.amendments[0]).toHaveProperty('newHash', Reflect.get(index.amendments[1] ?? {}, 'oldHash'))
  await accept(late, [personRow('c')])
  await accept(store, [personRow('d')])
  expect(workspace.storedIds()).toEqual(['a', 's', 'b', 'c', 'd'])
  await late.close()
  await store.close()
})

test('H-14 amending removes a field, changes nothing where nothing changes, and refuses what holds a row in its place', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a', 'x', { followUp: 'text' }), personRow('b')])
  await store.amendRow({ id: 'a' }, { followUp: undefined })
  expect(workspace.storedRows()[0]?.metadata).not.toHaveProperty('followUp')
  const bytes = workspace.readWindow('w-0.jsonl')
  await store.amendRow({ id: 'a' }, { followUp: undefined })
  expect(workspace.readWindow('w-0.jsonl')).toBe(bytes)
  expect(await store.amendRow({ id: 'z' }, { a: 1 })).toMatchObject({ ok: false, error: { kind: 'row_not_found' } })
  expect(await store.amendRow({ id: 'a' }, { note: 'n'.repeat(1_100_000) })).toMatchObject({
    ok: false,
    error: { kind: 'line_too_large' }
  })
  await expect(store.amendRow({ id: 'a' }, { historySequence: 9 })).rejects.toThrow('cannot be amended')
  expect(workspace.readWindow('w-0.jsonl')).toBe(bytes)
  await store.close()
})

test('H-6 H-10 an edit of one row does not vouch for another that had changed on disk', async () => {
  const workspace = tempWorkspace()
  const first = await workspace.open()
  await accept(first, [personRow('a'), personRow('b'), personRow('c'), personRow('d')], [resetRow('r')])
  await first.close()
  const path = workspace.path('windows', 'w-0.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('text of b', 'text of B'))
  const store = await workspace.open()
  await store.deleteRow({ id: 'c' })
  await store.amendRow({ id: 'a' }, { note: 1 })
  expect(await store.verifyWindow('w:0')).toMatchObject({ value: { difference: { rowId: 'b', what: 'changed' } } })
  await store.deleteRow({ id: 'b' })
  expect(await store.verifyWindow('w:0')).toMatchObject({ value: { kind: 'verified' } })
  await store.close()
})
