import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from '@common/rows/row-schema'
import { assignSequences } from './assign-sequences'
import { observeFileSystem } from './testing/faulty-file-system'
import { exported, importFile, importText } from './testing/import-and-export'
import { isLong } from './testing/long-form'
import { assistantRow, personRow, resetRow, rolloverBatch, toolPart } from './testing/row-builders'
import { tempWorkspace } from './testing/temp-workspace'

test('H-11 K-2 what is exported comes back byte for byte: sequences, boundaries, metadata, unknown fields', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([
    { ...personRow('a', 'lone \ud800 and 𝄞'), mood: 'new' },
    { ...assistantRow('b'), parts: [toolPart('t')] }
  ])
  await store.appendMany(rolloverBatch('r'))
  await store.appendMany([resetRow('manual'), personRow('c')])
  const postCompactionContext = { text: 'kept verbatim', tokens: 2, skillNames: ['s'], builtAtMs: 1 }
  await store.appendMany([
    { ...assistantRow('summary'), metadata: { contextBoundaryKind: 'compaction', postCompactionContext } }
  ])
  await store.appendMany([{ ...assistantRow('x'), metadata: { machine: { type: 'from-2030' } } }])
  const first = await exported(store, 'jsonl')
  expect(first.summary).toEqual({ rows: 9, damage: { total: 0, places: [] } })
  const again = await importText(first.text)
  expect(again.outcome).toEqual({ ok: true, value: { rows: 9, skipped: 0 } })
  expect((await exported(again.store, 'jsonl')).text).toBe(first.text)
  expect(again.workspace.windowNames()).toEqual(workspace.windowNames())
  expect(again.workspace.readWindow('w-8.jsonl')).toContain('kept verbatim')
  expect(again.store.currentWindowId).toBe('w:8')
  const appended = await again.store.appendMany([personRow('next')])
  expect(appended.ok && appended.value[0]?.metadata.historySequence).toBe(10)
  await store.close()
  await again.store.close()
})

test('H-11 any history survives export and import unchanged', async () => {
  const step = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('rollover'), fc.constant('reset'))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (script) => {
      const workspace = tempWorkspace()
      const store = await workspace.open({ durability: 'relaxed' })
      for (const [index, kind] of script.entries()) {
        if (kind === 'rollover') await store.appendMany(rolloverBatch(`r${index}`))
        else if (kind === 'reset') await store.appendMany([resetRow(`r${index}`)])
        else await store.appendMany([personRow(`p${index}`, kind)])
      }
      const { text } = await exported(store, 'jsonl')
      const again = await importText(text)
      expect((await exported(again.store, 'jsonl')).text).toBe(text)
      expect(again.workspace.windowNames()).toEqual(workspace.windowNames())
      await store.close()
      await again.store.close()
    }),
    { seed: 2, numRuns: isLong ? 300 : 15 }
  )
})

test('H-3 H-11 damaged lines are left out of an export and of an import, and counted', async () => {
  const { workspace, store, outcome } = await importText(
    `${JSON.stringify(personRow('a'))}\nnoise\n{"no":"row"}\n\n${JSON.stringify(personRow('b'))}\n${'z'.repeat(2_000_000)}\n{"id":"c`
  )
  expect(outcome).toEqual({ ok: true, value: { rows: 2, skipped: 4 } })
  writeFileSync(workspace.path('windows', 'w-0.jsonl'), `${workspace.readWindow('w-0.jsonl')}noise\n{"torn`)
  const { text, summary } = await exported(store, 'jsonl')
  expect(text.trim().split('\n')).toHaveLength(2)
  expect(summary.damage.total).toBe(2)
  const markdown = await exported(store, 'markdown')
  expect(markdown.text).toContain('2 damaged lines were left out')
  await store.close()
})

test('H-2 H-11 repeated and missing sequences stay visible; a boundary always begins a window of its own', async () => {
  const numbered = (row: Row, historySequence: number): string =>
    JSON.stringify({ ...row, metadata: { ...row.metadata, historySequence } })
  const lines = [
    numbered(personRow('a'), 1),
    numbered(personRow('b'), 1),
    JSON.stringify(personRow('c')),
    numbered(resetRow('boundary-with-a-repeated-sequence'), 1),
    numbered(personRow('d'), 7),
    JSON.stringify(resetRow('boundary-without-one')),
    numbered(personRow('e'), 8),
    numbered(personRow('f'), 3)
  ]
  const { workspace, store, outcome } = await importText(`${lines.join('\n')}\n`)
  expect(outcome).toEqual({ ok: true, value: { rows: 8, skipped: 0 } })
  const rows = workspace.storedRows()
  expect(rows.map((row) => row.id)).toEqual([
    'a',
    'b',
    'c',
    'boundary-with-a-repeated-sequence',
    'd',
    'boundary-without-one',
    'e',
    'f'
  ])
  expect(rows.map((row) => row.metadata.historySequence)).toEqual([1, undefined, undefined, 2, 7, 9, 8, 3])
  expect(workspace.windowNames()).toEqual(['w-0.jsonl', 'w-2.jsonl', 'w-9.jsonl'])
  const raw = await store.rawLineOf({ id: 'b' })
  expect(raw.ok && raw.value).toContain('"id":"b"')
  const appended = await store.appendMany([personRow('next')])
  expect(appended.ok && appended.value[0]?.metadata.historySequence).toBe(10)
  await store.close()
})

test('H-11 assigned sequences are unique, and windows come in the order of their names', () => {
  const found = fc.record({
    sequence: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 12 })),
    isBoundary: fc.boolean()
  })
  fc.assert(
    fc.property(fc.array(found, { maxLength: 25 }), (rows) => {
      const assigned = assignSequences(rows)
      const given = assigned.filter((sequence) => sequence !== null)
      expect(new Set(given).size).toBe(given.length)
      const windows = assigned.filter((_, index) => rows[index]?.isBoundary)
      expect(windows).toEqual(windows.toSorted((a, b) => Number(a) - Number(b)))
      expect(windows).not.toContain(null)
    }),
    { seed: 9, numRuns: 300 }
  )
})

test('H-11 an import into a workspace that has rows, or of a file that is not there, changes nothing', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  expect(await importFile(store, workspace, workspace.path('nowhere.jsonl'))).toMatchObject({
    ok: false,
    error: { kind: 'not_found', message: expect.stringContaining('nowhere.jsonl') }
  })
  await store.appendMany([personRow('a')])
  writeFileSync(workspace.path('b.jsonl'), JSON.stringify(personRow('b')))
  expect(await importFile(store, workspace, workspace.path('b.jsonl'))).toMatchObject({
    ok: false,
    error: { kind: 'not_empty' }
  })
  expect(workspace.storedIds()).toEqual(['a'])
  await store.close()
})

test('H-11 each file-system call of an import fails once: all of it is there, or none', async () => {
  for (let failAt = 0; ; failAt++) {
    const workspace = tempWorkspace()
    const observed = observeFileSystem()
    const store = await workspace.open({ fs: observed.fs })
    writeFileSync(
      workspace.path('in.jsonl'),
      [personRow('a'), resetRow('r'), personRow('b')].map((row) => JSON.stringify(row)).join('\n')
    )
    observed.arm({ failAt, mode: 'refused' })
    const outcome = await importFile(store, workspace, workspace.path('in.jsonl'))
    const struck = observed.struck()
    observed.arm(null)
    expect(workspace.storedIds(), `call ${failAt} ${struck?.name}`).toEqual(outcome.ok ? ['a', 'r', 'b'] : [])
    await store.close()
    if (struck === null) return
  }
})

test('H-11 H-12 Markdown shows roles, calls with fences that hold, windows, and inputs that were not sent', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([
    personRow('a', 'Hello'),
    {
      ...assistantRow('b', 'Hi', { model: 'demo:tide-1' }),
      parts: [
        { type: 'text', text: 'Hi' },
        toolPart('t', { output: 'has ``` fences' }),
        toolPart('e', { state: 'output-error', errorText: 'it broke' })
      ]
    }
  ])
  await store.appendMany(rolloverBatch('r'))
  await store.appendMany([
    {
      id: 'c',
      role: 'assistant',
      parts: [],
      metadata: { machine: { type: 'rejected-input', parts: [{ type: 'text', text: 'too long a question' }] } }
    }
  ])
  const { text, summary } = await exported(store, 'markdown')
  expect(summary.rows).toBe(6)
  expect(text).toMatch(/^# A title\n/)
  for (const piece of [
    '## User',
    'Hello',
    '## Assistant (demo:tide-1)',
    '**Tool bash** (output-available)',
    '````\nhas ``` fences\n````',
    'it broke',
    '*Window w:3 begins here (context-window-rollover)*',
    '## User (not sent)',
    'too long a question'
  ]) {
    expect(text).toContain(piece)
  }
  await store.close()
})
