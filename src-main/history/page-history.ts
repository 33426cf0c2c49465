// Owns pages of older rows for the screen, backward across windows, in bounded reads (H-11).
import { windowIdOf } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import type { FileStamp } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import { DamageCollector, type DamageReport } from './damage-report'
import type { HistoryError } from './history-error'
import type { HistoryFiles } from './history-files'
import { type PageCursor, pageCursorOf, placeOfPageCursor } from './page-cursor'
import { pageLineOf } from './page-line'
import { readLinesBackward } from './read-lines-backward'
import { listWindows, windowPath } from './window-files'

export interface PageRequest {
  /** Null asks for the newest rows. */
  readonly before: PageCursor | null
  readonly maxRows: number
  /** Bound of `lines` in UTF-8 bytes; one row alone may not pass it either (it becomes a placeholder). */
  readonly maxBytes: number
}

export interface HistoryPage {
  /** JSONL, oldest row first, each line ended. Without `metadata.postCompactionContext` (K-2). */
  readonly lines: string
  readonly rowCount: number
  /**
   * For the next, older page; null when the start of the history is reached. It may come with fewer rows than
   * asked for, even none, where a page's worth of bytes was damaged.
   */
  readonly before: PageCursor | null
  readonly damage: DamageReport
}

/** A page gives up looking for rows after so many bytes of what is no row. */
const MAX_DAMAGED_BYTES = 16_777_216

/** Throws the system's error. */
export function readPage(files: HistoryFiles, request: PageRequest): Result<HistoryPage, HistoryError> {
  const place = request.before === null ? null : placeOfPageCursor(request.before)
  if (request.before !== null && place === null) return err(STALE)
  const windows = listWindows(files).filter((window) => place === null || window <= place.window)
  if (place !== null && windows.at(-1) !== place.window) return err(STALE)
  const page = new PageBuilder(request)
  for (const window of windows.toReversed()) {
    const descriptor = openIfThere(files.fs, windowPath(files, window))
    if (descriptor === null) continue
    try {
      const stamp = files.fs.fstat(descriptor)
      const end = place?.window === window ? place.byteOffset : stamp.size
      if (place?.window === window && (stamp.inode !== place.inode || end > stamp.size)) return err(STALE)
      const stoppedAt = page.readWindow(files, { window, descriptor, end, stamp })
      const isStart = stoppedAt === 0 && window === windows[0]
      if (isStart) break
      if (page.isFull) return ok(page.result(pageCursorOf(window, stoppedAt, stamp)))
    } finally {
      files.fs.close(descriptor)
    }
  }
  return ok(page.result(null))
}

const STALE: HistoryError = {
  kind: 'stale_cursor',
  message: 'The history was changed since this page was asked for. Scroll to the newest message and up again.'
}

class PageBuilder {
  readonly #request: PageRequest
  readonly #damage = new DamageCollector()
  readonly #lines: string[] = []
  #bytes = 0
  #damagedBytes = 0
  isFull = false

  constructor(request: PageRequest) {
    this.#request = request
  }

  /** Adds lines until the page is full or the window's start is reached; answers the offset where it stopped. */
  readWindow(
    files: HistoryFiles,
    { window, descriptor, end, stamp }: { window: number; descriptor: number; end: number; stamp: FileStamp }
  ): number {
    const windowId = windowIdOf(window)
    let stoppedAt = end
    for (const line of readLinesBackward(files.fs, descriptor, end)) {
      if (line.kind === 'oversized') {
        this.#addDamage({ windowId, byteOffset: line.byteOffset, bytes: line.byteCount, problem: 'oversized' })
      } else {
        const pageLine = pageLineOf(line.bytes, this.#request.maxBytes - 1)
        if (pageLine.ok) {
          if (!this.#addRow(pageLine.text)) return stoppedAt
        } else {
          const isTail = !line.isEnded && stoppedAt === stamp.size
          const problem = isTail ? 'torn-tail' : pageLine.problem
          this.#addDamage({ windowId, byteOffset: line.byteOffset, bytes: line.bytes.length, problem })
        }
      }
      stoppedAt = line.byteOffset
      if (this.isFull) return stoppedAt
    }
    return 0
  }

  result(before: PageCursor | null): HistoryPage {
    const lines = this.#lines.toReversed()
    return {
      lines: lines.map((line) => `${line}\n`).join(''),
      rowCount: lines.length,
      before,
      damage: this.#damage.report()
    }
  }

  /** False when the row no longer fits; it begins the next page. */
  #addRow(text: string): boolean {
    const bytes = Buffer.byteLength(text) + 1
    if (this.#bytes + bytes > this.#request.maxBytes && this.#lines.length > 0) {
      this.isFull = true
      return false
    }
    this.#lines.push(text)
    this.#bytes += bytes
    this.isFull = this.#lines.length >= this.#request.maxRows
    return true
  }

  #addDamage(place: Parameters<DamageCollector['add']>[0]): void {
    this.#damage.add(place)
    this.#damagedBytes += place.bytes
    if (this.#damagedBytes > MAX_DAMAGED_BYTES) this.isFull = true
  }
}
