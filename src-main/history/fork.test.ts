// H-10: a fork holds what its parent held up to a row; the parent does not notice, not even in mid-stream.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { NewRow } from '@common/rows/row-schema'
import { openAttachments } from './attachments'
import type { HistoryStore } from './history-store'
import { openSpill } from './spill'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, rolloverBatch, toolPart } from './testing/row-builders'
import { TempWorkspace, tempWorkspace } from './testing/temp-workspace'

/** Where a fork goes; its folder is not there yet. */
function forkTarget(workspace: TempWorkspace): TempWorkspace {
  const folder = mkdtempSync(join(dirname(workspace.dir), 'tidemark-forks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return new TempWorkspace(join(folder, 'fork'))
}

async function accept(store: HistoryStore, ...batches: NewRow[][]): Promise<void> {
  for (const rows of batches) {
    const appended = await store.appendMany(rows)
    if (!appended.ok) throw new Error(appended.error.message)
  }
}

/** Every file of a folder with its content, inode and times; but for locks, which are given back a little later. */
function pictureOf(folder: string): Record<string, string> {
  const picture: Record<string, string> = {}
  const walk = (path: string, name: string): void => {
    const stats = statSync(path, { bigint: true })
    if (stats.isDirectory()) for (const each of readdirSync(path)) walk(join(path, each), `${name}/${each}`)
    else if (!name.startsWith('/history.lock'))
      picture[name] = `${stats.ino} ${stats.mtimeNs} ${readFileSync(path, 'base64')}`
  }
  walk(folder, '')
  return picture
}

const WHOLE = { upTo: null, isInclusive: true }

test('H-10 a fork holds the windows up to a row, with it or without it, byte for byte', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a'), assistantRow('b')], rolloverBatch('r'), [assistantRow('c'), personRow('d')])
  for (const [id, isInclusive, expected] of [
    ['b', true, ['a', 'b']],
    ['b', false, ['a']],
    ['a', false, []],
    ['c', true, ['a', 'b', 'r-boundary', 'r-lead-in', 'r-continue', 'c']],
    ['d', false, ['a', 'b', 'r-boundary', 'r-lead-in', 'r-continue', 'c']],
    ['r-boundary', false, ['a', 'b']]
  ] as const) {
    const target = forkTarget(workspace)
    const forked = await store.forkTo({ targetDir: target.dir, upTo: { id }, isInclusive })
    expect(forked, id).toMatchObject({ ok: true, value: { rows: expected.length } })
    expect(target.storedIds(), id).toEqual(expected)
    for (const name of target.windowNames())
      expect(workspace.readWindow(name).startsWith(target.readWindow(name))).toBe(true)
  }
  const missing = await store.forkTo({ targetDir: forkTarget(workspace).dir, upTo: { id: 'z' }, isInclusive: true })
  expect(missing).toMatchObject({ ok: false, error: { kind: 'row_not_found' } })
  await store.close()
})

test('H-10 a fork goes on by itself: copied files, own numbers, a window index of its own', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a')], rolloverBatch('r'), [assistantRow('b'), assistantRow('c')])
  const target = forkTarget(workspace)
  await store.forkTo({ targetDir: target.dir, upTo: { id: 'b' }, isInclusive: true })
  for (const name of target.windowNames()) {
    const copy = statSync(target.path('windows', name))
    expect(copy.ino).not.toBe(statSync(workspace.path('windows', name)).ino)
    expect([copy.nlink, copy.mode & 0o777]).toEqual([1, 0o600])
  }
  const before = pictureOf(workspace.dir)
  const fork = await target.open()
  await accept(fork, [personRow('e')])
  expect(target.storedRows().at(-1)?.metadata.historySequence).toBe(6)
  expect((await fork.truncateFrom({ id: 'a' }, { isConfirmed: true })).ok).toBe(true)
  for (const { windowId } of [{ windowId: 'w:0' }])
    expect(await fork.verifyWindow(windowId)).toMatchObject({ value: null })
  await fork.close()
  expect(pictureOf(workspace.dir)).toEqual(before)
  await accept(store, [personRow('d')])
  expect(workspace.storedIds().slice(-3)).toEqual(['b', 'c', 'd'])
  await store.close()
})

test('H-10 a fork in mid-stream leaves the parent byte for byte as it was, and takes no half answer along', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a')])
  await store.writePartial({ ...assistantRow('live'), parts: [toolPart('call', { state: 'input-available' })] })
  await store.read(() => null)
  const before = pictureOf(workspace.dir)
  const target = forkTarget(workspace)
  expect(await store.forkTo({ targetDir: target.dir, ...WHOLE })).toMatchObject({ ok: true, value: { rows: 1 } })
  expect(pictureOf(workspace.dir)).toEqual(before)
  expect(readdirSync(target.dir).toSorted()).toEqual(['windows', 'windows.json'])
  expect((await store.commitPartial([assistantRow('live')])).ok).toBe(true)
  const fork = await target.open()
  expect(await fork.recoverPartial()).toEqual({ ok: true, value: [] })
  await fork.close()
  await store.close()
})

test('H-10 appends go on while a fork is copied, and none of them is in it or lost', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await accept(store, [personRow('a'), assistantRow('b')], [personRow('c')])
  const { copyFile } = observed.fs
  observed.fs.copyFile = async (from, to) => {
    await accept(store, [personRow('meanwhile')])
    await copyFile(from, to)
  }
  const target = forkTarget(workspace)
  const forked = await store.forkTo({ targetDir: target.dir, upTo: { id: 'c' }, isInclusive: true })
  expect(forked.ok).toBe(true)
  expect(target.storedIds()).toEqual(['a', 'b', 'c'])
  expect(workspace.storedIds()).toEqual(['a', 'b', 'c', 'meanwhile'])
  await store.close()
})

test('H-10 an edit during the copy refuses the fork instead of mixing two states', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await accept(store, [personRow('a'), assistantRow('b'), personRow('c')])
  const { copyFile } = observed.fs
  observed.fs.copyFile = async (from, to) => {
    await store.deleteRow({ id: 'a' })
    await copyFile(from, to)
  }
  const forked = await store.forkTo({ targetDir: forkTarget(workspace).dir, ...WHOLE })
  expect(forked).toMatchObject({ ok: false, error: { kind: 'refused' } })
  await store.close()
})

test('H-10 H-13 spills and attachments that its rows name go along, others do not; memories do, links and trash do not', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const spill = openSpill(workspace.path('spill'))
  const attachments = openAttachments(workspace.path('attachments'))
  const output = await spill.write('long output')
  const log = spill.openStream()
  log.append(Buffer.from('a log'))
  const logged = await log.finish()
  const picture = await attachments.put(Buffer.from('picture'), 'image/png')
  const refused = await attachments.put(Buffer.from('in a capsule'), 'image/png')
  const later = await spill.write('of a later row')
  const url = (sha256: string): { type: string; mediaType: string; url: string } => ({
    type: 'file',
    mediaType: 'image/png',
    url: `attachment:${sha256}`
  })
  await accept(store, [{ ...personRow('a'), parts: [url(picture.sha256)] }])
  await accept(store, [
    { ...assistantRow('b'), parts: [toolPart('1', { outputSpill: output }), toolPart('2', { inputSpill: logged })] },
    assistantRow('capsule', '', { machine: { type: 'rejected-input', parts: [url(refused.sha256)] } }),
    { ...assistantRow('c'), parts: [toolPart('3', { outputSpill: later })] }
  ])
  mkdirSync(workspace.path('memories', 'deep', '.trash'), { recursive: true })
  mkdirSync(workspace.path('memories', '.trash'))
  writeFileSync(workspace.path('memories', '.trash', 'gone.md'), 'gone')
  writeFileSync(workspace.path('memories', 'deep', 'note.md'), 'kept')
  writeFileSync(workspace.path('memories', '.memory-index.json'), '{}')
  writeFileSync(workspace.path('memories', '.memory.lock'), '')
  symlinkSync('/etc/hostname', workspace.path('memories', 'link.md'))
  const target = forkTarget(workspace)
  expect((await store.forkTo({ targetDir: target.dir, upTo: { id: 'capsule' }, isInclusive: true })).ok).toBe(true)
  expect(readdirSync(target.path('spill')).toSorted()).toEqual([output.id, logged.id].toSorted())
  expect(readdirSync(target.path('attachments')).toSorted()).toEqual([picture.sha256, refused.sha256].toSorted())
  expect(readFileSync(target.path('memories', 'deep', 'note.md'), 'utf8')).toBe('kept')
  expect(readdirSync(target.path('memories')).toSorted()).toEqual(['.memory-index.json', 'deep'])
  await store.close()
})

test('H-6 H-10 what had changed on disk in the parent is still told in its fork', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await accept(store, [personRow('a'), personRow('b')], rolloverBatch('r'))
  await store.listWindows()
  const path = workspace.path('windows', 'w-0.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('text of b', 'text of B'))
  const target = forkTarget(workspace)
  await store.forkTo({ targetDir: target.dir, ...WHOLE })
  const fork = await target.open()
  expect(await fork.verifyWindow('w:0')).toMatchObject({ value: { kind: 'differs', difference: { rowId: 'b' } } })
  expect(await fork.verifyWindow('w:3')).toMatchObject({ value: { kind: 'verified' } })
  await fork.close()
  await store.close()
})

test('H-10 each file-system call of a fork fails once: the parent never notices, and the next fork works', async () => {
  for (let failAt = 0; ; failAt++) {
    const workspace = tempWorkspace()
    const observed = observeFileSystem()
    const store = await workspace.open({ fs: observed.fs })
    await accept(store, [personRow('a')], rolloverBatch('r'))
    await store.listWindows()
    const before = workspace.windowNames().map((name) => workspace.readWindow(name))
    observed.arm({ failAt, mode: 'refused' })
    const forked = await store.forkTo({ targetDir: forkTarget(workspace).dir, ...WHOLE })
    const struck = observed.struck()
    observed.arm(null)
    if (!forked.ok) expect(forked.error.message).toMatch(/^[A-Z].*\.$/)
    expect(workspace.windowNames().map((name) => workspace.readWindow(name))).toEqual(before)
    const target = forkTarget(workspace)
    expect((await store.forkTo({ targetDir: target.dir, ...WHOLE })).ok).toBe(true)
    expect(target.storedIds()).toEqual(workspace.storedIds())
    await store.close()
    if (struck === null) return
  }
})
