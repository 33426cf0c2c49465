import { chmodSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_LINE_BYTES } from '@common/constants'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, resetRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace } from './testing/temp-workspace'

test('H-1 a batch is one write and one sync on a kept descriptor', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await store.appendMany([personRow('first')])
  await store.appendMany([personRow('second')])
  observed.calls.length = 0
  const appended = await store.appendMany([personRow('a'), assistantRow('b'), personRow('c')])
  expect(appended.ok).toBe(true)
  expect(observed.count('write', 'w-0.jsonl')).toBe(1)
  expect(observed.count('datasync', 'w-0.jsonl')).toBe(1)
  expect(observed.count('sync')).toBe(0)
  expect(observed.count('open')).toBe(0)
  expect(observed.count('list')).toBe(0)
  await store.close()
})

test('H-1 durability relaxed writes once and waits for no disk', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs, durability: 'relaxed' })
  await store.appendMany([personRow('a')])
  await store.appendMany([personRow('b')])
  await store.appendMany(rolloverBatch('r'))
  expect(observed.count('datasync') + observed.count('sync') + observed.count('syncFolder')).toBe(0)
  expect(workspace.storedIds()).toEqual(['a', 'b', 'r-boundary', 'r-lead-in', 'r-continue'])
  await store.close()
})

test('H-1 H-2 rows keep their order and get consecutive sequences from 1, over all windows', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const first = await store.appendMany([personRow('a'), assistantRow('b')])
  expect(first.ok && first.value.map((row) => row.metadata.historySequence)).toEqual([1, 2])
  await store.appendMany(rolloverBatch('r'))
  await store.appendMany([personRow('c')])
  expect(workspace.storedIds()).toEqual(['a', 'b', 'r-boundary', 'r-lead-in', 'r-continue', 'c'])
  expect(workspace.storedRows().map((row) => row.metadata.historySequence)).toEqual([1, 2, 3, 4, 5, 6])
  expect(store.highestSequence).toBe(6)
  await store.close()
})

test('H-1 batches asked for at once come one after the other, whole', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const batches = Array.from({ length: 20 }, (_, batch) => [personRow(`${batch}-0`), assistantRow(`${batch}-1`)])
  await Promise.all(batches.map((batch) => store.appendMany(batch)))
  expect(workspace.storedIds()).toEqual(batches.flat().map((row) => row.id))
  await store.close()
})

test('H-2 sequences go on after a restart, and are not given again after rows were cut away', async () => {
  const workspace = tempWorkspace()
  const before = await workspace.open()
  await before.appendMany([personRow('a'), personRow('b'), personRow('c')])
  await before.close()
  const [kept] = workspace.readWindow('w-0.jsonl').split('\n')
  writeFileSync(workspace.path('windows', 'w-0.jsonl'), `${kept}\n`)
  const after = await workspace.open()
  expect(after.highestSequence).toBe(3)
  const appended = await after.appendMany([personRow('d')])
  expect(appended.ok && appended.value[0]?.metadata.historySequence).toBe(4)
  await after.close()
})

test.each([
  ['missing', (path: string) => unlinkSync(path)],
  ['damaged', (path: string) => writeFileSync(path, '{"receipt":{"highestSequence":1')],
  [
    'forged',
    (path: string) =>
      writeFileSync(path, readFileSync(path, 'utf8').replace('"highestSequence":6', '"highestSequence":2'))
  ]
])('H-2 with a %s receipt the highest sequence is found in the windows', async (_name, spoil) => {
  const workspace = tempWorkspace()
  const before = await workspace.open()
  await before.appendMany([personRow('a'), personRow('b')])
  await before.appendMany(rolloverBatch('r'))
  await before.appendMany([personRow('c')])
  await before.close()
  spoil(workspace.path('append-receipt.json'))
  const after = await workspace.open()
  expect(after.highestSequence).toBe(6)
  await after.close()
})

test('H-2 rows appended behind our back are counted from, in this window and in a newer one', async () => {
  const workspace = tempWorkspace()
  const ours = await workspace.open()
  await ours.appendMany([personRow('a')])
  const theirs = await workspace.open()
  await theirs.appendMany([personRow('b')])
  await ours.appendMany([personRow('c')])
  await theirs.appendMany(rolloverBatch('r'))
  const seen = await ours.activeWindow()
  expect(seen.ok && seen.value.windowId).toBe('w:4')
  await ours.appendMany([personRow('d')])
  await theirs.appendMany([personRow('e')])
  expect(workspace.storedRows().map((row) => row.metadata.historySequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(workspace.windowNames()).toEqual(['w-0.jsonl', 'w-4.jsonl'])
  expect(workspace.readWindow('w-4.jsonl')).toContain('"id":"d"')
  await ours.close()
  await theirs.close()
})

test('H-1 a row over the line limit is refused with its size, and nothing of its batch is written', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a')])
  const appended = await store.appendMany([personRow('b'), personRow('huge', 'é'.repeat(MAX_LINE_BYTES / 2))])
  expect(appended).toMatchObject({ ok: false, error: { kind: 'line_too_large', rowId: 'huge' } })
  expect(workspace.storedIds()).toEqual(['a'])
  const fits = await store.appendMany([personRow('large', 'x'.repeat(MAX_LINE_BYTES - 300))])
  expect(fits.ok).toBe(true)
  await store.close()
})

test('H-5 a boundary that is not the first of its batch is a bug', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await expect(store.appendMany([personRow('a'), resetRow('r')])).rejects.toThrow('only the first may be one')
  expect((await store.appendMany([personRow('b')])).ok).toBe(true)
  await store.close()
})

test('S-3 machine stands before contextBoundaryKind in the line, whatever order it came in', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([
    {
      id: 'r',
      role: 'user',
      parts: [],
      metadata: { contextBoundaryKind: 'reset', machine: { type: 'context-window-rollover' } }
    }
  ])
  expect(workspace.readWindow('w-1.jsonl')).toMatch(/"machine":.*"contextBoundaryKind":.*"historySequence":1}}\n$/)
  await store.close()
})

test('folders are 0700 and files 0600 whatever the umask, and an open folder is closed', async () => {
  const workspace = tempWorkspace()
  const old = process.umask(0)
  try {
    chmodSync(workspace.dir, 0o755)
    const store = await workspace.open()
    await store.appendMany([personRow('a')])
    await store.appendMany(rolloverBatch('r'))
    await store.writePartial(assistantRow('p'))
    process.umask(0o277)
    await store.appendMany(rolloverBatch('s'))
    const modeOf = (...names: string[]): number => statSync(join(workspace.dir, ...names)).mode & 0o777
    expect([modeOf(), modeOf('windows')]).toEqual([0o700, 0o700])
    const files = ['append-receipt.json', 'partial.json', 'windows/w-0.jsonl', 'windows/w-2.jsonl', 'windows/w-5.jsonl']
    expect(files.map((file) => modeOf(file))).toEqual(files.map(() => 0o600))
    await store.close()
  } finally {
    process.umask(old)
  }
})

test('a closed store answers so, and gives its files back', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  const last = store.appendMany([personRow('a')])
  await store.close()
  await store.close()
  expect((await last).ok).toBe(true)
  expect(await store.appendMany([personRow('b')])).toMatchObject({ ok: false, error: { kind: 'closed' } })
  expect(observed.openFiles()).toEqual([])
})
