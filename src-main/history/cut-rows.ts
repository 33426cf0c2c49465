// Owns cut-rows.jsonl: what edits took out of the windows, kept for recovery (H-10). A line of ours says what the
// following bytes were; those are the cut lines exactly as they stood. Read again by a person, and to build requests again
// (read-cut-rows).
import { windowIdOf } from '@common/ids'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { OPEN_CREATE_OR_UPDATE, OPEN_UPDATE } from '../files/file-system'
import { writeAll } from '../files/write-all'
import { closeQuietly } from './close-quietly'
import type { EditKind } from './edit-plan'
import type { HistoryFiles } from './history-files'
import { NEWLINE } from './read-lines'

export interface CutHeader {
  readonly editId: string
  readonly kind: EditKind
  readonly atMs: number
  readonly window: number
  /** Where the bytes stood in the window's file. */
  readonly from: number
  readonly bytes: number
}

/** Opened for one edit, at its end. */
export class CutRowsFile {
  readonly #files: HistoryFiles
  readonly #descriptor: number
  #at: number
  #lastByte: number = NEWLINE

  private constructor(files: HistoryFiles, descriptor: number, size: number) {
    this.#files = files
    this.#descriptor = descriptor
    this.#at = size
  }

  /** Throws the system's error. */
  static open(files: HistoryFiles): CutRowsFile {
    const { fs, paths } = files
    const descriptor = fs.open(paths.cutRows, OPEN_CREATE_OR_UPDATE, PRIVATE_FILE_MODE)
    try {
      fs.setMode(descriptor, PRIVATE_FILE_MODE)
      return new CutRowsFile(files, descriptor, fs.fstat(descriptor).size)
    } catch (cause) {
      closeQuietly(files, descriptor)
      throw cause
    }
  }

  /** Begins a run of cut lines. */
  begin({ window, ...header }: CutHeader): void {
    this.#endLine()
    this.write(Buffer.from(`${JSON.stringify({ cut: { ...header, windowId: windowIdOf(window) } })}\n`))
  }

  write(bytes: Buffer): void {
    if (bytes.length === 0) return
    writeAll(this.#files.fs, this.#descriptor, bytes, this.#at)
    this.#at += bytes.length
    this.#lastByte = bytes.at(-1) ?? this.#lastByte
  }

  /** Everything is on disk when answered. */
  async settle(): Promise<void> {
    this.#endLine()
    const { fs, paths, isDurable } = this.#files
    if (!isDurable) return
    await fs.sync(this.#descriptor)
    await fs.syncFolder(paths.root)
  }

  close(): void {
    closeQuietly(this.#files, this.#descriptor)
  }

  #endLine(): void {
    if (this.#lastByte !== NEWLINE) this.write(Buffer.from('\n'))
  }
}

/** Size of the file, 0 when there is none. Throws the system's error. */
export function cutRowsBytes({ fs, paths }: HistoryFiles): number {
  return fs.stat(paths.cutRows)?.size ?? 0
}

/** Takes back what an edit that did not come to be wrote. Throws the system's error. */
export async function cutBackCutRows(files: HistoryFiles, size: number): Promise<void> {
  const { fs, paths, isDurable } = files
  if ((fs.stat(paths.cutRows)?.size ?? 0) <= size) return
  const descriptor = fs.open(paths.cutRows, OPEN_UPDATE)
  try {
    fs.truncate(descriptor, size)
    if (isDurable) await fs.sync(descriptor)
  } finally {
    closeQuietly(files, descriptor)
  }
}
