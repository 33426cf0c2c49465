// Owns the part of a history that is in memory: rows oldest first, and the pages that they came in.
// Pure. Invariant: the pages' row counts never add up to more than the rows; what is over was appended
// since and belongs to the newest page.
import { readRow, type Row } from '@common/rows/row-schema'
import type { HistoryPage } from '@common/contract/views'

/** A page as it was loaded; `before` fetches the page that is older than it. */
interface LoadedPage {
  readonly rowCount: number
  readonly before: string | null
}

export interface LoadedHistory {
  readonly rows: readonly Row[]
  /** Oldest first; never empty once a snapshot was taken. */
  readonly pages: readonly LoadedPage[]
  /** Lines passed over in the loaded pages, because they do not parse or are too long. */
  readonly skippedLines: number
}

export const EMPTY_HISTORY: LoadedHistory = { rows: [], pages: [], skippedLines: 0 }

/** Parses the lines of a page; a damaged line is counted, never thrown. */
export function historyOfPage(page: HistoryPage): LoadedHistory {
  const rows: Row[] = []
  let damaged = 0
  for (const line of page.lines.split('\n')) {
    if (line.trim() === '') continue
    const row = parseLine(line)
    if (row === null) damaged += 1
    else rows.push(row)
  }
  return { rows, pages: [{ rowCount: rows.length, before: page.before }], skippedLines: page.skippedLines + damaged }
}

/** What fetches the page older than all that is loaded; null at the start of the history. */
export function olderCursorOf(history: LoadedHistory): string | null {
  return history.pages[0]?.before ?? null
}

/** Puts an older page in front. */
export function prependPage(history: LoadedHistory, page: HistoryPage): LoadedHistory {
  const older = historyOfPage(page)
  return {
    rows: [...older.rows, ...history.rows],
    pages: [...older.pages, ...history.pages],
    skippedLines: older.skippedLines + history.skippedLines
  }
}

/** Adds a row at the end, or replaces the one of the same id. */
export function appendRow(history: LoadedHistory, row: Row): LoadedHistory {
  const replaced = replaceRow(history, row)
  return replaced === history ? { ...history, rows: [...history.rows, row] } : replaced
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

function parseLine(line: string): Row | null {
  try {
    return readRow(JSON.parse(line))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
