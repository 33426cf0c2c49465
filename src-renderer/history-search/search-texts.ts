// Owns the words of the search through past windows. Pure.
import type { FoundHit, SearchState } from '../store/search-state'
import { countText } from '../ui/format'

/** What was found so far; it never claims more than was looked at. Null before a search. */
export function searchStatus({ phase, hits }: Pick<SearchState, 'phase' | 'hits'>): string | null {
  if (phase === 'idle') return null
  const windows = new Set(hits.map(({ workspaceId, hit }) => `${workspaceId} ${hit.window_id}`)).size
  const found = hits.length === 0 ? 'No hits' : `${countText(hits.length, 'hit')} in ${countText(windows, 'window')}`
  switch (phase) {
    case 'searching':
      return hits.length === 0 ? 'Searching…' : `${found} so far`
    case 'paused':
      return `${found} so far. Not everything was searched.`
    case 'done':
      return hits.length === 0 ? 'No hits. Everything was searched.' : found
  }
}

/** What the search could not look at; null when there is nothing. */
export function skippedText(rows: number): string | null {
  if (rows === 0) return null
  return `${countText(rows, 'row')} too long to search ${rows === 1 ? 'was' : 'were'} skipped.`
}

export interface HitGroup {
  readonly workspaceId: string
  readonly windowId: string
  /** The first group of its workspace. */
  readonly opensWorkspace: boolean
  readonly hits: readonly FoundHit[]
}

/** Hits under their window, windows under their workspace, in the order in which they were found. */
export function groupHits(hits: readonly FoundHit[]): HitGroup[] {
  const groups = new Map<string, FoundHit[]>()
  for (const found of hits) {
    const key = `${found.workspaceId}\n${found.hit.window_id}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [found])
    else group.push(found)
  }
  let before: string | null = null
  return [...groups.values()].flatMap((group) => {
    const first = group[0]
    if (first === undefined) return []
    const { workspaceId, hit } = first
    const opensWorkspace = workspaceId !== before
    before = workspaceId
    return [{ workspaceId, windowId: hit.window_id, opensWorkspace, hits: group }]
  })
}
