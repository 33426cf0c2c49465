// Owns reading the rows above a sequence: what another process appended, in this window or newer ones.
import type { Row } from '@common/rows/row-schema'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { readLinesBackward } from './read-lines-backward'
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

/** Read from the end: appended rows are the last ones, so the first that is known ends the reading. */
function rowsOfWindow(files: HistoryFiles, window: number, historySequence: number): Row[] {
  const { fs } = files
  const descriptor = openIfThere(fs, windowPath(files, window))
  if (descriptor === null) return []
  const rows: Row[] = []
  try {
    for (const line of readLinesBackward(fs, descriptor, fs.fstat(descriptor).size)) {
      if (line.kind === 'oversized') continue
      const parsed = parseLine(line.bytes.toString('utf8'))
      const sequence = parsed.ok ? (parsed.row.metadata.historySequence ?? 0) : 0
      if (!parsed.ok || sequence === 0) continue
      if (sequence <= historySequence) break
      rows.push(parsed.row)
    }
    return rows.toReversed()
  } finally {
    fs.close(descriptor)
  }
}
