import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PARTIAL_FLUSH_INTERVAL_MS } from '@common/constants'
import { err, ok } from '@common/result'
import { INTERRUPTED_CALL_TEXT } from '@common/rows/interrupted-calls'
import type { NewRow } from '@common/rows/row-schema'
import { createPartialWriter } from './partial-writer'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, rolloverBatch, toolPart } from './testing/row-builders'
import { tempWorkspace } from './testing/temp-workspace'

const streamed: NewRow = {
  ...assistantRow('s', 'half an ans'),
  parts: [{ type: 'text', text: 'half an ans' }, toolPart('done'), toolPart('open', { state: 'input-available' })]
}

test('H-4 partial.json is the newest state of the row, replaced as a whole and synced', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  await store.writePartial(assistantRow('s', 'one'))
  observed.calls.length = 0
  await store.writePartial(assistantRow('s', 'two'))
  expect(JSON.parse(readFileSync(workspace.path('partial.json'), 'utf8'))).toMatchObject({
    id: 's',
    parts: [{ text: 'two' }]
  })
  expect(observed.count('write', 'partial.json')).toBe(0)
  expect([observed.count('sync'), observed.count('rename'), observed.count('syncFolder')]).toEqual([1, 1, 1])
  await store.close()
})

test('H-4 after a crash the streaming row is committed once, every call paired with a result', async () => {
  const workspace = tempWorkspace()
  const before = await workspace.open()
  await before.appendMany([personRow('a')])
  await before.writePartial(streamed)
  await before.close()
  const after = await workspace.open()
  const recovered = await after.recoverPartial()
  expect(recovered.ok && recovered.value).toMatchObject([
    {
      id: 's',
      metadata: { interrupted: true, historySequence: 2 },
      parts: [{}, { state: 'output-available' }, { state: 'interrupted', errorText: INTERRUPTED_CALL_TEXT }]
    }
  ])
  expect(existsSync(workspace.path('partial.json'))).toBe(false)
  expect(await after.recoverPartial()).toEqual(ok([]))
  expect(workspace.storedIds()).toEqual(['a', 's'])
  expect(workspace.storedRows()[1]).not.toHaveProperty('afterSequence')
  await after.close()
})

test('H-4 a stale partial is dropped, also when others appended and rolled over since', async () => {
  const workspace = tempWorkspace()
  const before = await workspace.open()
  await before.appendMany([personRow('a')])
  await before.writePartial(streamed)
  const partial = readFileSync(workspace.path('partial.json'))
  await before.commitPartial([streamed])
  await before.appendMany(rolloverBatch('r'))
  await before.appendMany([personRow('b')])
  await before.close()
  writeFileSync(workspace.path('partial.json'), partial)
  const after = await workspace.open()
  expect(await after.recoverPartial()).toEqual(ok([]))
  expect(existsSync(workspace.path('partial.json'))).toBe(false)
  expect(workspace.storedIds()).toEqual(['a', 's', 'r-boundary', 'r-lead-in', 'r-continue', 'b'])
  await after.close()
})

test('H-4 looking for a stale partial reads only windows that can hold it', async () => {
  const workspace = tempWorkspace()
  const before = await workspace.open()
  await before.appendMany([personRow('a', 'x'.repeat(500_000))])
  await before.appendMany(rolloverBatch('r'))
  await before.writePartial(streamed)
  await before.close()
  const observed = observeFileSystem()
  const after = await workspace.open({ fs: observed.fs })
  await after.recoverPartial()
  expect(observed.bytesRead('w-0.jsonl')).toBe(0)
  expect(workspace.storedIds().at(-1)).toBe('s')
  await after.close()
})

test('H-4 an empty partial is dropped', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.writePartial({ ...assistantRow('s'), parts: [{ type: 'text', text: '' }] })
  expect(await store.recoverPartial()).toEqual(ok([]))
  expect(workspace.windowNames()).toEqual([])
  await store.close()
})

test('H-4 a partial that cannot be read is kept aside and told once', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a')])
  writeFileSync(workspace.path('partial.json'), '{"id":"s","par')
  const told = await store.recoverPartial()
  expect(told).toMatchObject({ ok: false, error: { kind: 'damaged' } })
  const aside = readdirSync(workspace.dir).find((name) => name.startsWith('partial.damaged-')) ?? ''
  expect(readFileSync(workspace.path(aside), 'utf8')).toBe('{"id":"s","par')
  expect(await store.recoverPartial()).toEqual(ok([]))
  await store.close()
})

test('H-4 a late write of a row that is committed already changes nothing', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.writePartial(streamed)
  await store.commitPartial([streamed])
  expect((await store.writePartial(streamed)).ok).toBe(true)
  expect(existsSync(workspace.path('partial.json'))).toBe(false)
  await store.close()
})

test('H-4 H-13 a partial longer than a row is recovered as several rows that go on from each other', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const parts = Array.from({ length: 40 }, (_, call) => toolPart(`call-${call}`, { output: 'o'.repeat(30_000) }))
  await store.writePartial({ ...assistantRow('s'), parts })
  const recovered = await store.recoverPartial()
  const rows = workspace.storedRows()
  expect(recovered.ok && recovered.value.map((row) => row.id)).toEqual(rows.map((row) => row.id))
  expect(rows.length).toBeGreaterThan(4)
  expect(rows[0]?.id).toBe('s')
  expect(rows.slice(1).map((row) => row.metadata.continues)).toEqual(rows.slice(0, -1).map((row) => row.id))
  expect(rows.flatMap((row) => row.parts)).toEqual(parts)
  await store.close()
})

test('H-4 discarding drops the file and nothing else', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.writePartial(streamed)
  expect((await store.discardPartial()).ok).toBe(true)
  expect((await store.discardPartial()).ok).toBe(true)
  expect(await store.recoverPartial()).toEqual(ok([]))
  await store.close()
})

/** A clock that moves when told, and the sleeps that wait on it. */
function manualClock() {
  let nowMs = 1_000_000
  const sleepers: { untilMs: number; resolve: () => void }[] = []
  return {
    now: () => nowMs,
    sleep: (delayMs: number) => new Promise<void>((resolve) => sleepers.push({ untilMs: nowMs + delayMs, resolve })),
    async advance(delayMs: number) {
      nowMs += delayMs
      for (const sleeper of sleepers.filter((each) => each.untilMs <= nowMs)) sleeper.resolve()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

test('H-4 the partial writer writes at most every 500 ms, at once on flush, and nothing after stop', async () => {
  const clock = manualClock()
  const written: string[] = []
  const store = {
    writePartial: async (row: NewRow) => {
      written.push(row.id)
      return ok(undefined)
    }
  }
  const writer = createPartialWriter({ store, clock, onError: () => {} })
  writer.update(personRow('1'))
  await clock.advance(0)
  expect(written).toEqual(['1'])
  writer.update(personRow('2'))
  writer.update(personRow('3'))
  await clock.advance(PARTIAL_FLUSH_INTERVAL_MS - 1)
  expect(written).toEqual(['1'])
  await clock.advance(1)
  expect(written).toEqual(['1', '3'])
  writer.update(personRow('4'))
  expect(await writer.flush()).toEqual(ok(undefined))
  expect(written).toEqual(['1', '3', '4'])
  await clock.advance(10 * PARTIAL_FLUSH_INTERVAL_MS)
  expect(written).toEqual(['1', '3', '4'])
  writer.update(personRow('5'))
  await writer.stop()
  await clock.advance(10 * PARTIAL_FLUSH_INTERVAL_MS)
  expect(written).toEqual(['1', '3', '4'])
})

test('H-4 a write that failed is told and tried again with the next', async () => {
  const clock = manualClock()
  const failure = { kind: 'disk_full', message: 'Full.', path: '/x', code: 'ENOSPC' } as const
  const outcomes = [err(failure), err(failure), ok(undefined)]
  const written: string[] = []
  const told: unknown[] = []
  const store = {
    writePartial: async (row: NewRow) => {
      written.push(row.id)
      return outcomes.shift() ?? ok(undefined)
    }
  }
  const writer = createPartialWriter({ store, clock, onError: (error) => told.push(error) })
  writer.update(personRow('1'))
  await clock.advance(0)
  expect(told).toEqual([failure])
  expect(await writer.flush()).toEqual(err(failure))
  expect(await writer.flush()).toEqual(ok(undefined))
  expect(written).toEqual(['1', '1', '1'])
})
