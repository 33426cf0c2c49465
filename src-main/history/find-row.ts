// Owns finding one row by its id or sequence in raw bytes: a needle first, then a parse to confirm, since a
// tool's output can quote any needle.
import { setImmediate } from 'node:timers/promises'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { readLines } from './read-lines'
import { listWindows, windowPath } from './window-files'

export interface RowReference {
  readonly id: string
  readonly historySequence?: number
}

const STEPS_A_TURN = 16

/**
 * The stored line of a row, or null. With a sequence only the window that can hold it is read; without one the
 * windows from the newest to the oldest, down to the one that holds `sinceSequence`. Throws the system's error.
 */
export async function findRowLine(files: HistoryFiles, row: RowReference, sinceSequence = 0): Promise<string | null> {
  return (await findRow(files, row, sinceSequence))?.line ?? null
}

/** A row's line and where it stands. */
export interface RowPlace {
  readonly line: string
  readonly window: number
  readonly byteOffset: number
}

/** As `findRowLine`, with the place. Throws the system's error. */
export async function findRow(
  files: HistoryFiles,
  { id, historySequence }: RowReference,
  sinceSequence = 0
): Promise<RowPlace | null> {
  const windows = listWindows(files)
  const candidates =
    historySequence === undefined ? windowsSince(windows, sinceSequence) : windowsOf(windows, historySequence)
  for (const window of candidates) {
    const found = await findInFile(files, window, id, historySequence)
    if (found !== null) return found
  }
  return null
}

/** The window that a sequence belongs to first; the others after it, for histories put together by hand. */
function windowsOf(windows: readonly number[], sequence: number): number[] {
  const newestFirst = windows.toReversed()
  const own = newestFirst.find((window) => window <= sequence)
  return own === undefined ? newestFirst : [own, ...newestFirst.filter((window) => window !== own)]
}

function windowsSince(windows: readonly number[], sequence: number): number[] {
  const newestFirst = windows.toReversed()
  const oldest = newestFirst.findIndex((window) => window <= sequence)
  return oldest === -1 ? newestFirst : newestFirst.slice(0, oldest + 1)
}

async function findInFile(
  files: HistoryFiles,
  window: number,
  id: string,
  historySequence: number | undefined
): Promise<RowPlace | null> {
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return null
  const needle = Buffer.from(JSON.stringify(id))
  let found: RowPlace | null = null
  try {
    const reading = readLines(
      files.fs,
      descriptor,
      { from: 0, to: files.fs.fstat(descriptor).size },
      {
        line({ buffer, start, end, byteOffset }) {
          if (found !== null) return
          const bytes = buffer.subarray(start, end)
          if (!bytes.includes(needle)) return
          const line = bytes.toString('utf8')
          const parsed = parseLine(line)
          if (!parsed.ok || parsed.row.id !== id) return
          const isWanted = historySequence === undefined || parsed.row.metadata.historySequence === historySequence
          if (isWanted) found = { line, window, byteOffset }
        },
        oversized() {}
      }
    )
    let steps = 0
    for (const _ of reading) {
      if (found !== null) break
      if (++steps % STEPS_A_TURN === 0) await setImmediate()
    }
    return found
  } finally {
    files.fs.close(descriptor)
  }
}
