// 60: `tidemark history` and `tidemark windows` on the built program: what they print, one line a result, and how
// they end. Also two processes: one appends while another one pages.
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answered, reset, rollover, said } from '../history-search/testing/history-desk'
import { commandHome, type CommandHome, type FinishedRun } from './testing/run-tidemark'

let home: CommandHome
let workspaceId: string
let windows: string
beforeEach(async () => {
  home = commandHome()
  const file = path.join(home.base, 'rows.jsonl')
  const rows = [
    said(1, 'the first needle'),
    reset(2),
    said(3, `second ${'needle '.repeat(30)}`),
    rollover(4),
    said(5, 'third needle'),
    answered(6, [{ type: 'text', text: 'an answer' }], {
      contextUsage: { inputTokens: 10, cacheReadTokens: 20, cacheWriteTokens: 30, outputTokens: 4, reasoningTokens: 0 }
    })
  ]
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const imported = await home.run(['import', '--format', 'tidemark', file, '--project', home.project, '--json'])
  workspaceId = String(imported.last['workspaceId'])
  windows = path.join(home.home, 'workspaces', workspaceId, 'windows')
}, 60_000)
afterEach(() => home.remove())

const history = (...args: string[]): Promise<FinishedRun> =>
  home.run(['history', ...args, '--workspace', workspaceId, '--json'])

interface Told {
  readonly items?: readonly { readonly item_id: string; readonly snippet: string }[]
  readonly windows?: readonly { readonly window_id: string; readonly kind: string }[]
  readonly item?: { readonly text: string; readonly next_offset_chars: number | null }
  readonly cursor?: string | null
  readonly exhausted?: boolean
  readonly error?: string
}
const told = ({ last }: FinishedRun): Told => last as Told

it('60 S-3 search, list and read answer in one line what the agent gets, down to the floor', async () => {
  const search = await history('search', '--query', 'NEEDLE', '--limit', '1')
  expect(search.code).toBe(0)
  expect(search.events).toHaveLength(1)
  expect(search.stderr).toBe('')
  expect(told(search)).toMatchObject({
    exhausted: false,
    items: [{ item_id: 'i:5', window_id: 'w:4', snippet: 'third needle' }]
  })
  const next = await history('search', '--query', 'NEEDLE', '--limit', '1', '--cursor', told(search).cursor ?? '')
  expect(told(next)).toMatchObject({ items: [{ item_id: 'i:3', window_id: 'w:2' }] })
  const rest = await history('search', '--query', 'NEEDLE', '--cursor', told(next).cursor ?? '')
  expect(told(rest)).toMatchObject({ items: [], exhausted: true, cursor: null })
  const list = await history('list')
  expect(told(list).windows?.map(({ window_id, kind }) => [window_id, kind])).toEqual([
    ['w:4', 'rollover'],
    ['w:2', 'reset']
  ])
  const read = await history('read', '--item-id', 'i:3', '--offset-chars', '7', '--limit-chars', '6')
  expect(told(read).item).toMatchObject({ text: 'needle', next_offset_chars: 13 })
})

it('60 S-9 a person sees behind the floor', async () => {
  const search = await history('search', '--query', 'first', '--as', 'person')
  expect(told(search).items?.map(({ item_id }) => item_id)).toEqual(['i:1'])
  expect(told(await history('list', '--as', 'person')).windows).toHaveLength(3)
  expect(told(await history('read', '--item-id', 'i:1', '--as', 'person')).item?.text).toBe('the first needle')
  const asAgent = await history('read', '--item-id', 'i:1')
  expect([asAgent.code, told(asAgent).error]).toEqual([1, 'not_found'])
})

it('60 wrong use is told by field and ends with 2, a refused cursor with 1', async () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [['forget'], 'arguments'],
    [[], 'arguments'],
    [['list', '--as', 'robot'], 'as'],
    [['list', '--limit', 'many'], 'flag'],
    [['list', '--nonsense'], 'flag']
  ]
  for (const [args, reason] of wrong) {
    const run = await history(...args)
    expect([args, run.code, run.last]).toEqual([args, 2, expect.objectContaining({ type: 'usage-error', reason })])
  }
  const gone = await home.run(['history', 'list', '--workspace', 'nobody', '--json'])
  expect([gone.code, gone.last['reason']]).toEqual([2, 'workspace'])
  const missing = await history('search')
  expect([missing.code, missing.last]).toEqual([
    2,
    expect.objectContaining({ error: 'invalid_input', message: expect.stringMatching(/^query: /) })
  ])
  const forged = await history('search', '--query', 'needle', '--cursor', 'AAAA')
  expect([forged.code, told(forged).error]).toEqual([1, 'invalid_cursor'])
})

it('60 without --json it reads as text and nothing acts on the terminal', async () => {
  appendFileSync(path.join(windows, 'w-4.jsonl'), `${JSON.stringify(said(7, 'needle \u001b[31m red'))}\n`)
  const run = await home.run(['history', 'search', '--query', 'needle', '--workspace', workspaceId])
  expect(run.stdout).toContain('i:7  w:4  user')
  expect(run.stdout).not.toContain('\u001b')
  const read = await home.run(['history', 'read', '--item-id', 'i:3', '--limit-chars', '6', '--workspace', workspaceId])
  expect(read.stdout).toBe('second\nThere is more of it: --offset-chars 6\n')
})

it('60 it changes nothing but the key of the installation, which only its owner reads', async () => {
  const picture = (): string[] => readdirSync(windows).map((name) => readFileSync(path.join(windows, name), 'utf8'))
  const before = picture()
  await history('search', '--query', 'needle', '--limit', '1')
  expect(picture()).toEqual(before)
  expect(statSync(path.join(home.home, 'install-key')).mode & 0o777).toBe(0o600)
})

it('H-8 S-5 a cursor given by one process lives on while another one runs a turn, and expires with a rewrite by hand', async () => {
  const first = await history('search', '--query', 'needle', '--limit', '1')
  const run = await home.run(['run', '--workspace', workspaceId, '--prompt', 'Hello there', '--json'])
  expect(run.last).toMatchObject({ outcome: 'completed' })
  const cursor = told(first).cursor ?? ''
  expect(
    told(await history('search', '--query', 'needle', '--limit', '1', '--cursor', cursor)).items?.map(
      ({ item_id }) => item_id
    )
  ).toEqual(['i:3'])
  const file = path.join(windows, 'w-4.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').replace('third', 'THIRD'))
  const stale = await history('search', '--query', 'needle', '--limit', '1', '--cursor', cursor)
  expect([stale.code, stale.last]).toEqual([
    1,
    expect.objectContaining({ error: 'stale_cursor', restart_hint: expect.any(String) })
  ])
})

it('60 windows tells every window, its rows, tokens and whether its bytes are what they were', async () => {
  const list = (): Promise<FinishedRun> => home.run(['windows', '--workspace', workspaceId, '--json'])
  const told = await list()
  expect(told.code).toBe(0)
  expect(told.events).toEqual([
    {
      windowId: 'w:0',
      kind: 'root',
      rows: 1,
      bytes: expect.any(Number),
      tokens: null,
      firstSequence: 1,
      lastSequence: 1,
      startedAtMs: expect.any(Number),
      verified: true
    },
    expect.objectContaining({ windowId: 'w:2', kind: 'reset', rows: 2, verified: true }),
    expect.objectContaining({ windowId: 'w:4', kind: 'rollover', rows: 3, tokens: 64, lastSequence: 6 })
  ])
  const file = path.join(windows, 'w-0.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').replace('first', 'FIRST'))
  expect((await list()).events[0]).toMatchObject({ windowId: 'w:0', verified: false })
  expect((await home.run(['windows', '--json'])).code).toBe(2)
  expect((await home.run(['windows', '--workspace', 'nobody', '--json'])).code).toBe(2)
})
