// S-9: what the search panel says of itself and of each hit.
import { expect, it } from 'vitest'
import type { PersonHit } from '@common/contract/search-views'
import { NO_SEARCH } from '../store/search-state'
import { memoryPlace } from './memory-place'
import { excerptOf, groupHits, searchStatus } from './search-texts'

const hit = (workspaceId: string, windowNumber: number): PersonHit => ({
  workspaceId,
  title: workspaceId === 'b' ? '' : 'Receipts',
  window_id: `w:${windowNumber}`,
  windowNumber,
  rowId: 'r',
  item_id: 'i:1',
  sequence: 1,
  role: 'user',
  tool_name: null,
  snippet: 'x',
  matchStart: 0,
  matchLength: 1,
  at: null,
  match_offset_chars: 0
})
const memory = { workspaceId: 'a', path: '/memories/project/notes.md', snippet: 'x', matchStart: 0, matchLength: 1 }

it('S-9 the status claims no more than was searched', () => {
  const hits = [hit('a', 2), hit('a', 1), hit('b', 1)]
  const status = (changes: Partial<typeof NO_SEARCH>) => searchStatus({ ...NO_SEARCH, ...changes })
  expect(status({ phase: 'idle' })).toBeNull()
  expect(status({ phase: 'searching' })).toBe('Searching…')
  expect(status({ phase: 'searching', hits })).toBe('3 hits in 3 windows so far')
  expect(status({ phase: 'paused' })).toBe('No hits so far. Not everything was searched.')
  expect(status({ phase: 'failed', hits })).toBe('3 hits in 3 windows so far. Not everything was searched.')
  expect(status({ phase: 'done' })).toBe('No hits. Everything was searched.')
  expect(status({ phase: 'done', problems: ['Locked.'] })).toBe('No hits in what could be searched.')
  expect(status({ phase: 'done', memories: [memory] })).toBe('1 memory')
  expect(status({ phase: 'done', hits, memories: [memory, memory] })).toBe('3 hits in 3 windows, 2 memories')
})

it('S-9 the excerpt shows the match in its first lines, and the output of a tool as text', () => {
  const snippet = (text: string, tool_name: string | null = null) => {
    const matchStart = text.indexOf('needle')
    return excerptOf({ snippet: text, matchStart, matchLength: 6, tool_name })
  }
  expect(snippet('  a needle here')).toEqual({ lead: 'a ', match: 'needle', rest: ' here' })
  const long = snippet(`${'many words before it '.repeat(6)}needle`)
  expect(long.lead).toMatch(/^…\w+ /)
  expect(long.lead.length).toBeLessThanOrEqual(41)
  // A half of a pair cannot be encoded.
  for (const before of ['', 'x'])
    expect(() => encodeURIComponent(snippet(`${before}${'😀'.repeat(40)}needle`).lead)).not.toThrow()
  expect(snippet('{"output":"one\\ntwo \\"needle\\" C:\\\\new\\n"}', 'bash')).toEqual({
    lead: '{"output":"one two "',
    match: 'needle',
    rest: '" C:\\new "}'
  })
  expect(snippet('no\\n needle').lead).toBe('no\\n ')
})

it('S-9 hits stand under their window, windows under their workspace, in the order in which they came', () => {
  const groups = groupHits([hit('a', 2), hit('a', 2), hit('a', 1), hit('b', 1)])
  expect(groups.map((each) => [each.title, each.windowNumber, each.opensWorkspace, each.hits.length])).toEqual([
    ['Receipts', 2, true, 2],
    ['Receipts', 1, false, 1],
    ['New workspace', 1, true, 1]
  ])
})

it('S-9 a memory says whose it is where everything was searched', () => {
  const workspaces = { a: { title: 'Receipts', projectId: 'p' } }
  const projects = [{ id: 'p', name: 'tidemark' }]
  const place = (scope: string, everywhere: boolean) =>
    memoryPlace({ ...memory, path: `/memories/${scope}/notes.md` }, everywhere, workspaces, projects)
  expect(['global', 'project', 'workspace'].map((scope) => place(scope, false))).toEqual([
    'Everywhere',
    'This project',
    'This workspace'
  ])
  expect(['global', 'project', 'workspace'].map((scope) => place(scope, true))).toEqual([
    'Everywhere',
    'tidemark',
    'Receipts'
  ])
})
