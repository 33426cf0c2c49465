// Owns reading the rows above a sequence: what another process appended, in this window or newer ones.
import type { Row } from '@common/rows/row-schema'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { readLines } from './read-lines'
import { listWindows, windowPath } from './window-files'

/** Oldest first; rows without a sequence are left out. Throws the system's error. */
export function readRowsAfter(files: HistoryFiles, historySequence: number): Row[] {
  const windows = listWindows(files)
  const firstAt = Math.max(
    0,
    windows.findLastIndex((window) => window <= historySequence)
  )
  return windows.slice(firstAt).flatMap((window) => rowsOfWindow(files, window, historySequence))
}

function rowsOfWindow(files: HistoryFiles, window: number, historySequence: number): Row[] {
  const { fs } = files
  const descriptor = openIfThere(fs, windowPath(files, window))
  if (descriptor === null) return []
  const rows: Row[] = []
  try {
    const reading = readLines(
      fs,
      descriptor,
      { from: 0, to: fs.fstat(descriptor).size },
      {
        line({ buffer, start, end }) {
          const parsed = parseLine(buffer.toString('utf8', start, end))
          if (parsed.ok && (parsed.row.metadata.historySequence ?? 0) > historySequence) rows.push(parsed.row)
        },
        oversized() {}
      }
    )
    for (const _ of reading) continue
    return rows
  } finally {
    fs.close(descriptor)
  }
}
