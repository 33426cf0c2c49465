// Owns pages of rows anywhere in the history (S-9): around a row, and from a place on towards the newest. Together with
// the pages backward a screen can stand at any row and go both ways. Bounded by rows and bytes, like those.
import { sequenceOfWindowId, windowIdOf } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import type { FileStamp } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import { DamageCollector, type DamageReport } from './damage-report'
import { findRow, type RowPlace, type RowReference } from './find-row'
import type { HistoryError } from './history-error'
import type { HistoryFiles } from './history-files'
import type { HistoryReader } from './history-reader'
import { type PageCursor, pageCursorOf, placeOfPageCursor } from './page-cursor'
import { type HistoryPage, readPage } from './page-history'
import { pageLineOf } from './page-line'
import { readLines } from './read-lines'
import { listWindows, windowPath } from './window-files'

export interface SpanBounds {
  readonly maxRows: number
  readonly maxBytes: number
}

/** A page that may have newer rows behind it. */
export interface HistorySpan extends HistoryPage {
  /** For the next, newer page; null when it ends with the newest row. */
  readonly after: PageCursor | null
}

/** A page that holds this row, about in its middle; null when the row is not there. Throws the system's error. */
export async function readPageAround(
  reader: HistoryReader,
  row: RowReference,
  bounds: SpanBounds
): Promise<Result<HistorySpan | null, HistoryError>> {
  const files = await reader.read((each) => each)
  if (!files.ok) return files
  // The look for the row may be long, and nothing waits for it; what is at its place is read again below.
  const place = await findRow(files.value, row)
  if (place === null) return ok(null)
  const page = await reader.read((each) => pageAt(each, place, bounds))
  return page.ok ? page.value : page
}

/** A page around the beginning of a window; null for no such window. No row is looked for. */
export async function readPageAtWindow(
  reader: HistoryReader,
  windowId: string,
  bounds: SpanBounds
): Promise<Result<HistorySpan | null, HistoryError>> {
  const window = sequenceOfWindowId(windowId)
  if (window === null) return ok(null)
  const page = await reader.read((files) => pageAt(files, { window, byteOffset: 0 }, bounds))
  return page.ok ? page.value : page
}

function pageAt(
  files: HistoryFiles,
  { window, byteOffset }: Pick<RowPlace, 'window' | 'byteOffset'>,
  bounds: SpanBounds
): Result<HistorySpan | null, HistoryError> {
  const stamp = files.fs.stat(windowPath(files, window))
  if (stamp === null) return ok(null)
  const middle = pageCursorOf(window, byteOffset, stamp)
  // The row and what follows come first: they are never cut short by what stands before.
  const newer = readPageAfter(files, middle, halfOf(bounds))
  if (!newer.ok) return newer
  const maxBytes = bounds.maxBytes - Buffer.byteLength(newer.value.lines)
  const maxRows = bounds.maxRows - newer.value.rowCount
  if (maxRows < 1 || maxBytes < MIN_PAGE_BYTES) return newer
  const older = readPage(files, { before: middle, maxRows, maxBytes })
  if (!older.ok) return older
  return ok({
    lines: older.value.lines + newer.value.lines,
    rowCount: older.value.rowCount + newer.value.rowCount,
    before: older.value.before,
    after: newer.value.after,
    damage: joined(older.value.damage, newer.value.damage)
  })
}

/** Rows from a cursor of another page on, oldest first. Throws the system's error. */
export function readPageAfter(
  files: HistoryFiles,
  after: PageCursor,
  bounds: SpanBounds
): Result<HistorySpan, HistoryError> {
  const place = placeOfPageCursor(after)
  if (place === null) return err(STALE)
  const windows = listWindows(files).filter((window) => window >= place.window)
  if (windows[0] !== place.window) return err(STALE)
  const page = new ForwardPage(bounds)
  for (const window of windows) {
    const descriptor = openIfThere(files.fs, windowPath(files, window))
    if (descriptor === null) continue
    try {
      const stamp = files.fs.fstat(descriptor)
      const from = window === place.window ? place.byteOffset : 0
      if (window === place.window && (stamp.inode !== place.inode || from > stamp.size)) return err(STALE)
      const stoppedAt = page.readWindow(files, { window, descriptor, from, stamp })
      const isEnd = stoppedAt >= stamp.size
      if (page.isFull && !(isEnd && window === windows.at(-1)))
        return ok(page.result(after, pageCursorOf(window, stoppedAt, stamp)))
    } finally {
      files.fs.close(descriptor)
    }
  }
  return ok(page.result(after, null))
}

const STALE: HistoryError = {
  kind: 'stale_cursor',
  message: 'The history was changed since this page was asked for. Go to the newest message, or search again.'
}

/** Room for a row's placeholder at least. */
const MIN_PAGE_BYTES = 4_096
/** A page gives up looking for rows after so many bytes of what is no row. */
const MAX_DAMAGED_BYTES = 16_777_216

function halfOf({ maxRows, maxBytes }: SpanBounds): SpanBounds {
  return { maxRows: Math.max(1, Math.ceil(maxRows / 2)), maxBytes: Math.max(MIN_PAGE_BYTES, Math.ceil(maxBytes / 2)) }
}

class ForwardPage {
  readonly #bounds: SpanBounds
  readonly #damage = new DamageCollector()
  readonly #lines: string[] = []
  #bytes = 0
  #damagedBytes = 0
  isFull = false

  constructor(bounds: SpanBounds) {
    this.#bounds = bounds
  }

  /** Adds lines until the page is full or the file ends; answers the offset where it stopped. */
  readWindow(
    files: HistoryFiles,
    { window, descriptor, from, stamp }: { window: number; descriptor: number; from: number; stamp: FileStamp }
  ): number {
    const windowId = windowIdOf(window)
    let stoppedAt = from
    const reading = readLines(
      files.fs,
      descriptor,
      { from, to: stamp.size },
      {
        line: ({ buffer, start, end, byteOffset, isEnded }) => {
          if (this.isFull) return
          const pageLine = pageLineOf(buffer.subarray(start, end), this.#bounds.maxBytes - 1)
          if (pageLine.ok && !this.#addRow(pageLine.text)) return
          if (!pageLine.ok) {
            const problem = isEnded ? pageLine.problem : 'torn-tail'
            this.#addDamage({ windowId, byteOffset, bytes: end - start, problem })
          }
          stoppedAt = byteOffset + (end - start) + (isEnded ? 1 : 0)
        },
        oversized: ({ byteOffset, bytes }) => {
          if (this.isFull) return
          this.#addDamage({ windowId, byteOffset, bytes, problem: 'oversized' })
          stoppedAt = byteOffset + bytes + 1
        }
      }
    )
    for (const _ of reading) if (this.isFull) break
    return this.isFull ? Math.min(stoppedAt, stamp.size) : stamp.size
  }

  result(before: PageCursor, after: PageCursor | null): HistorySpan {
    return {
      lines: this.#lines.map((line) => `${line}\n`).join(''),
      rowCount: this.#lines.length,
      before,
      after,
      damage: this.#damage.report()
    }
  }

  /** False when the row no longer fits; it begins the next page. */
  #addRow(text: string): boolean {
    const bytes = Buffer.byteLength(text) + 1
    if (this.#bytes + bytes > this.#bounds.maxBytes && this.#lines.length > 0) {
      this.isFull = true
      return false
    }
    this.#lines.push(text)
    this.#bytes += bytes
    this.isFull = this.#lines.length >= this.#bounds.maxRows
    return true
  }

  #addDamage(place: Parameters<DamageCollector['add']>[0]): void {
    this.#damage.add(place)
    this.#damagedBytes += place.bytes
    if (this.#damagedBytes > MAX_DAMAGED_BYTES) this.isFull = true
  }
}

function joined(a: DamageReport, b: DamageReport): DamageReport {
  return { total: a.total + b.total, places: [...a.places, ...b.places] }
}
