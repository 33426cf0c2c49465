// Owns the words of the search through past windows. Pure.
import type { MemoryHit, PersonHit } from '@common/contract/search-views'
import type { SearchState } from '../store/search-state'
import { countText } from '../ui/format'

type Found = Pick<SearchState, 'phase' | 'hits' | 'memories' | 'problems'>

/** What was found so far; it never claims more than was looked at. Null before a search. */
export function searchStatus({ phase, hits, memories, problems }: Found): string | null {
  const found = foundText(hits, memories)
  switch (phase) {
    case 'idle':
      return null
    case 'searching':
      return found === null ? 'Searching…' : `${found} so far`
    case 'paused':
    case 'failed':
      return `${found ?? 'No hits'} so far. Not everything was searched.`
    case 'done':
      if (problems.length > 0) return `${found ?? 'No hits'} in what could be searched.`
      return found ?? 'No hits. Everything was searched.'
  }
}

function foundText(hits: readonly PersonHit[], memories: readonly MemoryHit[]): string | null {
  const windows = new Set(hits.map((hit) => `${hit.workspaceId} ${hit.window_id}`)).size
  const inWindows = hits.length === 0 ? [] : [`${countText(hits.length, 'hit')} in ${countText(windows, 'window')}`]
  const inMemories = memories.length === 0 ? [] : [countText(memories.length, 'memory', 'memories')]
  const all = [...inWindows, ...inMemories]
  return all.length === 0 ? null : all.join(', ')
}

/** What the search could not look at; null when there is nothing. */
export function skippedText(rows: number): string | null {
  if (rows === 0) return null
  return `${countText(rows, 'row')} too long to search ${rows === 1 ? 'was' : 'were'} skipped.`
}

/** Who said it. */
export function speakerOf({ role, tool_name: toolName }: Pick<PersonHit, 'role' | 'tool_name'>): string {
  return toolName ?? (role === 'user' ? 'You' : 'Agent')
}

export interface Excerpt {
  /** Begins with an ellipsis where something was left out. */
  readonly lead: string
  readonly match: string
  readonly rest: string
}

export type Snippet = Pick<PersonHit, 'snippet' | 'matchStart' | 'matchLength'> & Partial<Pick<PersonHit, 'tool_name'>>

/** Units before the match that a line of the panel has room for: the match must stand in the first lines. */
const LEAD_CHARS = 40

/** The words around a match, short enough before it that the match is seen. What a tool said is JSON: it is read as text. */
export function excerptOf({ snippet, matchStart, matchLength, tool_name: toolName }: Snippet): Excerpt {
  const read = toolName === undefined || toolName === null ? (text: string) => text : withoutEscapes
  const match = snippet.slice(matchStart, matchStart + matchLength)
  const rest = read(snippet.slice(matchStart + matchLength))
  const whole = read(snippet.slice(0, matchStart))
  if (whole.length <= LEAD_CHARS) return { lead: whole.trimStart(), match, rest }
  const cut = whole.slice(-LEAD_CHARS)
  const space = cut.search(/\s/u)
  // From a word on; a text without spaces is cut where it is, never inside of a pair.
  const lead = space === -1 ? cut.replace(/^[\uDC00-\uDFFF]/u, '') : cut.slice(space + 1)
  return { lead: `…${lead}`, match, rest }
}

/** Line ends and quotes as they read, not as JSON writes them. */
function withoutEscapes(json: string): string {
  return json.replaceAll(/\\(["\\/nrt])/gu, (_, char: string) => ('nrt'.includes(char) ? ' ' : char))
}

export interface HitGroup {
  readonly workspaceId: string
  readonly title: string
  readonly windowId: string
  readonly windowNumber: number
  /** The first group of its workspace. */
  readonly opensWorkspace: boolean
  readonly hits: readonly PersonHit[]
}

/** Hits under their window, windows under their workspace, in the order in which they were found. */
export function groupHits(hits: readonly PersonHit[]): HitGroup[] {
  const groups = new Map<string, PersonHit[]>()
  for (const hit of hits) {
    const key = `${hit.workspaceId}\n${hit.window_id}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [hit])
    else group.push(hit)
  }
  let before: string | null = null
  return [...groups.values()].flatMap((group) => {
    const first = group[0]
    if (first === undefined) return []
    const { workspaceId, title, window_id: windowId, windowNumber } = first
    const opensWorkspace = workspaceId !== before
    before = workspaceId
    return [{ workspaceId, title: title || 'New workspace', windowId, windowNumber, opensWorkspace, hits: group }]
  })
}
