// Owns a person's search (S-9): the engine of the tool without the floor, over one workspace or all of them, in steps
// of a few milliseconds. Hits come as they are found; stopping it costs nothing.
import { setImmediate } from 'node:timers/promises'
import { err, ok, type Result } from '@common/result'
import type { PersonHit } from '@common/contract/search-views'
import type { HistoryFailure } from '@common/tools/session-history-contract'
import type { HistoryError } from '../history/history-error'
import { compileQuery, type CompiledQuery } from './compile-query'
import { cursorOf, type CursorUse, type HistoryMoment, placeOf } from './cursor-place'
import type { HistoryBrowser } from './history-browser'
import { hitOf } from './search-history'
import { type SearchPlace, searchRows } from './search-rows'
import { detailsOf, searchPlaceOf } from './search-place'
import { mended } from './well-formed-text'

/** A workspace to be searched. */
export interface SearchedWorkspace {
  readonly workspaceId: string
  readonly title: string
  readonly browser: HistoryBrowser
}

/** The hits of one step in one window, newest first. */
export interface WindowHits {
  readonly workspaceId: string
  readonly title: string
  readonly windowId: string
  readonly hits: readonly PersonHit[]
}

export interface SearchStep {
  readonly windows: readonly WindowHits[]
  readonly skippedOversizedRows: number
  /** The workspace that was searched, and where to go on in it; null when it is done. */
  readonly workspaceId: string
  readonly cursor: string | null
}

export type SearchProblem =
  | { readonly kind: 'cursor'; readonly failure: HistoryFailure }
  | { readonly kind: 'history'; readonly error: HistoryError; readonly title: string }

export interface PeopleSearch {
  readonly query: string
  /** Hits of the next step at most; what is left comes with the one after it. */
  maxHits?(): number
  /** Of an earlier step in the first workspace. */
  readonly cursor?: string | null
  readonly signal?: AbortSignal
}

/** Read at once: a few milliseconds, after which others get their turn. */
const STEP_BYTES = 4_194_304
const STEP_HITS = 50

/** Every step of a search through one workspace. Ends early, without a word, when the signal is aborted. */
export function searchWorkspace(
  workspace: SearchedWorkspace,
  search: PeopleSearch
): AsyncGenerator<Result<SearchStep, SearchProblem>, void, void> {
  return searchEverywhere([workspace], search)
}

/** Every step of a search through these workspaces, one after the other. A workspace that cannot be read is told and left. */
export async function* searchEverywhere(
  workspaces: Iterable<SearchedWorkspace> | AsyncIterable<SearchedWorkspace>,
  { query, maxHits = () => STEP_HITS, cursor = null, signal }: PeopleSearch
): AsyncGenerator<Result<SearchStep, SearchProblem>, void, void> {
  const compiled = compileQuery(query)
  let from = cursor
  for await (const workspace of workspaces) {
    for (;;) {
      if (signal?.aborted === true) return
      const step = await searchStep(workspace, { query, compiled, maxHits: maxHits(), cursor: from })
      yield step
      from = step.ok ? step.value.cursor : null
      if (from === null) break
      await setImmediate()
    }
  }
}

async function searchStep(
  workspace: SearchedWorkspace,
  {
    query,
    compiled,
    maxHits,
    cursor
  }: { query: string; compiled: CompiledQuery; maxHits: number; cursor: string | null }
): Promise<Result<SearchStep, SearchProblem>> {
  const { browser } = workspace
  const use: CursorUse = { action: 'search', purpose: JSON.stringify([query, 'everything']) }
  const step = await browser.reader.read((files, state): Result<SearchStep, SearchProblem> => {
    const moment: HistoryMoment = { files, state }
    const place = cursor === null ? null : placeOf(browser, moment, use, cursor)
    if (place?.ok === false) return err({ kind: 'cursor', failure: place.error })
    const found: PersonHit[] = []
    const page = searchRows(browser, moment, {
      query: compiled,
      viewer: 'person',
      windows: state.windows,
      from: place === null ? null : searchPlaceOf(place.value),
      budget: { bytesLeft: STEP_BYTES, rowsLeft: Number.MAX_SAFE_INTEGER },
      take(hit) {
        const { match } = hit
        const { row } = hit.found
        const { workspaceId, title } = workspace
        found.push({
          ...hitOf(browser, moment, hit),
          workspaceId,
          title,
          rowId: mended(row.id),
          windowNumber: state.windows.indexOf(hit.found.window) + 1,
          matchStart: match.index,
          matchLength: match.length
        })
        return found.length >= maxHits ? 'full' : 'taken'
      }
    })
    return ok({
      windows: byWindow(workspace, found),
      skippedOversizedRows: page.skippedOversizedRows,
      workspaceId: workspace.workspaceId,
      cursor: page.next === null ? null : nextCursor(browser, moment, use, page.next)
    })
  })
  return step.ok ? step.value : err({ kind: 'history', error: step.error, title: workspace.title })
}

function nextCursor(browser: HistoryBrowser, moment: HistoryMoment, use: CursorUse, next: SearchPlace): string {
  return cursorOf(browser, moment, use, next, { details: detailsOf(next) })
}

function byWindow({ workspaceId, title }: SearchedWorkspace, found: readonly PersonHit[]): WindowHits[] {
  const windows: { windowId: string; hits: PersonHit[] }[] = []
  for (const hit of found) {
    const last = windows.at(-1)
    if (last?.windowId === hit.window_id) last.hits.push(hit)
    else windows.push({ windowId: hit.window_id, hits: [hit] })
  }
  return windows.map(({ windowId, hits }) => ({ workspaceId, title, windowId, hits }))
}
