import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_HISTORY_CURSOR_CHARS } from '@common/constants'
import { isLong } from '../history/testing/long-form'
import { assistantRow, personRow, toolPart } from '../history/testing/row-builders'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { CURSOR_ACTIONS, type CursorPlace, decodeCursor, encodeCursor } from './cursor-codec'
import { type Answer, type HistoryDesk, newDesk, rollover, said, TEST_KEY } from './testing/history-desk'

const owner = { workspaceId: 'ws-1', action: 'search', purpose: 'q' } as const
const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const place: fc.Arbitrary<CursorPlace> = fc.record({
  window: safe,
  byteOffset: safe,
  isInLongLine: fc.boolean(),
  stamp: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => value.toString(16).padStart(16, '0')),
  epoch: fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((value) => value.toString(16).padStart(8, '0')),
  snapshot: fc.record({ window: safe, byteOffset: safe }),
  details: fc.array(safe, { maxLength: 4 })
})

test('S-5 a cursor comes back as it was, never longer than 160 characters', () => {
  fc.assert(
    fc.property(place, fc.constantFrom(...CURSOR_ACTIONS), (value, action) => {
      const text = encodeCursor(value, { ...owner, action }, TEST_KEY)
      expect(text.length).toBeLessThanOrEqual(MAX_HISTORY_CURSOR_CHARS)
      expect(text).toMatch(/^[\w-]+$/)
      expect(decodeCursor(text, { ...owner, action }, TEST_KEY)).toEqual({ ok: true, value })
    }),
    { seed: 5, numRuns: 500 }
  )
})

test('S-5 a cursor that was changed in any place, cut, lengthened or made with another key is forged', () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.string(), (value, at, change, more) => {
      const text = encodeCursor(value, owner, TEST_KEY)
      const bytes = Buffer.from(text, 'base64url')
      const where = at % bytes.length
      bytes[where] = (bytes[where] ?? 0) ^ change
      const forgeries = [
        bytes.toString('base64url'),
        text.slice(0, at % text.length),
        `${text}${more === '' ? 'A' : more}`,
        ` ${text}`,
        `${text}=`,
        encodeCursor(value, owner, new Uint8Array(32).fill(8)),
        more
      ]
      for (const forged of forgeries)
        expect(decodeCursor(forged, owner, TEST_KEY)).toEqual({ ok: false, error: 'forged' })
    }),
    { seed: 55, numRuns: isLong ? 20_000 : 400 }
  )
})

test('S-5 a cursor of another workspace, action or query is refused, in words', async () => {
  const desk = newDesk()
  const other = newDesk({ workspaceId: 'ws-2', workspace: desk.workspace })
  desk.write({
    0: Array.from({ length: 5 }, (_, at) => said(at + 1, 'needle')),
    10: [rollover(10), said(11, 'needle')]
  })
  const { cursor } = await desk.search('needle', { limit: 1 })
  const listed = await desk.call({ action: 'list_windows', limit: 1 })
  const refused = [
    other.search('needle', { cursor }),
    desk.search('needles', { cursor }),
    desk.search('needle', { cursor, window_id: 'w:0' }),
    desk.search('needle', { cursor }, 'person'),
    desk.call({ action: 'list_windows', cursor }),
    desk.read('i:1', { cursor }),
    desk.search('needle', { cursor: listed.cursor }),
    desk.search('needle', { cursor: `${cursor}x` }),
    desk.search('needle', { cursor: 'nonsense' })
  ]
  for (const answer of await Promise.all(refused)) {
    expect(answer.error).toBe('invalid_cursor')
    expect(answer.message).toMatch(/^cursor: /)
  }
  expect((await desk.search('needle', { cursor })).items).toHaveLength(5)
})

async function storeDesk(): Promise<{
  desk: HistoryDesk
  close(): Promise<void>
  append(...ids: string[]): Promise<void>
}> {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const desk = newDesk({ workspace, reader: store })
  return {
    desk,
    close: () => store.close(),
    append: async (...ids) => void (await store.appendMany(ids.map((id) => personRow(id, `needle ${id}`))))
  }
}

const idsOf = ({ items }: Answer): string[] => items.map(({ snippet }) => snippet.replace('needle ', ''))

test('S-5 H-8 a cursor lives on over this tool’s own results, other appends and new windows', async () => {
  const workspace = tempWorkspace()
  const [store, elsewhere] = [await workspace.open(), await workspace.open()]
  const desk = newDesk({ workspace, reader: store })
  await store.appendMany(Array.from({ length: 6 }, (_, at) => personRow(`p${at}`, `needle p${at}`)))
  const seen: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < 3; page++) {
    const answer: Answer = await desk.search('needle', { limit: 2, ...(cursor === null ? {} : { cursor }) })
    seen.push(...idsOf(answer))
    cursor = answer.cursor
    const call = toolPart(`call-${page}`, { toolName: 'session_history', input: { action: 'search' }, output: answer })
    await store.appendMany([{ ...assistantRow(`result-${page}`), parts: [call] }])
    await elsewhere.appendMany([personRow(`foreign-${page}`, 'of another process')])
    await store.appendMany([{ ...rollover(null), id: `boundary-${page}` }, personRow(`go-on-${page}`, 'go on')])
  }
  expect(seen).toEqual(['p5', 'p4', 'p3', 'p2', 'p1', 'p0'])
  await store.close()
  await elsewhere.close()
})

test('S-5 a cursor given by one process is taken by another one of the same installation', async () => {
  const { desk, close, append } = await storeDesk()
  await append('a', 'b', 'c')
  const { cursor } = await desk.search('needle', { limit: 1 })
  await append('d')
  const elsewhere = newDesk({ workspace: desk.workspace })
  expect(idsOf(await elsewhere.search('needle', { limit: 5, cursor }))).toEqual(['b', 'a'])
  await close()
})

test.each(['newest', 'sealed'] as const)(
  'S-5 H-8 a cursor into the %s window is stale after a rewrite, and after one of the same size',
  async (which) => {
    for (const isSameSize of [false, true]) {
      const workspace = tempWorkspace()
      const store = await workspace.open()
      const desk = newDesk({ workspace, reader: store })
      await store.appendMany(['a', 'b', 'c'].map((id) => personRow(id, `needle ${id}`)))
      if (which === 'sealed') await store.appendMany([rollover(null)])
      const path = workspace.path('windows', 'w-0.jsonl')
      const { cursor } = await desk.search('needle', { limit: 1 })
      const exact = (await desk.read('i:1')).item?.exact_id ?? ''
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, isSameSize ? text.replace('needle a', 'NEEDLE a') : text.replace('needle a', 'a'))
      // The change must show, whatever the grain of the file system's clock.
      utimesSync(path, 1_000_000, 1_000_000)
      const answer = await desk.search('needle', { limit: 1, cursor })
      expect(answer.error).toBe('stale_cursor')
      expect(answer.restart_hint).toContain('without a cursor')
      if (which === 'newest' || !isSameSize) expect((await desk.read(exact)).error).toMatch(/stale_item|not_found/)
      await store.close()
    }
  }
)

test('S-5 list and read cursors are stale after a rewrite, too', async () => {
  const desk = newDesk()
  const rows = Array.from({ length: 1_200 }, (_, at) => said(at + 1, `${at}`, at === 3 ? 'wanted' : `p${at}`))
  desk.write({ 0: rows.map((row) => ({ ...row, metadata: {} })), 5_000: [rollover(5_000)] })
  const list = await desk.call({ action: 'list_windows', limit: 1 })
  const read = await desk.read('m:wanted')
  expect(read).toMatchObject({ item: null, exhausted: false })
  expect(list.cursor).not.toBeNull()
  desk.write({ 5_000: [rollover(5_000), said(5_001, 'new')] })
  expect((await desk.call({ action: 'list_windows', limit: 1, cursor: list.cursor })).error).toBe('stale_cursor')
  expect((await desk.read('m:wanted', { cursor: read.cursor })).error).toBe('stale_cursor')
})

test('S-1 a wrong input is refused in words that name the field; null is the same as nothing', async () => {
  const desk = newDesk()
  desk.write({ 0: [said(1, 'needle')] })
  const wrong: readonly [Readonly<Record<string, unknown>>, string][] = [
    [{}, 'action'],
    [{ action: 'delete' }, 'action'],
    [{ action: 'search' }, 'query'],
    [{ action: 'search', query: null }, 'query'],
    [{ action: 'search', query: '' }, 'query'],
    [{ action: 'search', query: 'x'.repeat(501) }, 'query'],
    [{ action: 'search', query: 'x', limit: 0 }, 'limit'],
    [{ action: 'search', query: 'x', limit: 1.5 }, 'limit'],
    [{ action: 'list_windows', limit: 51 }, 'limit'],
    [{ action: 'search', query: 'x', cursor: 'c'.repeat(161) }, 'cursor'],
    [{ action: 'read_item' }, 'item_id'],
    [{ action: 'read_item', item_id: 'row 3' }, 'item_id'],
    [{ action: 'read_item', item_id: 'i:1', offset_chars: -1 }, 'offset_chars'],
    [{ action: 'read_item', item_id: 'i:1', limit_chars: 16_001 }, 'limit_chars']
  ]
  for (const [input, field] of wrong) {
    const answer = await desk.call(input)
    expect([input, answer.error]).toEqual([input, 'invalid_input'])
    expect(answer.message).toMatch(new RegExp(`^${field}: `))
  }
  const nulls = { window_id: null, item_id: null, cursor: null, limit: null, offset_chars: null, limit_chars: null }
  expect((await desk.call({ ...nulls, action: 'search', query: 'needle' })).items).toHaveLength(1)
  expect((await desk.call({ ...nulls, action: 'list_windows', query: null })).windows).toHaveLength(1)
  expect((await desk.call({ ...nulls, action: 'read_item', item_id: 'i:1' })).item?.text).toBe('needle')
})
