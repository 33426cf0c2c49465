import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewRow, Row } from '@common/rows/row-schema'
import { inForm, isLong } from '../history/testing/long-form'
import { toolPart } from '../history/testing/row-builders'
import { tempWorkspace, type TempWorkspace } from '../history/testing/temp-workspace'
import { observeFileSystem } from '../history/testing/faulty-file-system'
import { answered, compaction, newDesk, reset, rollover, said } from './testing/history-desk'

test('S-7 an item is its parts in order: text, calls with stored input, results as they are stored', async () => {
  const desk = newDesk()
  const stored =
    '{"id":"a","role":"assistant","parts":[{"type":"text","text":"one"},{"type":"step"},{"type":"dynamic-tool","toolCallId":"c","toolName":"bash","state":"output-available","input":{ "n": 1.0, "big": 12345678901234567890, "2":"b", "1":"a" },"output":{"exit_code":0,"output":"a\\nb"}},{"type":"of-tomorrow","text":"unknown"},{"type":"dynamic-tool","toolCallId":"d","toolName":"file_read","state":"output-error","input":null,"errorText":"No such file."},{"type":"dynamic-tool","toolCallId":"e","toolName":"x","state":"output-available","input":{},"output":"verbatim\\n\\ttext"}],"metadata":{"historySequence":1}}'
  desk.write({ 0: [stored] })
  expect((await desk.read('i:1')).item).toMatchObject({
    item_id: 'i:1',
    window_id: 'w:0',
    role: 'assistant',
    text: [
      'one',
      'bash { "n": 1.0, "big": 12345678901234567890, "2":"b", "1":"a" }',
      '{"exit_code":0,"output":"a\\nb"}',
      'file_read null',
      'No such file.',
      'x {}',
      'verbatim\n\ttext'
    ].join('\n'),
    offset_chars: 0,
    next_offset_chars: null
  })
  expect((await desk.search('12345678901234567890')).items).toHaveLength(1)
  expect((await desk.search('a\nb')).items).toHaveLength(1)
})

test('S-7 pages go by UTF-16 offsets, never part a pair, always advance, and say the real end', async () => {
  const desk = newDesk()
  const text = 'a🌊b\ud83dc\udf0ad🌊'
  desk.write({ 0: [JSON.stringify(said(1, text))] })
  const one = { limit_chars: 1 }
  const at = async (offset: number, more: object = one): Promise<unknown[]> => {
    const { item } = await desk.read('i:1', { offset_chars: offset, ...more })
    return [item?.text, item?.offset_chars, item?.next_offset_chars, item?.total_chars]
  }
  expect(await at(0)).toEqual(['a', 0, 1, 10])
  expect(await at(1)).toEqual(['🌊', 1, 3, 10])
  expect(await at(2)).toEqual(['🌊', 1, 3, 10])
  expect(await at(4)).toEqual(['\ufffd', 4, 5, 10])
  expect(await at(6)).toEqual(['\ufffd', 6, 7, 10])
  expect(await at(8)).toEqual(['🌊', 8, null, 10])
  expect(await at(9)).toEqual(['🌊', 8, null, 10])
  expect(await at(10)).toEqual(['', 10, null, 10])
  expect(await at(99)).toEqual(['', 10, null, 10])
  expect(await at(0, { limit_chars: 2 })).toEqual(['a', 0, 1, 10])
  expect(await at(0, { limit_chars: 3 })).toEqual(['a🌊', 0, 3, 10])
  expect(await desk.readAll('i:1', 1)).toBe('a🌊b\ufffdc\ufffdd🌊')
})

const hostile = fc.oneof(
  fc.constantFrom('"', '\\', '\u0000', '\u001f', '🌊', '\ud83d', '\udf0a', '\u202e', 'שלום', '\u2028', 'ä', 'x', '\n'),
  fc.string({ unit: 'binary', maxLength: 3 })
)
/** Long texts of the worst content: a short piece, many times. */
const worstText = fc
  .tuple(fc.array(hostile, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 9_000 }))
  .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 150_000))

test('S-7 S-8 the pages of the worst texts, joined, are the text; no result is over 16 KiB (the desk checks each)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(worstText, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 16_000 }),
      async (texts, limitChars) => {
        const desk = newDesk()
        desk.write({ 0: texts.map((text, at) => said(at + 1, text)) })
        for (const [at, text] of texts.entries()) {
          const limit = Math.max(limitChars, Math.ceil(text.length / 40))
          expect(await desk.readAll(`i:${at + 1}`, limit)).toBe(text.replace(/\p{Surrogate}/gu, '\ufffd'))
        }
        const [first = 'x'] = texts
        const query = first.slice(0, 3)
        await desk.search(query === '' ? 'x' : query, { limit: 25 })
        await desk.listAll()
      }
    ),
    { seed: 700, numRuns: inForm({ quick: 4, full: 12, long: 500 }) }
  )
})

test('S-8 25 hits of the worst snippets fit into 16 KiB, and the rest comes with the cursor', async () => {
  const desk = newDesk()
  desk.write({ 0: Array.from({ length: 60 }, (_, at) => said(at + 1, `needle${'\u0001'.repeat(1_000)}`)) })
  const page = await desk.search('needle', { limit: 25 })
  expect(page.items.length).toBeGreaterThan(2)
  expect(page.items.length).toBeLessThan(25)
  expect((await desk.searchAll('needle', { limit: 25 })).hits.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 60 }, (_, at) => 60 - at)
  )
})

test('S-8 1 MiB of quotes in one row is read whole, page by page', async () => {
  const desk = newDesk()
  const text = '"'.repeat(524_000)
  desk.write({ 0: [said(1, text)] })
  expect(await desk.readAll('i:1', 16_000)).toBe(text)
})

test('S-2 an id that fits several rows fails and lists exact ones; each of those reads its own row', async () => {
  const desk = newDesk()
  const copy = said(5, 'an identical copy')
  desk.write({
    0: [said(5, 'one'), said(5, 'two', 'other'), copy, copy],
    10: [compaction(10), said(5, 'in another window', 'said-5')]
  })
  const bySequence = await desk.read('i:5')
  expect(bySequence.error).toBe('ambiguous_item')
  const candidates = bySequence.candidates ?? []
  expect(candidates.map(({ opening, window_id }) => `${window_id} ${opening}`).toSorted()).toEqual([
    'w:0 an identical copy',
    'w:0 an identical copy',
    'w:0 one',
    'w:0 two',
    'w:10 in another window'
  ])
  expect(new Set(candidates.map(({ item_id }) => item_id)).size).toBe(5)
  for (const { item_id, opening } of candidates) {
    expect(item_id).toMatch(/^x:[0-9a-f]{8}\.\d+\.\d+\.[0-9a-f]{12}$/)
    expect((await desk.read(item_id)).item?.text).toBe(opening)
  }
  expect((await desk.read('m:said-5')).candidates).toHaveLength(4)
  expect((await desk.read('m:other')).item?.text).toBe('two')
  // What a search gives can be read back, one way or the other.
  const { hits } = await desk.searchAll('in another window')
  expect(hits[0]?.item_id).toMatch(/^x:/)
  expect((await desk.read(hits[0]?.item_id ?? '')).item?.text).toBe('in another window')
})

test('S-2 exact ids survive tracked appends, expire on a rewrite, and a forged one names nothing', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const desk = newDesk({ workspace, reader: store })
  await store.appendMany([said(null, 'first', 'a'), said(null, 'second', 'b')])
  const exact = (await desk.read('i:1')).item?.exact_id ?? ''
  const other = (await desk.read('i:2')).item?.exact_id ?? ''
  await store.appendMany([said(null, 'third', 'c')])
  await store.appendMany([rollover(null), said(null, 'fourth', 'd')])
  expect((await desk.read(exact)).item?.text).toBe('first')
  const [epoch, window, offset, fingerprint] = exact.slice(2).split('.')
  const otherParts = other.slice(2).split('.')
  const forged = [
    `x:${epoch}.${window}.${otherParts[2]}.${fingerprint}`,
    `x:${epoch}.${window}.${offset}.${otherParts[3]}`,
    `x:00000000.${window}.${offset}.${fingerprint}`,
    `x:${epoch}.99.${offset}.${fingerprint}`,
    `x:${epoch}.${window}.5.${fingerprint}`,
    `x:${epoch}.${window}.999999.${fingerprint}`
  ]
  for (const id of forged) expect((await desk.read(id)).error).toMatch(/^(?:stale_item|not_found)$/)
  const path = workspace.path('windows', 'w-0.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('first', 'other'))
  expect((await desk.read(exact)).error).toBe('stale_item')
  await store.close()
})

test('S-2 rows without a sequence are read by their message id; hidden rows and dividers by none', async () => {
  const desk = newDesk()
  desk.write({
    0: [said(null, 'by hand', 'hand'), said(2, 'ordinary'), answered(3, [{ type: 'reasoning', text: 'thought' }])],
    10: [rollover(10), reset(11, 'inner')]
  })
  desk.write({ 10: [rollover(10), said(12, 'newest')] })
  expect((await desk.read('m:hand')).item?.text).toBe('by hand')
  expect((await desk.read('m:said-2')).item?.text).toBe('ordinary')
  expect((await desk.read('i:3')).item?.text).toBe('')
  for (const id of ['i:10', 'm:rollover-10', 'i:99', 'm:nobody', 'i:0'])
    expect((await desk.read(id)).error).toBe('not_found')
})

test('S-7 an item deep in a large window is found in one call, whatever its place, and a missing one fails in the end', async () => {
  const observed = observeFileSystem()
  const workspace = tempWorkspace()
  const desk = newDesk({ workspace, fs: observed.fs })
  const count = isLong ? 20_000 : 4_000
  const row = (sequence: number) => said(sequence, `row ${sequence} ${'x'.repeat((sequence * 7_919) % 6_000)}`)
  // Gaps, as failed appends leave them.
  const rows = Array.from({ length: count }, (_, at) => row(at * 2 + 1))
  desk.write({ 0: rows.slice(0, count / 2), [count * 2]: [rollover(count * 2), row(count * 2 + 1)] })
  await desk.read('i:1')
  for (const at of [0, 1, 7, 500, 999, count / 4, count / 2 - 1]) {
    observed.calls.length = 0
    const page = await desk.read(`i:${at * 2 + 1}`, { limit_chars: 20 })
    expect(page.item?.text.startsWith(`row ${at * 2 + 1} `)).toBe(true)
    expect(observed.bytesRead('.jsonl')).toBeLessThan(3_500_000)
  }
  await expect(desk.readAll('i:500')).rejects.toThrow('not_found')
})

test('S-2 rows in no order are found all the same, by the cursor', async () => {
  const desk = newDesk()
  const rows = Array.from({ length: 1_400 }, (_, at) =>
    said(((at * 577) % 1_400) + 1, `row ${((at * 577) % 1_400) + 1}`)
  )
  desk.write({ 0: rows })
  for (const sequence of [1, 2, 700, 1_399, 1_400]) expect(await desk.readAll(`i:${sequence}`)).toBe(`row ${sequence}`)
})

function spill(workspace: TempWorkspace, text: string | Buffer): { id: string; bytes: number; mediaType: string } {
  const id = createHash('sha256').update(text).digest('hex')
  mkdirSync(workspace.path('spill'), { recursive: true })
  writeFileSync(workspace.path('spill', id), text)
  return { id, bytes: Buffer.byteLength(text), mediaType: 'text/plain' }
}

test('S-7 a long spill is read page by page, also from its middle in another process, under the budget of each call', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const desk = newDesk({ workspace, fs: observed.fs })
  const text = Array.from({ length: 60_000 }, (_, at) => `line ${at} 🌊 ä ${'-'.repeat(at % 60)}`).join('\n')
  desk.write({ 0: [answered(1, [toolPart('a', { output: 'cut', outputSpill: spill(workspace, text) })])] })
  const whole = `bash {"command":"ls"}\n${text}`
  const deep = whole.length - 50_000
  let answer = await desk.read('i:1', { offset_chars: deep })
  let calls = 1
  for (; answer.cursor !== null; calls++) {
    expect(answer.item).toMatchObject({ text: '', offset_chars: deep, next_offset_chars: deep, total_chars: null })
    expect(answer.exhausted).toBe(false)
    // Every call by another process, which remembers nothing.
    answer = await newDesk({ workspace, fs: observed.fs }).read('i:1', { offset_chars: deep, cursor: answer.cursor })
  }
  expect(calls).toBeGreaterThan(1)
  expect(answer.item?.text).toBe(whole.slice(deep, deep + 8_000))
  expect(await desk.readAll('i:1', 16_000)).toBe(whole)
  expect((await desk.read('i:1', { offset_chars: deep })).item?.total_chars).toBe(whole.length)
})

test('S-7 a spill of any bytes reads like its text, wherever a page or a piece ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 6 }),
          fc.constant(Buffer.from('aä🌊')),
          fc.constant(Buffer.from('x'.repeat(500)))
        ),
        {
          maxLength: 200
        }
      ),
      fc.integer({ min: 1, max: 700 }),
      fc.integer({ min: 0, max: 3 }),
      async (chunks, times, shift) => {
        const workspace = tempWorkspace()
        const desk = newDesk({ workspace })
        const bytes = Buffer.concat([
          Buffer.alloc(shift, 'p'),
          ...Array.from({ length: times }, () => Buffer.concat(chunks))
        ]).subarray(0, 800_000)
        desk.write({ 0: [answered(1, [toolPart('a', { output: 'cut', outputSpill: spill(workspace, bytes) })])] })
        expect(await desk.readAll('i:1', 16_000)).toBe(`bash {"command":"ls"}\n${bytes.toString('utf8')}`)
      }
    ),
    { seed: 71, numRuns: inForm({ quick: 4, full: 12, long: 200 }) }
  )
})

/** Rows of the recorded session, split over windows by rollovers as the app would write them. */
async function recordedSession(workspace: TempWorkspace, windowRows: number): Promise<Row[]> {
  const { importHistory } = await import('../history/import-history')
  const source = tempWorkspace()
  const from = await source.open({ durability: 'relaxed' })
  let ids = 0
  const path = new URL('../history/testing/fixtures/pi-large-session.jsonl', import.meta.url).pathname
  await importHistory({ store: from, workspaceDir: source.dir, format: 'pi', path, newId: () => `row-${ids++}` })
  const rows = source.storedRows()
  await from.close()
  const store = await workspace.open({ durability: 'relaxed' })
  for (let at = 0; at < rows.length; at += windowRows) {
    const batch: NewRow[] = rows.slice(at, at + windowRows)
    await store.appendMany(at === 0 ? batch : [{ ...rollover(null), id: `boundary-${at}` }, ...batch])
  }
  await store.close()
  return workspace.storedRows().filter(({ metadata }) => metadata.contextBoundaryKind === undefined)
}

/** The text of a row by the words of S-7, from scratch. */
function textOfRow(row: Row): string {
  return row.parts
    .flatMap((part) => {
      const fields = part as Readonly<Record<string, unknown>>
      if (part.type === 'text') return [String(fields['text'])]
      if (part.type === 'file') return ['[image]']
      if (part.type !== 'dynamic-tool') return []
      const { input, output } = fields
      const errorText = fields['errorText'] as string | undefined
      const result = output === undefined ? errorText : typeof output === 'string' ? output : JSON.stringify(output)
      return [`${String(fields['toolName'])} ${JSON.stringify(input)}`, ...(result === undefined ? [] : [result])]
    })
    .join('\n')
}

test('S-6 S-7 a recorded session over many windows: what a search finds is read back, its pages the stored text byte for byte', async () => {
  const workspace = tempWorkspace()
  const rows = await recordedSession(workspace, 40)
  const desk = newDesk({ workspace })
  const bySequence = new Map(rows.map((row) => [row.metadata.historySequence ?? -1, row]))
  const queries = ['theme', 'export function', '"path"', 'npm run', 'Größe', '✓', 'error TS', '\n\n', 'const x = `${']
  let read = 0
  for (const query of isLong ? queries : queries.slice(0, 7)) {
    const { hits } = await desk.searchAll(query, { limit: 25 })
    const expected = rows.filter((row) => {
      const text = textOfRow(row)
      const forms = [query, JSON.stringify(query).slice(1, -1)].map((form) => form.toLowerCase())
      return (
        !row.parts.some((part) => 'outputSpill' in part || 'inputSpill' in part) &&
        forms.some((form) => text.toLowerCase().includes(form))
      )
    })
    const found = new Set(hits.map(({ sequence }) => sequence))
    for (const row of expected) {
      const spansSegments = !row.parts.some((part) =>
        textOfRow({ ...row, parts: [part] })
          .toLowerCase()
          .includes(query.toLowerCase())
      )
      if (!found.has(row.metadata.historySequence ?? -1))
        expect([query, row.id, spansSegments]).toEqual([query, row.id, true])
    }
    expect(hits.map(({ sequence }) => sequence)).toEqual(
      hits.map(({ sequence }) => sequence).toSorted((a, b) => (b ?? 0) - (a ?? 0))
    )
    for (const hit of hits.filter((_, at) => isLong || at % 9 === 0)) {
      const row = bySequence.get(hit.sequence ?? -1)
      if (row === undefined) throw new Error('a hit that is no row')
      if (row.parts.some((part) => 'outputSpill' in part || 'inputSpill' in part)) continue
      expect(await desk.readAll(hit.item_id, 5_000)).toBe(textOfRow(row))
      read++
    }
  }
  expect(read).toBeGreaterThan(isLong ? 200 : 20)
  expect((await desk.listAll()).at(-1)?.kind).toBe('root')
}, 60_000)
