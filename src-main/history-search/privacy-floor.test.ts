import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { personRow, resetRow } from '../history/testing/row-builders'
import { compaction, type HistoryDesk, type Line, newDesk, reset, rollover, said } from './testing/history-desk'

/** Everything that an agent can reach by any action, searched for the one word that stands in every row. */
async function reachable(desk: HistoryDesk): Promise<string[]> {
  const { hits } = await desk.searchAll('secret')
  return hits.map(({ snippet }) => snippet)
}

/** Rows `secret 1` to `secret 9` over windows with these boundaries: 0 is the root, each other begins at 10 × its place. */
function mixed(...boundaries: readonly ((sequence: number) => Line)[]): Record<number, readonly Line[]> {
  const windows: Record<number, readonly Line[]> = { 0: [said(1, 'secret 0')] }
  for (const [at, boundary] of boundaries.entries()) {
    const sequence = (at + 1) * 10
    windows[sequence] = [boundary(sequence), said(sequence + 1, `secret ${at + 1}`)]
  }
  return windows
}

test('S-3 an agent looks behind rollovers and compactions of all kinds', async () => {
  const desk = newDesk()
  desk.write(mixed(rollover, compaction, rollover, (sequence) => compaction(sequence, 'written after a heartbeat')))
  expect(await reachable(desk)).toEqual(['secret 4', 'secret 3', 'secret 2', 'secret 1', 'secret 0'])
  expect((await desk.listAll()).map(({ window_id, kind }) => [window_id, kind])).toEqual([
    ['w:40', 'compaction'],
    ['w:30', 'rollover'],
    ['w:20', 'compaction'],
    ['w:10', 'rollover'],
    ['w:0', 'root']
  ])
})

const line = (row: Line): string => (typeof row === 'string' ? row : JSON.stringify(row))
const FLOORS: readonly [string, (sequence: number) => Line][] = [
  ['a plain reset', reset],
  ['a reset without a sequence', () => reset(null)],
  ['a rollover with a field missing', (sequence) => rollover(sequence, { reason: undefined })],
  ['a rollover that says something', (sequence) => ({ ...rollover(sequence), parts: [{ type: 'text', text: 'hi' }] })],
  ['a rollover by the wrong role', (sequence) => ({ ...rollover(sequence), role: 'user' as const })],
  ['a reset without an id', (sequence) => line(reset(sequence)).replace(/"id":"[^"]*",/, '')],
  [
    'a reset with damaged metadata',
    () => '{"id":"x","role":"user","parts":[],"metadata":{"contextBoundaryKind":"reset","historySequence":"ten"}}'
  ],
  [
    'a boundary of a kind that a newer version knows',
    () => '{"id":"x","metadata":{"contextBoundaryKind":"hard-reset"}}'
  ],
  ['a torn reset', (sequence) => line(reset(sequence)).slice(0, -9)],
  [
    'a reset torn in the middle of its kind',
    () => '{"id":"x","role":"user","parts":[],"metadata":{"contextBoundaryKind":"re'
  ],
  [
    'a torn reset that is larger than a row',
    (sequence) => `{"x":"${'y'.repeat(1_200_000)}",${line(reset(sequence)).slice(1, -5)}`
  ],
  ['a damaged reset with spaces', () => '{{"metadata" : {"contextBoundaryKind" :  "reset"}}'],
  [
    'a damaged reset with a rollover named behind it',
    () => '{"metadata":{"contextBoundaryKind":"reset","machine":{"type":"context-window-rollover"}}'
  ]
]

test.each(FLOORS)('S-3 %s is a floor: nothing above it is listed, found or read', async (_name, boundary) => {
  const desk = newDesk()
  desk.write(mixed(rollover, boundary, rollover))
  expect(await reachable(desk)).toEqual(['secret 3', 'secret 2'])
  const windows = await desk.listAll()
  expect(windows.map(({ kind }) => kind)).toEqual(['rollover', 'reset'])
  expect(JSON.stringify(windows)).not.toMatch(/secret [01]/)
  for (const id of ['i:1', 'i:11', 'm:said-1', 'm:said-11']) expect((await desk.read(id)).error).toBe('not_found')
  for (const window_id of ['w:0', 'w:10']) {
    expect((await desk.search('secret', { window_id })).error).toBe('unknown_window')
    expect((await desk.search('secret', { window_id: window_id.replace('w:', 'w:m:rollover-') })).error).toBe(
      'unknown_window'
    )
  }
  expect((await desk.read('i:21')).item?.text).toBe('secret 2')
  // A person sees everything.
  const { hits } = await desk.searchAll('secret', {}, 'person')
  expect(hits.map(({ snippet }) => snippet)).toEqual(['secret 3', 'secret 2', 'secret 1', 'secret 0'])
  expect((await desk.read('i:1', {}, 'person')).item?.text).toBe('secret 0')
  expect(await desk.listAll({}, 'person')).toHaveLength(4)
})

const NO_FLOORS: readonly [string, (sequence: number) => Line][] = [
  ['a torn rollover', (sequence) => line(rollover(sequence)).slice(0, -9)],
  ['a torn compaction', (sequence) => line(compaction(sequence)).slice(0, -9)],
  ['a line of noise', () => 'x'.repeat(500)],
  ['noise that is larger than a row', () => 'x'.repeat(1_500_000)],
  [
    'a torn rollover that is larger than a row',
    (sequence) => `{"x":"${'y'.repeat(1_200_000)}",${line(rollover(sequence)).slice(1, -5)}`
  ],
  ['a message that quotes a reset', (sequence) => said(sequence, `it was ${line(reset(3))}`)],
  ['a torn message that quotes a reset', (sequence) => line(said(sequence, `it was ${line(reset(3))}`)).slice(0, -30)],
  [
    'a message that holds a reset beside its metadata',
    () => '{"id":"x","role":"user","parts":[],"contextBoundaryKind":"reset","metadata":{}}'
  ]
]

test.each(NO_FLOORS)('S-3 %s at the head of a window hides nothing', async (_name, boundary) => {
  const desk = newDesk()
  desk.write(mixed(rollover, boundary, rollover))
  expect((await reachable(desk)).filter((snippet) => snippet.startsWith('secret'))).toEqual([
    'secret 3',
    'secret 2',
    'secret 1',
    'secret 0'
  ])
  expect((await desk.read('i:1')).item?.text).toBe('secret 0')
  expect((await desk.search('secret', { window_id: 'w:0' })).items).toHaveLength(1)
})

test.each([
  ['a reset', reset(3)],
  ['a torn reset', line(reset(3)).slice(0, -9)],
  ['a malformed rollover', rollover(3, { maxTokens: null })]
])('S-3 %s in the middle of a file is a floor too, for every action and from every window', async (_name, inner) => {
  const desk = newDesk()
  desk.write({
    0: [said(1, 'secret 0'), rollover(2), said(2, 'secret 1')],
    10: [rollover(10), said(11, 'secret 2'), inner, said(13, 'secret 3')],
    20: [compaction(20, 'a summary'), said(21, 'secret 4')]
  })
  expect(await reachable(desk)).toEqual(['secret 4', 'secret 3'])
  const windows = await desk.listAll()
  expect(windows.map(({ kind, opening }) => [kind, opening])).toEqual([
    ['compaction', 'a summary'],
    ['reset', 'secret 3']
  ])
  for (const id of ['i:1', 'i:2', 'i:11', 'm:said-11']) expect((await desk.read(id)).error).toBe('not_found')
  expect((await desk.read('i:13')).item?.text).toBe('secret 3')
  expect((await desk.search('secret', { window_id: 'w:10' })).items.map(({ snippet }) => snippet)).toEqual(['secret 3'])
  expect((await desk.search('secret', { window_id: 'w:0' })).error).toBe('unknown_window')
})

test('S-3 the newest of several resets is the floor, however many automatic boundaries stand around it', async () => {
  const desk = newDesk()
  desk.write(mixed(reset, rollover, reset, compaction, rollover, compaction))
  expect(await reachable(desk)).toEqual(['secret 6', 'secret 5', 'secret 4', 'secret 3'])
  expect((await desk.listAll({ limit: 50 })).map(({ window_id }) => window_id)).toEqual([
    'w:60',
    'w:50',
    'w:40',
    'w:30'
  ])
  expect((await desk.listAll({ limit: 1 })).map(({ window_id }) => window_id)).toEqual(['w:60', 'w:50', 'w:40', 'w:30'])
})

test('S-3 cursors and exact ids from before a reset reach nothing above it', async () => {
  const desk = newDesk()
  const store = await desk.workspace.open()
  const own = newDesk({ workspace: desk.workspace, reader: store })
  await store.appendMany(Array.from({ length: 4 }, (_, at) => personRow(`p${at}`, `secret ${at}`)))
  const first = await own.search('secret', { limit: 1 })
  const listed = await own.call({ action: 'list_windows' })
  const exact = (await own.read('i:1')).item?.exact_id ?? ''
  const filtered = await own.search('secret', { limit: 1, window_id: 'w:0' })
  expect((await own.read(exact)).item?.text).toBe('secret 0')
  expect(listed.windows).toHaveLength(1)
  await store.appendMany([resetRow('reset')])
  await store.appendMany([personRow('after', 'secret after')])
  for (const each of [own, desk]) {
    expect((await each.search('secret', { limit: 1, cursor: first.cursor })).items).toEqual([])
    expect((await each.search('secret', { limit: 1, cursor: first.cursor })).exhausted).toBe(true)
    expect((await each.search('secret', { window_id: 'w:0', limit: 1, cursor: filtered.cursor })).error).toBe(
      'unknown_window'
    )
    expect((await each.read(exact)).error).toBe('not_found')
    expect((await each.read('i:1')).error).toBe('not_found')
  }
  await store.close()
})

test('S-3 a reset that was put there by hand in mid-file expires what was known of the file', async () => {
  const desk = newDesk()
  desk.write({ 0: [said(1, 'secret 1'), said(2, 'secret 2')], 10: [rollover(10), said(11, 'secret 3')] })
  expect(await reachable(desk)).toEqual(['secret 3', 'secret 2', 'secret 1'])
  expect((await desk.read('i:1')).item?.text).toBe('secret 1')
  const path = desk.workspace.path('windows', 'w-10.jsonl')
  appendFileSync(path, `${line(reset(12))}\n${line(said(13, 'secret 4'))}\n`)
  expect(await reachable(desk)).toEqual(['secret 4'])
  expect((await desk.read('i:1')).error).toBe('not_found')
  expect((await desk.read('i:11')).error).toBe('not_found')
  writeFileSync(path, `${line(rollover(10))}\n`)
  expect(await reachable(desk)).toEqual(['secret 2', 'secret 1'])
})
