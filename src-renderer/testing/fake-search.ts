// Owns how the fake main finds a text: in the whole history of each conversation of the story and in its memories, with
// pages and cursors as the real one has them.
import type { MemoryHit, PersonHit, SearchPage } from '@common/contract/search-views'
import type { WorkspaceView } from '@common/contract/views'
import { isBoundary, windowIdOfBoundary } from '@common/rows/boundaries'
import type { Row } from '@common/rows/row-schema'
import type { FakeMemory } from './fake-memories'

export interface SearchedStory {
  readonly workspace: WorkspaceView
  readonly rows: readonly Row[]
}

export interface FakeSearch {
  readonly query: string
  /** How many hits came before; null begins anew. */
  readonly cursor: string | null
  readonly limit: number
}

export function fakeSearchPage(
  stories: readonly SearchedStory[],
  memories: readonly FakeMemory[],
  { query, cursor, limit }: FakeSearch
): SearchPage {
  const from = Number(cursor ?? 0)
  const all = stories.flatMap((story) => hitsOf(story, query))
  const items = all.slice(from, from + limit)
  const isEnd = from + limit >= all.length
  return {
    items,
    memories: cursor === null ? memoryHits(stories, memories, query) : [],
    cursor: isEnd ? null : String(from + limit),
    exhausted: isEnd,
    problems: [],
    skipped_oversized_rows: 0
  }
}

/** Newest first. */
function hitsOf({ workspace, rows }: SearchedStory, query: string): PersonHit[] {
  let window = { window_id: 'w:0', windowNumber: 1 }
  return rows
    .flatMap((row, index) => {
      if (isBoundary(row) && index > 0)
        window = { window_id: windowIdOfBoundary(row), windowNumber: window.windowNumber + 1 }
      return hitOf(workspace, row, window, query)
    })
    .toReversed()
}

function hitOf(
  { workspaceId, title }: WorkspaceView,
  row: Row,
  window: Pick<PersonHit, 'window_id' | 'windowNumber'>,
  query: string
): PersonHit[] {
  const text = row.parts.map((part) => (part.type === 'text' && 'text' in part ? String(part.text) : '')).join('\n')
  const index = text.toLowerCase().indexOf(query.toLowerCase())
  if (index === -1) return []
  const { historySequence, timestamp } = row.metadata
  return [
    {
      ...window,
      ...snippetOf(text, index, query),
      item_id: historySequence === undefined ? `m:${row.id}` : `i:${historySequence}`,
      sequence: historySequence ?? null,
      role: row.role,
      tool_name: null,
      at: timestamp === undefined ? null : new Date(timestamp).toISOString(),
      match_offset_chars: index,
      workspaceId,
      title,
      rowId: row.id
    }
  ]
}

function memoryHits(stories: readonly SearchedStory[], memories: readonly FakeMemory[], query: string): MemoryHit[] {
  const workspaceId = stories[0]?.workspace.workspaceId
  if (workspaceId === undefined) return []
  return memories.flatMap(({ view, text }) => {
    const index = text.toLowerCase().indexOf(query.toLowerCase())
    return index === -1 ? [] : [{ workspaceId, path: view.path, ...snippetOf(text, index, query) }]
  })
}

function snippetOf(
  text: string,
  index: number,
  query: string
): Pick<PersonHit, 'snippet' | 'matchStart' | 'matchLength'> {
  const start = Math.max(0, index - 120)
  return { snippet: text.slice(start, start + 500), matchStart: index - start, matchLength: query.length }
}
