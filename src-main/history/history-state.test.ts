import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { silentLog } from '../files/log'
import { stampHash } from './append-receipt'
import { type HistoryReader, historyReaderOf } from './history-reader'
import { type HistoryState, isPrefixKept } from './history-state'
import { observeFileSystem } from './testing/faulty-file-system'
import { personRow, resetRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace, testClock } from './testing/temp-workspace'
import { windowPath } from './window-files'

/** What a cursor into this window would hold now. */
interface Then {
  readonly window: number
  readonly epoch: string
  readonly stamp: string
}

async function stateOf(reader: HistoryReader): Promise<HistoryState> {
  const state = await reader.read((_files, found) => found)
  if (!state.ok) throw new Error(state.error.message)
  return state.value
}

async function noteOf(reader: HistoryReader, window: number): Promise<Then> {
  const note = await reader.read((files, { epoch }) => {
    const stamp = files.fs.stat(windowPath(files, window))
    return { window, epoch, stamp: stamp === null ? '' : stampHash(window, stamp) }
  })
  if (!note.ok) throw new Error(note.error.message)
  return note.value
}

async function isKept(reader: HistoryReader, then: Then): Promise<boolean> {
  const kept = await reader.read((files, state) => isPrefixKept(files, state, then))
  return kept.ok && kept.value
}

function readerOf(workspaceDir: string): HistoryReader {
  return historyReaderOf({ workspaceDir, clock: testClock, log: silentLog })
}

/** So that a write a moment later shows in the time, whatever the clock's grain. */
function ageFile(path: string): void {
  utimesSync(path, 1_000_000, 1_000_000)
}

test('H-8 the epoch stays over appends of this process and of another one, also over a new window', async () => {
  const workspace = tempWorkspace()
  const [store, other] = [await workspace.open(), await workspace.open()]
  await store.appendMany([personRow('a')])
  const then = await noteOf(store, 0)
  await store.appendMany([personRow('b')])
  await other.appendMany([personRow('c')])
  await store.appendMany(rolloverBatch('r'))
  await other.appendMany([personRow('d')])
  for (const reader of [store, other, readerOf(workspace.dir)]) {
    expect((await stateOf(reader)).epoch).toBe(then.epoch)
    expect(await isKept(reader, then)).toBe(true)
  }
  await store.close()
  await other.close()
  const again = await workspace.open()
  expect(await isKept(again, then)).toBe(true)
  await again.close()
})

test('H-8 files put there by hand have one epoch to every reader, and keep it over appends', async () => {
  const workspace = tempWorkspace()
  mkdirSync(workspace.path('windows'))
  writeFileSync(workspace.path('windows', 'w-0.jsonl'), `${JSON.stringify(personRow('a'))}\n`)
  const then = await noteOf(readerOf(workspace.dir), 0)
  const store = await workspace.open()
  expect((await stateOf(store)).epoch).toBe(then.epoch)
  await store.appendMany([personRow('b')])
  await store.appendMany([personRow('c')])
  expect(await isKept(store, then)).toBe(true)
  expect(await isKept(readerOf(workspace.dir), then)).toBe(true)
  await store.close()
})

test('H-8 an untracked append, a rewrite and a same-size rewrite each begin a new epoch', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a'), personRow('b')])
  const path = workspace.path('windows', 'w-0.jsonl')
  const changes = [
    () => appendFileSync(path, `${JSON.stringify(personRow('foreign'))}\n`),
    () => writeFileSync(path, readFileSync(path, 'utf8').replace('text of a', 'TEXT OF A')),
    () => {
      writeFileSync(`${path}.new`, readFileSync(path))
      renameSync(`${path}.new`, path)
    }
  ]
  for (const change of changes) {
    ageFile(path)
    const then = await noteOf(store, 0)
    const { size } = statSync(path)
    change()
    expect(await isKept(store, then)).toBe(false)
    expect(await isKept(readerOf(workspace.dir), then)).toBe(false)
    await store.appendMany([personRow(`after-${size}`)])
    expect(await isKept(store, then)).toBe(false)
  }
  await store.close()
})

test('H-8 a sealed window that was rewritten is not the one that a cursor meant', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a'), personRow('b')])
  const whileNewest = await noteOf(store, 0)
  await store.appendMany([personRow('c')])
  await store.appendMany([resetRow('reset')])
  const whileSealed = await noteOf(store, 0)
  await store.appendMany([personRow('d')])
  expect(await isKept(store, whileNewest)).toBe(true)
  expect(await isKept(store, whileSealed)).toBe(true)
  const path = workspace.path('windows', 'w-0.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('text of a', 'TEXT OF A'))
  ageFile(path)
  expect(await isKept(store, whileNewest)).toBe(false)
  expect(await isKept(store, whileSealed)).toBe(false)
  await store.close()
})

test('H-8 a cursor into the newest window outlives some new windows, and then expires rather than lie', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a')])
  const then = await noteOf(store, 0)
  await store.appendMany([personRow('b')])
  const kept: boolean[] = []
  for (let rollover = 0; rollover < 10; rollover++) {
    await store.appendMany(rolloverBatch(`r${rollover}`))
    kept.push(await isKept(store, then))
  }
  expect(kept).toEqual([true, true, true, true, true, true, true, true, false, false])
  expect(readFileSync(workspace.path('append-receipt.json'))).toHaveLength(1_024)
  await store.close()
})

test('H-8 a failed append that was undone keeps the epoch', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await store.appendMany([personRow('a')])
  const then = await noteOf(store, 0)
  observed.arm({ failAt: observed.calls.length === 0 ? 0 : 3, mode: 'refused', code: 'ENOSPC' })
  for (let attempt = 0; observed.struck() === null; attempt++) await store.appendMany([personRow(`x-${attempt}`)])
  observed.arm(null)
  await store.appendMany([personRow('b')])
  expect(await isKept(store, then)).toBe(true)
  await store.close()
})

test('H-8 a look that meets a writer between its bytes and its receipt waits for the receipt', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a')])
  const then = await noteOf(store, 0)
  const receipt = readFileSync(workspace.path('append-receipt.json'))
  await store.appendMany([personRow('b')])
  const newer = readFileSync(workspace.path('append-receipt.json'))
  await store.close()
  writeFileSync(workspace.path('append-receipt.json'), receipt)
  writeFileSync(workspace.path('history.lock'), '{}')
  let waits = 0
  const sleep = async (): Promise<void> => {
    if (++waits === 3) writeFileSync(workspace.path('append-receipt.json'), newer)
  }
  const reader = historyReaderOf({ workspaceDir: workspace.dir, clock: { sleep }, log: silentLog })
  expect(await isKept(reader, then)).toBe(true)
  expect(waits).toBe(3)
})
