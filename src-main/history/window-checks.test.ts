// H-6: a check of a sealed window reads its file once, is in nobody's way, and does not take an edit for damage.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { HistoryStore } from './history-store'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, resetRow } from './testing/row-builders'
import { tempWorkspace } from './testing/temp-workspace'
import type { WindowVerdict } from './verify-window'

async function twoWindows(store: HistoryStore): Promise<void> {
  for (const rows of [[personRow('a'), assistantRow('b')], [resetRow('c')], [personRow('d')]]) {
    const appended = await store.appendMany(rows)
    if (!appended.ok) throw new Error(appended.error.message)
  }
}

async function checked(store: HistoryStore, windowId: string, again = false): Promise<WindowVerdict | null> {
  const verdict = await store.verifyWindow(windowId, { again })
  if (!verdict.ok) throw new Error(verdict.error.message)
  return verdict.value
}

test('H-6 a sealed window is read once, and again when its file was touched or the person asks', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await twoWindows(store)
  const path = workspace.path('windows', 'w-0.jsonl')
  const bytes = readFileSync(path)
  expect(await checked(store, 'w:0')).toMatchObject({ kind: 'verified', rows: 2 })
  observed.calls.length = 0
  expect(await checked(store, 'w:0')).toMatchObject({ kind: 'verified', rows: 2 })
  expect(observed.bytesRead('w-0.jsonl')).toBe(0)
  expect(await checked(store, 'w:0', true)).toMatchObject({ kind: 'verified' })
  expect(observed.bytesRead('w-0.jsonl')).toBe(bytes.length)
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(bytes.length - 10) ^ 1, bytes.length - 10)
  writeFileSync(path, flipped)
  expect(await checked(store, 'w:0')).toMatchObject({ kind: 'differs', rows: 2, difference: { historySequence: 2 } })
  expect(await checked(store, 'w:9')).toBeNull()
  await store.close()
})

test('H-6 the window in force is checked as it is, however much was appended since', async () => {
  const store = await tempWorkspace().open()
  await twoWindows(store)
  expect(await checked(store, 'w:3')).toMatchObject({ kind: 'verified', rows: 2 })
  await store.appendMany([personRow('e')])
  expect(await checked(store, 'w:3')).toMatchObject({ kind: 'verified', rows: 3 })
  await store.close()
})

test('H-6 H-10 checks beside edits and appends find nothing wrong, and know the edited window anew', async () => {
  const store = await tempWorkspace().open()
  await twoWindows(store)
  const checks = [0, 1, 2].map(() => checked(store, 'w:0', true))
  const edit = store.deleteRow({ id: 'a' })
  const more = [checked(store, 'w:0', true), checked(store, 'w:0')]
  await store.appendMany([personRow('e')])
  expect(await edit).toMatchObject({ ok: true })
  for (const verdict of await Promise.all([...checks, ...more])) expect(verdict).toMatchObject({ kind: 'verified' })
  expect(await checked(store, 'w:0')).toMatchObject({ kind: 'verified', rows: 1 })
  await store.close()
})

test('H-6 an append does not wait until a sealed window is read', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const long = { ...assistantRow('b'), parts: [{ type: 'text' as const, text: 'x'.repeat(200_000) }] }
  for (let batch = 0; batch < 6; batch++)
    await store.appendMany(Array.from({ length: 5 }, (_, at) => ({ ...long, id: `b${batch}-${at}` })))
  await store.appendMany([resetRow('c')])
  const order: string[] = []
  const check = checked(store, 'w:0').then(() => order.push('checked'))
  const append = store.appendMany([personRow('d')]).then(() => order.push('appended'))
  await Promise.all([check, append])
  expect(order).toEqual(['appended', 'checked'])
  await store.close()
})
