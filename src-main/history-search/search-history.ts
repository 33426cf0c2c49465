// Owns the search action (S-6): one page of hits for an agent, or for a person without the floor, under the caps.
import { HISTORY_MAX_SEARCH_HITS, HISTORY_SCAN_BYTES, HISTORY_SCAN_ROWS, HISTORY_SEARCH_HITS } from '@common/constants'
import { sequenceOfWindowId } from '@common/ids'
import { ok, type Result } from '@common/result'
import {
  HISTORY_NOTE,
  type HistoryFailure,
  type HistoryHit,
  type SessionHistoryOutput
} from '@common/tools/session-history-contract'
import { compileQuery } from './compile-query'
import { cursorOf, type CursorUse, type HistoryMoment, placeOf } from './cursor-place'
import type { CursorPlace } from './cursor-codec'
import type { HistoryBrowser } from './history-browser'
import { unknownWindow, unreadable } from './history-failures'
import { itemIdOf } from './item-reference'
import type { Viewer } from './item-rules'
import { isoOf } from './list-windows'
import { ListRoom } from './result-size'
import { detailsOf, searchPlaceOf } from './search-place'
import { type RowHit, searchRows } from './search-rows'
import { mended } from './well-formed-text'

export interface SearchInput {
  readonly viewer: Viewer
  readonly query: string
  readonly windowId: string | null
  readonly limit: number | null
  readonly cursor: string | null
}

/** One page of hits. */
export async function searchHistory(
  browser: HistoryBrowser,
  input: SearchInput
): Promise<Result<SessionHistoryOutput, HistoryFailure>> {
  const { viewer, windowId } = input
  if (viewer === 'agent' && windowId !== null) {
    // What is newer than the window must be known to hold no floor; a search from the newest row on meets it itself.
    const named = sequenceOfWindowId(windowId) ?? 0
    await browser.floors.prepare(browser.reader, (windows) => windows.filter((window) => window > named))
  }
  const page = await browser.reader.read((files, state) => readPage(browser, { files, state }, input))
  return page.ok ? page.value : unreadable(page.error.message)
}

function readPage(
  browser: HistoryBrowser,
  moment: HistoryMoment,
  { viewer, query, windowId, limit, cursor }: SearchInput
): Result<SessionHistoryOutput, HistoryFailure> {
  const { files, state } = moment
  const use: CursorUse = { action: 'search', purpose: JSON.stringify([query, windowId, viewer]) }
  const place = cursor === null ? null : placeOf(browser, moment, use, cursor)
  if (place?.ok === false) return place
  const from = place?.value ?? null
  const windows =
    windowId === null ? openWindows(browser, moment, viewer, from) : namedWindow(browser, moment, viewer, windowId)
  if (windows === null) return unknownWindow(windowId ?? '')
  const hits = new HitList(browser, moment, Math.min(limit ?? HISTORY_SEARCH_HITS, HISTORY_MAX_SEARCH_HITS))
  const page = searchRows(
    browser,
    { files, state },
    {
      query: compileQuery(query),
      viewer,
      windows,
      from: from === null ? null : searchPlaceOf(from),
      budget: { bytesLeft: HISTORY_SCAN_BYTES, rowsLeft: HISTORY_SCAN_ROWS },
      take: (hit) => hits.take(hit)
    }
  )
  const next = page.next
  return ok({
    note: HISTORY_NOTE,
    items: hits.entries,
    cursor:
      next === null
        ? null
        : cursorOf(browser, moment, use, next, { details: detailsOf(next), snapshot: from?.snapshot ?? null }),
    exhausted: next === null,
    skipped_oversized_rows: page.skippedOversizedRows
  })
}

/** All windows; none where a reset came since the chain of pages began. */
function openWindows(
  browser: HistoryBrowser,
  { files, state }: HistoryMoment,
  viewer: Viewer,
  from: CursorPlace | null
): readonly number[] {
  const isClosed =
    viewer === 'agent' && from !== null && browser.floors.isClosedSince(files, state, from.snapshot.window)
  return isClosed ? [] : state.windows
}

/** The one window, null where there is none by this name, or none that may be looked into. */
function namedWindow(
  browser: HistoryBrowser,
  { files, state }: HistoryMoment,
  viewer: Viewer,
  windowId: string
): readonly number[] | null {
  const window = state.windows.findLast((each) => isNamed(browser, { files, state }, each, windowId))
  if (window === undefined) return null
  return viewer === 'agent' && browser.floors.isClosed(files, state, window) ? null : [window]
}

function isNamed(browser: HistoryBrowser, { files, state }: HistoryMoment, window: number, windowId: string): boolean {
  const sequence = sequenceOfWindowId(windowId)
  if (sequence !== null) return window === sequence
  return browser.floors.head(files, state, window).windowId === windowId
}

class HitList {
  readonly entries: HistoryHit[] = []
  readonly #browser: HistoryBrowser
  readonly #moment: HistoryMoment
  readonly #limit: number
  readonly #room = new ListRoom()

  constructor(browser: HistoryBrowser, moment: HistoryMoment, limit: number) {
    this.#browser = browser
    this.#moment = moment
    this.#limit = limit
  }

  take(hit: RowHit): 'taken' | 'full' | 'refused' {
    const entry = hitOf(this.#browser, this.#moment, hit)
    if (!this.#room.take(entry)) return 'refused'
    this.entries.push(entry)
    return this.entries.length >= this.#limit ? 'full' : 'taken'
  }
}

/** A hit as it is told. */
export function hitOf(browser: HistoryBrowser, { files, state }: HistoryMoment, { found, match }: RowHit): HistoryHit {
  const { row, window } = found
  return {
    item_id: itemIdOf(found, state),
    window_id: browser.floors.head(files, state, window).windowId,
    sequence: row.metadata.historySequence ?? null,
    role: row.role,
    tool_name: match.toolName === null ? null : mended(match.toolName.slice(0, MAX_TOOL_NAME_CHARS)),
    snippet: mended(match.snippet),
    at: isoOf(row.metadata.timestamp),
    match_offset_chars: match.itemOffset
  }
}

/** A model may have made up a longer one. */
const MAX_TOOL_NAME_CHARS = 100
