import { expect, test } from 'vitest'
import { HISTORY_SCAN_BYTES } from '@common/constants'
import { observeFileSystem } from '../history/testing/faulty-file-system'
import { personRow, resetRow } from '../history/testing/row-builders'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { answered, compaction, machine, newDesk, reset, rollover, said } from './testing/history-desk'

test('S-10 windows are told from the current one to the floor, with ends, times, items and opening', async () => {
  const desk = newDesk()
  desk.write({
    0: [said(1, 'an older secret')],
    10: [reset(10), said(11, `  How does ${'it '.repeat(100)}work?`), answered(12, [{ type: 'text', text: 'So.' }])],
    20: [
      rollover(20),
      machine(21, 'context-window-lead-in', 'you are in a fresh window', { uiVisible: false }),
      said(22, 'and then?')
    ],
    30: [compaction(30, 'a summary of all that'), said(31, 'go on'), said(32, 'go on'), 'torn {"id']
  })
  const page = await desk.call({ action: 'list_windows' })
  expect(page).toMatchObject({ exhausted: true, cursor: null, skipped_oversized_rows: 0 })
  expect(page.windows).toEqual([
    {
      window_id: 'w:30',
      kind: 'compaction',
      current: true,
      first_sequence: 30,
      last_sequence: 32,
      started_at: '2026-09-21T14:13:50.000Z',
      ended_at: '2026-09-21T14:13:52.000Z',
      items: 3,
      opening: 'a summary of all that',
      opening_item_id: 'i:30'
    },
    expect.objectContaining({
      window_id: 'w:20',
      kind: 'rollover',
      current: false,
      items: 1,
      opening: 'and then?',
      opening_item_id: 'i:22',
      first_sequence: 20
    }),
    expect.objectContaining({ window_id: 'w:10', kind: 'reset', items: 2, opening_item_id: 'i:11' })
  ])
  expect(page.windows[2]?.opening).toHaveLength(200)
  expect(page.windows[2]?.opening.startsWith('How does it it')).toBe(true)
  expect(JSON.stringify(page)).not.toContain('secret')
})

test('S-10 pages of any limit list every window once, newest first', async () => {
  const desk = newDesk()
  const windows: Record<number, readonly ReturnType<typeof said>[]> = { 0: [said(1, 'root')] }
  for (let at = 1; at <= 70; at++)
    windows[at * 10] = [at % 3 === 0 ? compaction(at * 10) : rollover(at * 10), said(at * 10 + 1, `window ${at}`)]
  desk.write(windows)
  const all = Array.from({ length: 71 }, (_, at) => `w:${(70 - at) * 10}`)
  for (const more of [{}, { limit: 1 }, { limit: 7 }, { limit: 50 }])
    expect((await desk.listAll(more)).map(({ window_id }) => window_id)).toEqual(all)
  const first = await desk.call({ action: 'list_windows' })
  expect(first.windows).toHaveLength(20)
  expect(first.exhausted).toBe(false)
})

test('S-8 S-10 a list reads 2 MiB at most; counts that were cut say so, and are whole once a window was read whole', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs, durability: 'relaxed' })
  const desk = newDesk({ workspace, fs: observed.fs, reader: store })
  const rows = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => personRow(`${name}-${at}`, `${name} ${'x'.repeat(9_000)}`))
  await store.appendMany(rows('root', 400))
  for (let at = 1; at <= 24; at++) await store.appendMany([{ ...rollover(null), id: `b${at}` }, ...rows(`w${at}`, 60)])
  observed.calls.length = 0
  const page = await desk.call({ action: 'list_windows' })
  // What looks for floors inside of windows returns nothing of them; it looks once.
  const looked = observed.bytesRead('.jsonl')
  observed.calls.length = 0
  const again = await desk.call({ action: 'list_windows' })
  expect(observed.bytesRead('.jsonl')).toBeLessThanOrEqual(HISTORY_SCAN_BYTES)
  expect(looked).toBeGreaterThan(HISTORY_SCAN_BYTES)
  expect(page.windows).toHaveLength(20)
  expect(page.windows[0]).toMatchObject({ items: 60, opening_item_id: 'i:1805' })
  expect(page.windows[0]).not.toHaveProperty('items_complete')
  const cut = page.windows.filter(({ items_complete }) => items_complete === false)
  expect(cut.length).toBeGreaterThan(3)
  for (const window of page.windows) {
    expect(window.items).toBeLessThanOrEqual(60)
    expect(window.opening).toMatch(/^w\d+ x/)
    expect((window.last_sequence ?? 0) - (window.first_sequence ?? 0)).toBe(60)
  }
  const complete = (windows: typeof page.windows): number =>
    windows.filter(({ items_complete }) => items_complete !== false).length
  expect(complete(again.windows)).toBeGreaterThan(complete(page.windows))
  await store.close()
})

test('S-10 rows that were appended meanwhile do not move the older pages', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const desk = newDesk({ workspace, reader: store })
  await store.appendMany([personRow('a')])
  for (const id of ['b', 'c']) await store.appendMany([{ ...rollover(null), id }, personRow(`after-${id}`)])
  const first = await desk.call({ action: 'list_windows', limit: 1 })
  await store.appendMany([{ ...rollover(null), id: 'd' }])
  const rest = await desk.call({ action: 'list_windows', cursor: first.cursor })
  expect(rest.windows.map(({ window_id }) => window_id)).toEqual(['w:2', 'w:0'])
  await store.appendMany([resetRow('reset')])
  expect((await desk.call({ action: 'list_windows', cursor: first.cursor })).windows).toEqual([])
  await store.close()
})

test('S-10 a long first message, an oversized one, a window of hidden rows only', async () => {
  const desk = newDesk()
  desk.write({
    0: [said(1, 'w'.repeat(600_000)), said(2, 'x'.repeat(1_100_000)), said(3, 'end')],
    10: [rollover(10), machine(11, 'context-window-lead-in', 'hidden', { uiVisible: false })]
  })
  const [hidden, root] = (await desk.call({ action: 'list_windows' })).windows
  expect(hidden).toMatchObject({ items: 0, opening: '', opening_item_id: null })
  expect(root).toMatchObject({ first_sequence: 1, last_sequence: 3, items: 2, opening: 'w'.repeat(200) })
  expect((await desk.call({ action: 'list_windows' })).skipped_oversized_rows).toBe(1)
})
