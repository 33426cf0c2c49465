// Owns list_windows (S-10): the windows from the newest down to the floor, each told by its ends and its items.
import { HISTORY_LIST_WINDOWS, HISTORY_SCAN_BYTES, HISTORY_SCAN_ROWS } from '@common/constants'
import { windowIdOf } from '@common/ids'
import { ok, type Result } from '@common/result'
import {
  HISTORY_NOTE,
  type HistoryFailure,
  type HistoryWindow,
  type SessionHistoryOutput
} from '@common/tools/session-history-contract'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import { cursorOf, type CursorUse, type HistoryMoment, placeOf } from './cursor-place'
import type { HistoryBrowser } from './history-browser'
import { unreadable } from './history-failures'
import type { Viewer } from './item-rules'
import { readLineAt } from './read-line-at'
import { ListRoom } from './result-size'
import type { WindowSummary } from './row-count'
import { mended } from './well-formed-text'
import { ENDS_BUDGET } from './window-summaries'

export interface ListRequest {
  readonly viewer: Viewer
  readonly limit: number | null
  readonly cursor: string | null
}

const USE: CursorUse = { action: 'list_windows', purpose: '' }

/** One page of windows. */
export async function listWindowsPage(
  browser: HistoryBrowser,
  { viewer, limit, cursor }: ListRequest
): Promise<Result<SessionHistoryOutput, HistoryFailure>> {
  const count = limit ?? HISTORY_LIST_WINDOWS
  let first = Infinity
  if (viewer === 'agent') {
    // Floors inside of windows are looked for in the windows of this page only; those before it were open.
    const from =
      cursor === null
        ? null
        : await browser.reader.read((files, state) => placeOf(browser, { files, state }, USE, cursor))
    if (from?.ok === true && from.value.ok) first = from.value.value.window
    await browser.floors.prepare(browser.reader, (windows) => windows.filter((window) => window <= first).slice(-count))
  }
  const page = await browser.reader.read((files, state) =>
    readPage(browser, { files, state }, { viewer, count, cursor })
  )
  return page.ok ? page.value : unreadable(page.error.message)
}

function readPage(
  browser: HistoryBrowser,
  moment: HistoryMoment,
  { viewer, count, cursor }: { viewer: Viewer; count: number; cursor: string | null }
): Result<SessionHistoryOutput, HistoryFailure> {
  const { files, state } = moment
  const place = cursor === null ? null : placeOf(browser, moment, USE, cursor)
  if (place?.ok === false) return place
  const snapshot = place?.value.snapshot ?? null
  const isClosed =
    snapshot !== null && viewer === 'agent' && browser.floors.isClosedSince(files, state, snapshot.window)
  const from = place?.value.window ?? Infinity
  const ahead = isClosed ? [] : state.windows.filter((window) => window <= from).toReversed()
  const budget = { bytesLeft: HISTORY_SCAN_BYTES, rowsLeft: HISTORY_SCAN_ROWS }
  const room = new ListRoom()
  const windows: HistoryWindow[] = []
  let skipped = 0
  for (const [index, window] of ahead.entries()) {
    const wanted = Math.min(count, ahead.length) - index - 1
    const isSpent = budget.bytesLeft < ENDS_BUDGET.bytesLeft || budget.rowsLeft < ENDS_BUDGET.rowsLeft
    const isFull = windows.length >= count || (windows.length > 0 && isSpent)
    const reserve = { bytesLeft: wanted * ENDS_BUDGET.bytesLeft, rowsLeft: wanted * ENDS_BUDGET.rowsLeft }
    const told = isFull ? null : tellWindow(browser, moment, { window, viewer, budget, reserve })
    if (told === null || !room.take(told.entry)) {
      const next = cursorOf(browser, moment, USE, { window, byteOffset: 0, isInLongLine: false }, { snapshot })
      return ok({ note: HISTORY_NOTE, windows, cursor: next, exhausted: false, skipped_oversized_rows: skipped })
    }
    windows.push(told.entry)
    skipped += told.summary.skippedOversizedRows
    if (told.isLast) break
  }
  return ok({ note: HISTORY_NOTE, windows, cursor: null, exhausted: true, skipped_oversized_rows: skipped })
}

interface Told {
  readonly entry: HistoryWindow
  readonly summary: WindowSummary
  /** Nothing older may be told. */
  readonly isLast: boolean
}

function tellWindow(
  browser: HistoryBrowser,
  { files, state }: HistoryMoment,
  {
    window,
    viewer,
    budget,
    reserve
  }: { window: number; viewer: Viewer; budget: { bytesLeft: number; rowsLeft: number }; reserve: typeof budget }
): Told {
  const head = browser.floors.head(files, state, window)
  const inner = viewer === 'agent' ? browser.floors.innerFloor(files, state, window) : null
  const summary = browser.summaries.read(files, state, {
    window,
    viewer,
    from: inner ?? 0,
    budget,
    reserve,
    texts: browser.texts
  })
  const entry: HistoryWindow = {
    window_id: inner === null ? head.windowId : innerWindowId({ files, state }, window, inner),
    kind: inner === null ? head.kind : 'reset',
    current: state.current?.window === window,
    first_sequence: summary.firstSequence,
    last_sequence: summary.lastSequence,
    started_at: isoOf(summary.startedAtMs),
    ended_at: isoOf(summary.endedAtMs),
    items: summary.items,
    ...(summary.isComplete ? {} : { items_complete: false }),
    opening: mended(summary.opening?.text ?? ''),
    opening_item_id: summary.opening?.itemId ?? null
  }
  return { entry, summary, isLast: viewer === 'agent' && (head.isFloor || inner !== null) }
}

/** Of the window that begins with a reset in the middle of a file. */
function innerWindowId({ files }: HistoryMoment, window: number, byteOffset: number): string {
  const line = readLineAt(files, window, byteOffset)
  const sequence =
    line === null ? undefined : rowOfValue(parseJsonLine(line.toString('utf8')))?.metadata.historySequence
  return windowIdOf(sequence ?? window)
}

/** ISO 8601; null for a time that no calendar has. */
export function isoOf(atMs: number | null | undefined): string | null {
  if (atMs === null || atMs === undefined || !(Math.abs(atMs) <= 8.64e15)) return null
  return new Date(atMs).toISOString()
}
