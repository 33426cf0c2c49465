import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ROW_BYTES, MAX_TOOL_RESULT_BYTES } from '@common/constants'
import { isKnownPart, type Row, toolPartsOf } from '@common/rows/row-schema'
import { assignSequences } from './assign-sequences'
import { openAttachments } from './attachments'
import { exportDocument, type ExportFormat, type ExportSummary } from './export-document'
import { importHistory, type ImportFormat } from './import-history'
import type { HistoryStore } from './history-store'
import { observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, resetRow, rolloverBatch, toolPart } from './testing/row-builders'
import { tempWorkspace, type TempWorkspace } from './testing/temp-workspace'
import { isLong } from './testing/long-form'

const PI_SESSION = join(import.meta.dirname, 'testing/fixtures/pi-large-session.jsonl')

async function exported(store: HistoryStore, format: ExportFormat): Promise<{ text: string; summary: ExportSummary }> {
  const document = exportDocument(store, { format, title: 'A title' })
  let text = ''
  for (;;) {
    const next = await document.next()
    if (next.done === true) return { text, summary: next.value }
    text += next.value
  }
}

function importFile(store: HistoryStore, workspace: TempWorkspace, path: string, format: ImportFormat = 'tidemark') {
  let ids = 0
  return importHistory({ store, workspaceDir: workspace.dir, format, path, newId: () => `new-${ids++}` })
}

async function importText(text: string): Promise<{ workspace: TempWorkspace; store: HistoryStore; outcome: unknown }> {
  const workspace = tempWorkspace()
  const path = workspace.path('import.jsonl')
  writeFileSync(path, text)
  const store = await workspace.open()
  const outcome = await importFile(store, workspace, path)
  return { workspace, store, outcome }
}

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

interface PiMessage {
  readonly role: 'user' | 'assistant' | 'toolResult'
  readonly content: readonly {
    type: string
    text?: string
    thinking?: string
    id?: string
    name?: string
    arguments?: unknown
  }[]
  readonly toolCallId?: string
  readonly isError?: boolean
  readonly timestamp: number
  readonly model?: string
  readonly provider?: string
  readonly stopReason?: string
  readonly usage?: { input: number; output: number; cacheRead: number; cacheWrite: number; cost: { total: number } }
}

test('H-11 a real session of pi imports, pages backward and exports with every message intact', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const lines = readFileSync(PI_SESSION, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; message: PiMessage })
  expect(await importFile(store, workspace, PI_SESSION, 'pi')).toEqual({
    ok: true,
    value: { rows: 1019 - 373, skipped: 0 }
  })

  const rows = workspace.storedRows()
  const messages = lines.filter((line) => line.type === 'message').map((line) => line.message)
  const spoken = messages.filter((message) => message.role !== 'toolResult')
  const spokenRows = rows.filter((row) => row.metadata.machine === undefined)
  expect(spokenRows.map((row) => row.role)).toEqual(spoken.map((message) => message.role))
  const results = new Map(
    messages.filter((message) => message.role === 'toolResult').map((message) => [message.toolCallId, message])
  )
  for (const [index, message] of spoken.entries()) expectIntact(spokenRows[index], message, results, workspace)
  const kinds = rows.flatMap((row) => row.metadata.machine?.type ?? [])
  expect(kinds.filter((kind) => kind === 'pi-model_change')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'pi-thinking_level_change')).toHaveLength(103)
  expect(kinds.filter((kind) => kind === 'pi-session')).toHaveLength(1)
  expect(rows.map((row) => row.metadata.historySequence)).toEqual(rows.map((_, index) => index + 1))
  expect(rows.every((row) => Buffer.byteLength(JSON.stringify(row)) <= MAX_ROW_BYTES)).toBe(true)

  const paged: Row[] = []
  for (let before: string | null = null; ;) {
    const page = await store.page({ before, maxRows: 80, maxBytes: 262_144 })
    if (!page.ok) throw new Error(page.error.message)
    paged.unshift(
      ...page.value.lines
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row)
    )
    before = page.value.before
    if (before === null) break
  }
  expect(paged).toEqual(rows)

  const { text } = await exported(store, 'jsonl')
  const again = await importText(text)
  expect((await exported(again.store, 'jsonl')).text).toBe(text)
  const markdown = (await exported(store, 'markdown')).text
  const words = spoken.flatMap((message) => message.content.flatMap((block) => block.text ?? []))
  for (const word of words) expect(markdown).toContain(word)
  await store.close()
  await again.store.close()
})

/** A row says all that its message and the results of its calls said. */
function expectIntact(
  row: Row | undefined,
  message: PiMessage,
  results: Map<string | undefined, PiMessage>,
  workspace: TempWorkspace
): void {
  if (row === undefined) throw new Error('A message is missing.')
  const texts = row.parts
    .filter(isKnownPart)
    .flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))
  expect(texts).toEqual(message.content.flatMap((block) => block.text ?? block.thinking ?? []))
  const calls = toolPartsOf(row)
  expect(calls.map((call) => [call.toolCallId, call.toolName, call.input])).toEqual(
    message.content.filter((block) => block.type === 'toolCall').map((block) => [block.id, block.name, block.arguments])
  )
  for (const call of calls) {
    const result = results.get(call.toolCallId)
    const said = result?.content.map((block) => block.text ?? '').join('\n')
    expect(call.state).toBe(
      result === undefined ? 'interrupted' : result.isError === true ? 'output-error' : 'output-available'
    )
    if (result === undefined) continue
    const kept = result.isError === true ? call.errorText : call.output
    if (call.outputSpill === undefined) expect(kept).toBe(said)
    else expect(readFileSync(workspace.path('spill', call.outputSpill.id), 'utf8')).toBe(said)
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(MAX_TOOL_RESULT_BYTES)
  }
  expect(row.metadata.timestamp).toBe(message.timestamp)
  if (message.role !== 'assistant') return
  expect(row.metadata.model).toBe(`${message.provider}:${message.model}`)
  expect(row.metadata.interrupted === true).toBe(message.stopReason === 'aborted')
  expect(row.metadata.error !== undefined).toBe(message.stopReason === 'error')
  expect(row.metadata.costUsd).toBe(message.usage?.cost.total)
  expect(row.metadata.usage).toMatchObject({ inputTokens: message.usage?.input, outputTokens: message.usage?.output })
}

test('H-11 H-13 pictures and long texts of a pi session live beside the history, unknown lines stay', async () => {
  const workspace = tempWorkspace()
  const picture = Buffer.from([137, 80, 78, 71, 1, 2, 3])
  const image = { type: 'image', data: picture.toString('base64'), mimeType: 'image/png' }
  const long = 'é'.repeat(100_000)
  const message = (fields: object): object => ({
    type: 'message',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: fields
  })
  const assistant = { role: 'assistant', provider: 'anthropic', model: 'm', stopReason: 'toolUse' }
  const lines = [
    message({ role: 'user', content: 'plain text' }),
    message({ role: 'user', content: [{ type: 'text', text: long }, image] }),
    message({
      ...assistant,
      content: [
        { type: 'toolCall', id: 't1', name: 'look', arguments: { text: long } },
        { type: 'text', text: 'w'.repeat(700_000) }
      ]
    }),
    message({
      role: 'toolResult',
      toolCallId: 't1',
      toolName: 'look',
      content: [{ type: 'text', text: long }, image],
      details: { big: long }
    }),
    message({
      role: 'toolResult',
      toolCallId: 'orphan',
      toolName: 'look',
      content: [{ type: 'text', text: 'whose?' }]
    }),
    message({ role: 'bashExecution', command: 'ls' }),
    { type: 'future', huge: 'h'.repeat(2_000_000) }
  ]
  writeFileSync(workspace.path('pi.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`)
  const store = await workspace.open()
  const outcome = await importFile(store, workspace, workspace.path('pi.jsonl'), 'pi')
  expect(outcome).toMatchObject({ ok: true, value: { skipped: 1 } })
  const rows = workspace.storedRows()
  const attachments = openAttachments(workspace.path('attachments'))
  const [textFile, imageFile] = rows[1]?.parts ?? []
  if (textFile?.type !== 'file' || imageFile?.type !== 'file') throw new Error('Both are attachments.')
  expect(String(await attachments.read({ url: String(textFile['url']) }))).toBe(long)
  expect(await attachments.read({ url: String(imageFile['url']) })).toEqual(picture)
  const call = rows.flatMap(toolPartsOf)[0]
  expect(readFileSync(workspace.path('spill', call?.outputSpill?.id ?? ''), 'utf8')).toContain(long)
  expect(JSON.parse(readFileSync(workspace.path('spill', call?.inputSpill?.id ?? ''), 'utf8'))).toEqual({ text: long })
  expect(
    rows
      .flatMap((row) => row.parts)
      .flatMap((part) => (isKnownPart(part) && part.type === 'text' ? part.text : []))
      .join('')
  ).toContain('w'.repeat(700_000))
  expect(rows.flatMap((row) => row.metadata.machine?.type ?? [])).toEqual(['pi-message', 'pi-message', 'pi-future'])
  expect(JSON.stringify(rows)).toContain('whose?')
  expect(rows.every((row) => Buffer.byteLength(JSON.stringify(row)) <= MAX_ROW_BYTES)).toBe(true)
  await store.close()
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
