// Owns the part of a history that is in memory: rows oldest first, the pages that they came in, and whether
// they reach to the newest row. Pure. Invariants: the rows stand side by side in the history; the pages' row
// counts never add up to more than the rows, what is over was appended since and belongs to the newest page.
import { usesOf } from '@common/rows/row-kinds'
import { readRow, type Row } from '@common/rows/row-schema'
import type { HistorySpan } from '@common/contract/search-views'
import type { HistoryPage } from '@common/contract/views'

/** A page as it was loaded. */
interface LoadedPage {
  readonly rowCount: number
  /** Fetches the page older than it, and from there the way back to it. */
  readonly before: string | null
  /** Lines passed over in it, because they do not parse or are too long. */
  readonly skippedLines: number
}

export interface LoadedHistory {
  readonly rows: readonly Row[]
  /** Oldest first; never empty once a snapshot was taken. */
  readonly pages: readonly LoadedPage[]
  /** Fetches the page newer than all that is loaded; null where the rows end with the newest of the history. */
  readonly after: string | null
  /** Rows for the eye that were appended behind `after` since; 0 where `after` is null. */
  readonly newerRows: number
  /** Rises when the rows are replaced by others from elsewhere: the view does not keep its place then. */
  readonly span: number
}

export const EMPTY_HISTORY: LoadedHistory = { rows: [], pages: [], after: null, newerRows: 0, span: 0 }

/** Parses the lines of a page; a damaged line is counted, never thrown. */
export function historyOfPage(page: HistoryPage & { readonly after?: string | null }): LoadedHistory {
  const rows: Row[] = []
  let damaged = 0
  for (const line of page.lines.split('\n')) {
    if (line.trim() === '') continue
    const row = parseLine(line)
    if (row === null) damaged += 1
    else rows.push(row)
  }
  const loaded = { rowCount: rows.length, before: page.before, skippedLines: page.skippedLines + damaged }
  return { ...EMPTY_HISTORY, rows, pages: [loaded], after: page.after ?? null }
}

/** The newest page in place of what is loaded; the view keeps its place where that ended with the newest row too. */
export function replaceHistory(history: LoadedHistory, newest: HistoryPage): LoadedHistory {
  return { ...historyOfPage(newest), span: history.after === null ? history.span : history.span + 1 }
}

/** The rows around a row that is far away, in place of those that are loaded. */
export function jumpTo(history: LoadedHistory, page: HistorySpan): LoadedHistory {
  return { ...historyOfPage(page), span: history.span + 1 }
}

/** What fetches the page older than all that is loaded; null at the start of the history. */
export function olderCursorOf(history: LoadedHistory): string | null {
  return history.pages[0]?.before ?? null
}

export function skippedLinesOf(history: LoadedHistory): number {
  return history.pages.reduce((sum, page) => sum + page.skippedLines, 0)
}

/** Puts an older page in front. */
export function prependPage(history: LoadedHistory, page: HistoryPage): LoadedHistory {
  const older = historyOfPage(page)
  return { ...history, rows: [...older.rows, ...history.rows], pages: [...older.pages, ...history.pages] }
}

/** Puts the page of `after` behind. */
export function appendPage(history: LoadedHistory, page: HistorySpan): LoadedHistory {
  const newer = historyOfPage(page)
  return {
    ...history,
    rows: [...history.rows, ...newer.rows],
    pages: [...history.pages, ...newer.pages],
    after: newer.after,
    newerRows: newer.after === null ? 0 : history.newerRows
  }
}

/** Adds a row at the end, or replaces the one of the same id; one that belongs behind what is not loaded is counted. */
export function appendRow(history: LoadedHistory, row: Row): LoadedHistory {
  const replaced = replaceRow(history, row)
  if (replaced !== history) return replaced
  if (history.after !== null) return isShown(row) ? { ...history, newerRows: history.newerRows + 1 } : history
  return { ...history, rows: [...history.rows, row] }
}

/** Replaces the row of the same id; the same history when it is not loaded. */
export function replaceRow(history: LoadedHistory, row: Row): LoadedHistory {
  const index = history.rows.findLastIndex((other) => other.id === row.id)
  return index === -1 ? history : { ...history, rows: history.rows.with(index, row) }
}

/** Lets go of the oldest pages while the rest still holds `keepRows`; they can be loaded again (F-19). */
export function dropOldPages(history: LoadedHistory, keepRows: number): LoadedHistory {
  let dropped = 0
  let firstPage = 0
  for (const page of history.pages.slice(0, -1)) {
    if (history.rows.length - dropped - page.rowCount < keepRows) break
    dropped += page.rowCount
    firstPage += 1
  }
  if (firstPage === 0) return history
  return { ...history, rows: history.rows.slice(dropped), pages: history.pages.slice(firstPage) }
}

/** Lets go of the newest pages while the rest still holds `keepRows`; they can be loaded again (F-19). */
export function dropNewPages(history: LoadedHistory, keepRows: number): LoadedHistory {
  let kept = 0
  let pageCount = 0
  while (pageCount < history.pages.length && (kept < keepRows || pageCount === 0)) {
    kept += history.pages[pageCount]?.rowCount ?? 0
    pageCount += 1
  }
  // The place before a page is the place after the one that is older than it.
  const after = history.pages[pageCount]?.before ?? null
  if (after === null) return history
  return { ...history, rows: history.rows.slice(0, kept), pages: history.pages.slice(0, pageCount), after }
}

function isShown(row: Row): boolean {
  const { screen } = usesOf(row)
  return screen !== 'hidden' && screen !== 'debug'
}

function parseLine(line: string): Row | null {
  try {
    return readRow(JSON.parse(line))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
