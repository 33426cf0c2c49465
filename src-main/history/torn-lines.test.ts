import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_LINE_BYTES } from '@common/constants'
import type { NewRow } from '@common/rows/row-schema'
import { describeDamage } from './damage-report'
import type { HistoryStore } from './history-store'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace, type TempWorkspace } from './testing/temp-workspace'
import { inForm, isLong } from './testing/long-form'

async function filled(workspace: TempWorkspace, ...batches: NewRow[][]): Promise<void> {
  const store = await workspace.open()
  for (const batch of batches) expect((await store.appendMany(batch)).ok).toBe(true)
  await store.close()
}

async function activeIds(store: HistoryStore): Promise<string[]> {
  const window = await store.activeWindow()
  if (!window.ok) throw new Error(window.error.message)
  return window.value.rows.map((row) => row.id)
}

async function pageIds(store: HistoryStore): Promise<string[]> {
  const ids: string[] = []
  let before: string | null = null
  do {
    const page = await store.page({ before, maxRows: 3, maxBytes: 100_000 })
    if (!page.ok) throw new Error(page.error.message)
    const lines = page.value.lines.split('\n').filter((line) => line !== '')
    ids.unshift(...lines.map((line) => (JSON.parse(line) as { id: string }).id))
    before = page.value.before
  } while (before !== null)
  return ids
}

/** Sizes to cut a file to: all, or in the quick form every so many and the last two, where a line becomes whole. */
function cuts(from: number, to: number): number[] {
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return all.filter((size, index) => index % inForm({ quick: 7, full: 1, long: 1 }) === 0 || size >= to - 1)
}

test('H-1 H-3 a file cut at every byte of its last batch opens, keeps what is whole, and goes on', async () => {
  const workspace = tempWorkspace()
  await filled(workspace, [personRow('a')], [personRow('b'), assistantRow('c', 'é☃𝄞')])
  const path = workspace.path('windows', 'w-0.jsonl')
  const whole = readFileSync(path)
  const batchStart = whole.indexOf(10) + 1
  const second = whole.indexOf(10, batchStart) + 1
  for (const [tries, size] of cuts(batchStart, whole.length).entries()) {
    writeFileSync(path, whole.subarray(0, size))
    const store = await workspace.open()
    // A line counts once its last byte is there; its newline may be missing.
    const kept = ['a', ...(size >= second - 1 ? ['b'] : []), ...(size >= whole.length - 1 ? ['c'] : [])]
    expect(await activeIds(store)).toEqual(kept)
    expect(await pageIds(store)).toEqual(kept)
    const appended = await store.appendMany([personRow('next')])
    expect(appended.ok && appended.value[0]?.metadata.historySequence).toBe(4 + tries)
    expect(await activeIds(store)).toEqual([...kept, 'next'])
    await store.close()
    // What was there before stands there still, byte for byte.
    expect(readFileSync(path).subarray(0, size).equals(whole.subarray(0, size))).toBe(true)
  }
})

test('X-2 a window file cut at every byte: a torn boundary leaves the old window in force, a torn rest does not', async () => {
  const workspace = tempWorkspace()
  await filled(workspace, [personRow('a')], rolloverBatch('r'))
  const path = workspace.path('windows', 'w-2.jsonl')
  const whole = readFileSync(path)
  const boundaryEnd = whole.indexOf(10)
  for (const size of cuts(0, whole.length)) {
    writeFileSync(
      workspace.path('windows', 'w-0.jsonl'),
      `${JSON.stringify({ ...personRow('a'), metadata: { historySequence: 1 } })}\n`
    )
    writeFileSync(path, whole.subarray(0, size))
    const store = await workspace.open()
    const isOldInForce = size < boundaryEnd
    expect(store.currentWindowId).toBe(isOldInForce ? 'w:0' : 'w:2')
    const ids = await activeIds(store)
    expect(ids[0]).toBe(isOldInForce ? 'a' : 'r-boundary')
    expect((await store.appendMany([personRow('next')])).ok).toBe(true)
    expect(await activeIds(store)).toEqual([...ids, 'next'])
    expect(store.highestSequence).toBeGreaterThan(4)
    await store.close()
  }
})

test('X-2 the window that is not in force is reported, and the next boundary comes after it', async () => {
  const workspace = tempWorkspace()
  await filled(workspace, [personRow('a')], rolloverBatch('r'), [personRow('b')])
  truncateSync(workspace.path('windows', 'w-2.jsonl'), 20)
  const store = await workspace.open()
  const window = await store.activeWindow()
  expect(window.ok && window.value.damage.places).toMatchObject([{ windowId: 'w:2', problem: 'unreadable-window' }])
  await store.appendMany(rolloverBatch('s'))
  expect(workspace.windowNames()).toEqual(['w-0.jsonl', 'w-2.jsonl', 'w-6.jsonl'])
  expect(await activeIds(store)).toEqual(['s-boundary', 's-lead-in', 's-continue'])
  await store.close()
})

describe('H-3 damage is passed over, counted, named and left where it is', () => {
  test.each([
    ['text that is no JSON', Buffer.from('this is no row'), 'unparsed'],
    ['binary', Buffer.from([0, 255, 254, 1, 128, 13, 0, 200]), 'unparsed'],
    ['JSON that is no row', Buffer.from('{"type":"note"}'), 'not-a-row'],
    ['a number', Buffer.from('42'), 'not-a-row'],
    ['a line of 20 MB', Buffer.alloc(20_000_000, 97), 'oversized'],
    ['a row just over the limit', Buffer.from(JSON.stringify(personRow('x', 'y'.repeat(MAX_LINE_BYTES)))), 'oversized']
  ])('%s', async (_name, bytes, problem) => {
    const workspace = tempWorkspace()
    await filled(workspace, [personRow('a')])
    const path = workspace.path('windows', 'w-0.jsonl')
    const byteOffset = readFileSync(path).length
    appendFileSync(path, Buffer.concat([bytes, Buffer.from('\n')]))
    const store = await workspace.open()
    await store.appendMany([personRow('b')])
    const window = await store.activeWindow()
    expect(window).toMatchObject({
      ok: true,
      value: { damage: { total: 1, places: [{ windowId: 'w:0', byteOffset, bytes: bytes.length, problem }] } }
    })
    expect(window.ok && describeDamage(window.value.damage)).toContain('Part of this history is damaged')
    expect(await activeIds(store)).toEqual(['a', 'b'])
    expect(await pageIds(store)).toEqual(['a', 'b'])
    const page = await store.page({ before: null, maxRows: 10, maxBytes: 100_000 })
    expect(page.ok && page.value.damage).toMatchObject({ total: 1, places: [{ byteOffset, problem }] })
    await store.close()
    expect(
      readFileSync(path)
        .subarray(byteOffset, byteOffset + bytes.length)
        .equals(bytes)
    ).toBe(true)
  })

  test('a torn tail is named so until it is closed', async () => {
    const workspace = tempWorkspace()
    await filled(workspace, [personRow('a')])
    appendFileSync(workspace.path('windows', 'w-0.jsonl'), '{"id":"b","ro')
    const store = await workspace.open()
    const torn = await store.activeWindow()
    expect(torn.ok && torn.value.damage.places).toMatchObject([{ problem: 'torn-tail' }])
    const page = await store.page({ before: null, maxRows: 10, maxBytes: 100_000 })
    expect(page.ok && page.value.damage.places).toMatchObject([{ problem: 'torn-tail' }])
    await store.appendMany([personRow('c')])
    const closed = await store.activeWindow()
    expect(closed.ok && closed.value.damage.places).toMatchObject([{ problem: 'unparsed' }])
    expect(await activeIds(store)).toEqual(['a', 'c'])
    await store.close()
  })

  test.runIf(isLong)('a line of 64 MiB is read past in bounded memory', async () => {
    const workspace = tempWorkspace()
    await filled(workspace, [personRow('a')])
    appendFileSync(
      workspace.path('windows', 'w-0.jsonl'),
      Buffer.concat([Buffer.alloc(67_108_864, 97), Buffer.from('\n')])
    )
    const observed = observeFileSystem()
    const store = await workspace.open({ fs: observed.fs })
    await store.appendMany([personRow('b')])
    observed.calls.length = 0
    expect(await activeIds(store)).toEqual(['a', 'b'])
    expect(observed.calls.every((call) => call.bytes <= 262_144)).toBe(true)
    expect(await pageIds(store)).toEqual(['a', 'b'])
    await store.close()
  })
})

test('H-3 random bytes written over the middle cost the lines they touch, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (noise, where) => {
        const workspace = tempWorkspace()
        await filled(
          workspace,
          Array.from({ length: 12 }, (_, index) => personRow(`row-${index}`, 'text '.repeat(index * 3)))
        )
        const path = workspace.path('windows', 'w-0.jsonl')
        const bytes = readFileSync(path)
        const at = Math.floor(where * (bytes.length - noise.length))
        bytes.set(noise, at)
        writeFileSync(path, bytes)
        const readable = bytes.toString('utf8').split('\n').flatMap(idOf)
        const store = await workspace.open()
        expect(await activeIds(store)).toEqual(readable)
        expect(await pageIds(store)).toEqual(readable)
        expect((await store.appendMany([personRow('next')])).ok).toBe(true)
        expect(await activeIds(store)).toEqual([...readable, 'next'])
        expect(readFileSync(path).subarray(0, bytes.length).equals(bytes)).toBe(true)
        await store.close()
      }
    ),
    { seed: 7, numRuns: inForm({ quick: 8, full: 25, long: 500 }) }
  )
})

test('fields, parts and machine types of a newer version are read as they are', async () => {
  const workspace = tempWorkspace()
  await filled(workspace, [personRow('a')])
  const newer = {
    id: 'n',
    role: 'assistant',
    parts: [{ type: 'hologram', data: { x: 1 } }],
    mood: 'new',
    metadata: { historySequence: 2, machine: { type: 'from-2030', extra: [1] }, colour: 'blue' }
  }
  appendFileSync(workspace.path('windows', 'w-0.jsonl'), `${JSON.stringify(newer)}\n`)
  const store = await workspace.open()
  const window = await store.activeWindow()
  expect(window.ok && window.value.rows[1]).toEqual(newer)
  expect(window.ok && window.value.damage.total).toBe(0)
  const appended = await store.appendMany([{ ...newer, id: 'copy' } as NewRow])
  expect(appended.ok).toBe(true)
  expect(workspace.storedRows()[2]).toMatchObject({
    mood: 'new',
    parts: newer.parts,
    metadata: { colour: 'blue', machine: { extra: [1] } }
  })
  await store.close()
})

function idOf(line: string): string[] {
  try {
    const value = JSON.parse(line) as { id?: unknown } | null
    return typeof value?.id === 'string' && value.id !== '' ? [value.id] : []
  } catch (cause) {
    if (cause instanceof SyntaxError) return []
    throw cause
  }
}
