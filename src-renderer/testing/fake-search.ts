// Owns how the fake main finds a text: in the newest page of each conversation of the story, as real rows are found.
import type { PersonHit, SearchPage } from '@common/contract/search-views'
import type { SessionSnapshot, WorkspaceView } from '@common/contract/views'
import { readRow, type Row } from '@common/rows/row-schema'

export interface SearchedStory {
  readonly workspace: WorkspaceView
  readonly page: SessionSnapshot['page']
}

/** Everything at once: a story has no cursors. */
export function fakeSearchPage(stories: readonly SearchedStory[], query: string): SearchPage {
  const items = stories.flatMap(({ workspace, page }) =>
    rowsOf(page.lines)
      .toReversed()
      .flatMap((row) => hitOf(workspace, row, query))
  )
  return { items, memories: [], cursor: null, exhausted: true, skipped_oversized_rows: 0 }
}

function rowsOf(lines: string): Row[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => readRow(JSON.parse(line)) ?? [])
}

function hitOf({ workspaceId, title }: WorkspaceView, row: Row, query: string): PersonHit[] {
  const text = row.parts.map((part) => (part.type === 'text' && 'text' in part ? String(part.text) : '')).join('\n')
  const matchStart = text.toLowerCase().indexOf(query.toLowerCase())
  if (matchStart === -1) return []
  const { historySequence, timestamp } = row.metadata
  return [
    {
      item_id: historySequence === undefined ? `m:${row.id}` : `i:${historySequence}`,
      window_id: 'w:0',
      sequence: historySequence ?? null,
      role: row.role,
      tool_name: null,
      snippet: text.slice(0, 500),
      at: timestamp === undefined ? null : new Date(timestamp).toISOString(),
      match_offset_chars: matchStart,
      workspaceId,
      title,
      rowId: row.id,
      matchStart,
      matchLength: query.length
    }
  ]
}
