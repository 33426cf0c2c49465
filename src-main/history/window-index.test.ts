// H-6: what windows.json says, how it comes to say it, and what Verify makes of it.
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { NewRow } from '@common/rows/row-schema'
import type { HistoryStore } from './history-store'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, resetRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace, type TempWorkspace } from './testing/temp-workspace'
import type { WindowDifference } from './verify-window'

const SUMMARY: NewRow = { ...assistantRow('sum'), metadata: { contextBoundaryKind: 'compaction' } }

async function accept(store: HistoryStore, ...batches: NewRow[][]): Promise<void> {
  for (const rows of batches) {
    const appended = await store.appendMany(rows)
    if (!appended.ok) throw new Error(appended.error.message)
  }
}

async function listed(store: HistoryStore) {
  const windows = await store.listWindows()
  if (!windows.ok) throw new Error(windows.error.message)
  return windows.value
}

async function differenceIn(store: HistoryStore, windowId: string): Promise<WindowDifference | null> {
  const verdict = await store.verifyWindow(windowId)
  if (!verdict.ok) throw new Error(verdict.error.message)
  return verdict.value?.kind === 'differs' ? verdict.value.difference : null
}

/** Four windows of every kind: 3, 3, 2 and 2 rows. */
async function fourWindows(store: HistoryStore): Promise<void> {
  await accept(store, [personRow('a'), assistantRow('b')], [personRow('c')])
  await accept(store, rolloverBatch('r'), [resetRow('d'), personRow('e')], [SUMMARY, personRow('f')])
}

test('H-6 windows are listed with kind, rows, bytes, sequences and times, and no row is read for it', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await fourWindows(store)
  await listed(store)
  observed.calls.length = 0
  const windows = await listed(store)
  expect(windows).toMatchObject([
    { windowId: 'w:0', kind: 'root', rows: 3, firstSequence: 1, lastSequence: 3, isCurrent: false },
    { windowId: 'w:4', kind: 'rollover', rows: 3, firstSequence: 4, lastSequence: 6, isCurrent: false },
    { windowId: 'w:7', kind: 'reset', rows: 2, firstSequence: 7, lastSequence: 8, isCurrent: false },
    { windowId: 'w:9', kind: 'compaction', rows: 2, firstSequence: 9, lastSequence: 10, isCurrent: true }
  ])
  for (const { window, bytes, startedAtMs, lastAtMs } of windows) {
    expect(bytes).toBe(statSync(workspace.path('windows', `w-${window}.jsonl`)).size)
    expect(startedAtMs).toBeLessThanOrEqual(lastAtMs ?? 0)
  }
  expect(observed.bytesRead('.jsonl')).toBe(0)
  await accept(store, [personRow('g')])
  observed.calls.length = 0
  expect((await listed(store)).at(-1)).toMatchObject({ rows: 3, lastSequence: 11 })
  expect(observed.bytesRead('.jsonl')).toBe(0)
  await store.close()
})

test('H-6 the file holds the hash of each sealed window and one of each row', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await fourWindows(store)
  await store.close()
  const index = JSON.parse(readFileSync(workspace.path('windows.json'), 'utf8')) as {
    windows: { window: number; sha256: string | null; hashes: string; rows: number }[]
  }
  const hashOf = (window: number): string =>
    createHash('sha256')
      .update(readFileSync(workspace.path('windows', `w-${window}.jsonl`)))
      .digest('hex')
  expect(index.windows.map(({ window, sha256 }) => [window, sha256])).toEqual([
    [0, hashOf(0)],
    [4, hashOf(4)],
    [7, hashOf(7)],
    [9, null]
  ])
  for (const { hashes, rows } of index.windows) expect(Buffer.from(hashes, 'base64url')).toHaveLength(8 * rows)
  expect(statSync(workspace.path('windows.json')).mode & 0o777).toBe(0o600)
})

test('H-6 an append writes the window once and syncs once; the index costs it nothing', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await accept(store, [personRow('a')], [personRow('b')])
  observed.calls.length = 0
  await accept(store, [personRow('c'), assistantRow('d')])
  expect(observed.count('write', 'w-0.jsonl')).toBe(1)
  expect(observed.count('datasync') + observed.count('sync')).toBe(1)
  expect(observed.calls.filter(({ path }) => path.includes('windows.json'))).toEqual([])
  await store.close()
})

test.each([
  ['missing', (workspace: TempWorkspace) => rmSync(workspace.path('windows.json'))],
  ['no JSON', (workspace: TempWorkspace) => writeFileSync(workspace.path('windows.json'), '{"windows":[{')],
  ['empty', (workspace: TempWorkspace) => writeFileSync(workspace.path('windows.json'), '')],
  ['of another form', (workspace: TempWorkspace) => writeFileSync(workspace.path('windows.json'), '[1,2]')],
  [
    'damaged in one entry',
    (workspace: TempWorkspace) => {
      const text = readFileSync(workspace.path('windows.json'), 'utf8')
      writeFileSync(workspace.path('windows.json'), text.replace('"kind":"rollover"', '"kind":7'))
    }
  ]
])('H-6 an index that is %s is made anew from the windows', async (_name, damage) => {
  const workspace = tempWorkspace()
  const first = await workspace.open()
  await fourWindows(first)
  const before = await listed(first)
  await first.close()
  damage(workspace)
  const store = await workspace.open()
  expect(await listed(store)).toEqual(before)
  await accept(store, [personRow('later')])
  await store.close()
  const again = await workspace.open()
  expect((await listed(again)).at(-1)?.rows).toBe(3)
  for (const { windowId } of before) expect(await differenceIn(again, windowId)).toBeNull()
  await again.close()
})

test('H-6 fields of a newer version stay in the index', async () => {
  const workspace = tempWorkspace()
  const first = await workspace.open()
  await accept(first, [personRow('a')])
  await first.close()
  const index = JSON.parse(readFileSync(workspace.path('windows.json'), 'utf8')) as object
  writeFileSync(workspace.path('windows.json'), JSON.stringify({ ...index, signedBy: { key: 'k' } }))
  const store = await workspace.open()
  await accept(store, [personRow('b')])
  await store.close()
  expect(JSON.parse(readFileSync(workspace.path('windows.json'), 'utf8'))).toMatchObject({ signedBy: { key: 'k' } })
})

test('H-6 a stale index catches up with windows and rows of another process', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a')])
  await listed(store)
  const other = await workspace.open()
  await accept(other, [personRow('b')], rolloverBatch('r'))
  await other.close()
  expect(await listed(store)).toMatchObject([
    { windowId: 'w:0', rows: 2, isCurrent: false },
    { windowId: 'w:3', rows: 3, isCurrent: true }
  ])
  await store.close()
})

test('H-6 any flipped byte of any window is told by the very row that it is in', async () => {
  const workspace = tempWorkspace()
  const first = await workspace.open()
  await accept(first, [personRow('a', 'ä'), assistantRow('b')], [personRow('c')])
  await accept(first, [resetRow('d'), personRow('e')], [personRow('f')])
  await first.close()
  const store = await workspace.open()
  for (const [windowId, name] of [
    ['w:0', 'w-0.jsonl'],
    ['w:4', 'w-4.jsonl']
  ] as const) {
    const path = workspace.path('windows', name)
    const good = readFileSync(path)
    expect(await differenceIn(store, windowId)).toBeNull()
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(path, bad)
      const line = good.subarray(0, at).filter((byte) => byte === 10).length + 1
      const sequence = line + (windowId === 'w:0' ? 0 : 3)
      expect(await differenceIn(store, windowId), `byte ${at}`).toMatchObject({
        windowId,
        what: 'changed',
        line,
        historySequence: sequence
      })
    }
    writeFileSync(path, good)
    expect(await differenceIn(store, windowId)).toBeNull()
  }
  await store.close()
}, 60_000)

test('H-6 Verify tells a row that is gone, one too many, and two that changed places', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a'), personRow('b'), personRow('c'), personRow('d')], [resetRow('r')])
  await listed(store)
  const path = workspace.path('windows', 'w-0.jsonl')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const [a = '', b = '', c = '', d = ''] = lines
  const with_ = async (changed: readonly string[]): Promise<WindowDifference | null> => {
    writeFileSync(path, changed.map((line) => `${line}\n`).join(''))
    return differenceIn(store, 'w:0')
  }
  expect(await with_([a, c, d])).toMatchObject({ what: 'missing', line: 2, historySequence: 2, rowId: null })
  expect(await with_([a, b, c])).toMatchObject({ what: 'missing', line: 4, historySequence: 4 })
  expect(await with_([])).toMatchObject({ what: 'missing', line: 1, historySequence: 1 })
  expect(await with_([a, b, '{"id":"x","role":"user","parts":[],"metadata":{}}', c, d])).toMatchObject({
    what: 'added',
    line: 3,
    rowId: 'x',
    historySequence: null
  })
  expect(await with_([a, b, c, d, a])).toMatchObject({ what: 'added', line: 5, rowId: 'a' })
  expect(await with_([a, b, '', c, d])).toMatchObject({ what: 'added', line: 3, rowId: null })
  expect(await with_([a, c, b, d])).toMatchObject({ what: 'order', line: 2, rowId: 'c', historySequence: 3 })
  expect(await with_([a, b.replace('text of b', 'text of B'), c, d])).toMatchObject({
    what: 'changed',
    line: 2,
    rowId: 'b',
    historySequence: 2
  })
  writeFileSync(path, [a, b, c, d].join('\n'))
  expect(await differenceIn(store, 'w:0')).toMatchObject({ what: 'changed', line: 4, rowId: 'd' })
  rmSync(path)
  expect(await differenceIn(store, 'w:0')).toMatchObject({ what: 'missing', historySequence: 1 })
  await with_([a, b, c, d])
  expect(await differenceIn(store, 'w:0')).toBeNull()
  await store.close()
})

test('H-6 H-8 rows appended right before a crash are covered by the receipt, for the next process too', async () => {
  const workspace = tempWorkspace()
  const dying = await workspace.open()
  await accept(dying, [personRow('a')], [personRow('b'), personRow('c')], [personRow('d')])
  workspace.buryOwners()
  const path = workspace.path('windows', 'w-0.jsonl')
  const good = readFileSync(path, 'utf8')
  writeFileSync(path, good.replace('text of c', 'text of C'))
  const store = await workspace.open()
  expect(await differenceIn(store, 'w:0')).toMatchObject({ what: 'changed', line: 3, rowId: 'c', historySequence: 3 })
  // What is said of a window is not taken back because it was written down meanwhile.
  await accept(store, [personRow('e')])
  await store.close()
  const again = await workspace.open()
  expect(await differenceIn(again, 'w:0')).toMatchObject({ what: 'changed', rowId: 'c' })
  await again.close()
})

test('H-3 H-6 damaged and over-long lines are lines of the index, and a torn last line is noted once it is closed', async () => {
  const workspace = tempWorkspace()
  const first = await workspace.open()
  await accept(first, [personRow('a')])
  await first.close()
  const path = workspace.path('windows', 'w-0.jsonl')
  appendFileSync(path, `no json\n${'x'.repeat(1_300_000)}\n{"torn`)
  const store = await workspace.open()
  expect(await listed(store)).toMatchObject([{ rows: 1, bytes: statSync(path).size }])
  expect(await differenceIn(store, 'w:0')).toBeNull()
  await accept(store, [personRow('b')])
  expect(await listed(store)).toMatchObject([{ rows: 2, bytes: statSync(path).size }])
  expect(await differenceIn(store, 'w:0')).toBeNull()
  await store.close()
  const bytes = readFileSync(path)
  bytes[900_000] = 121
  writeFileSync(path, bytes)
  const again = await workspace.open()
  expect(await differenceIn(again, 'w:0')).toMatchObject({ what: 'changed', line: 3, rowId: null })
  await again.close()
})

test('H-1 H-6 an index that cannot be written fails no append', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  const { rename, open } = observed.fs
  const refuse = (path: string): void => {
    if (path.includes('windows.json')) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'open' })
  }
  observed.fs.open = (path, flags, mode) => (refuse(path), open(path, flags, mode))
  observed.fs.rename = (from, to) => (refuse(to), rename(from, to))
  await fourWindows(store)
  await store.close()
  expect(workspace.windowNames()).toHaveLength(4)
  const next = await workspace.open()
  expect(await listed(next)).toHaveLength(4)
  await next.close()
})
