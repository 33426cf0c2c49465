// Owns writing a whole imported history as window files, all or nothing. The caller holds the write lock and
// knows that the history is empty.
import { removeIfThere, temporaryPathFor } from '../files/atomic-write'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { OPEN_NEW } from '../files/file-system'
import { writeAll } from '../files/write-all'
import type { HistoryFiles } from './history-files'
import { ROOT_WINDOW, windowPath } from './window-files'

/** A line ready to be stored; `window` is set where it begins one. */
export interface ImportedLine {
  readonly line: string
  readonly window: number | null
}

/** A source, ready to be read. */
export interface ImportPlan {
  readonly lines: AsyncIterable<ImportedLine>
  /** Lines of the source that were no rows; complete once `lines` has been read. */
  skipped(): number
}

export interface ImportSummary {
  readonly rows: number
  /** Lines of the file that could not be read; everything else is in the history. */
  readonly skipped: number
}

/** Lines are gathered to this many characters before they are written. */
const WRITE_CHARS = 524_288

/** Answers the number of rows. After an error no window file is left; throws the system's and the source's error. */
export async function writeImportedWindows(files: HistoryFiles, source: AsyncIterable<ImportedLine>): Promise<number> {
  const made: string[] = []
  let open: OpenWindow | null = null
  let rows = 0
  try {
    for await (const { line, window } of source) {
      if (open === null || window !== null) {
        await open?.finish()
        open = null
        open = new OpenWindow(files, window ?? ROOT_WINDOW)
        made.push(open.path)
      }
      open.add(line)
      rows++
    }
    await open?.finish()
    open = null
    if (files.isDurable) await files.fs.syncFolder(files.paths.windows)
    return rows
  } catch (cause) {
    open?.abandon()
    for (const path of made) removeIfThere(files.fs, path)
    throw cause
  }
}

class OpenWindow {
  readonly path: string
  readonly #files: HistoryFiles
  readonly #temporary: string
  readonly #descriptor: number
  #lines: string[] = []
  #chars = 0
  #isClosed = false

  constructor(files: HistoryFiles, window: number) {
    this.#files = files
    this.path = windowPath(files, window)
    this.#temporary = temporaryPathFor(this.path)
    this.#descriptor = files.fs.open(this.#temporary, OPEN_NEW, PRIVATE_FILE_MODE)
    files.fs.setMode(this.#descriptor, PRIVATE_FILE_MODE)
  }

  add(line: string): void {
    this.#lines.push(line, '\n')
    this.#chars += line.length
    if (this.#chars > WRITE_CHARS) this.#write()
  }

  async finish(): Promise<void> {
    const { fs, isDurable } = this.#files
    this.#write()
    if (isDurable) await fs.sync(this.#descriptor)
    fs.rename(this.#temporary, this.path)
    this.#close()
  }

  abandon(): void {
    removeIfThere(this.#files.fs, this.#temporary)
    if (!this.#isClosed) this.#close()
  }

  /** A close that fails has given the descriptor up all the same. */
  #close(): void {
    this.#isClosed = true
    try {
      this.#files.fs.close(this.#descriptor)
    } catch (cause) {
      this.#files.log.warn('window-close-failed', { ...fileErrorOf(cause, 'close an imported window', this.path) })
    }
  }

  #write(): void {
    if (this.#lines.length > 0) writeAll(this.#files.fs, this.#descriptor, Buffer.from(this.#lines.join('')))
    this.#lines = []
    this.#chars = 0
  }
}
