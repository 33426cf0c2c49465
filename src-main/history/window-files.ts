// Owns which window files there are and which of them is in force. It reads; it changes nothing.
import { join } from 'node:path'
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import { sequenceOfWindowFile, windowFileName } from '@common/ids'
import { OPEN_READ } from '../files/file-system'
import { listIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { NEWLINE } from './read-lines'

/** The window that has no boundary row: what came before the first boundary. */
export const ROOT_WINDOW = 0

/** Boundary sequences of all window files, oldest first; no folder, no windows. Throws the system's error. */
export function listWindows({ fs, paths }: HistoryFiles): number[] {
  return listIfThere(fs, paths.windows)
    .map(sequenceOfWindowFile)
    .filter((sequence) => sequence !== null)
    .toSorted((a, b) => a - b)
}

export function windowPath({ paths }: HistoryFiles, windowSequence: number): string {
  return join(paths.windows, windowFileName(windowSequence))
}

/**
 * The window in force: the newest file whose first line is a row. A boundary line that is torn leaves the
 * window before it in force. The root window needs no boundary, so it is in force where nothing else is.
 */
export function windowInForce(files: HistoryFiles, windows: readonly number[]): number {
  for (const sequence of windows.toReversed()) {
    if (sequence === ROOT_WINDOW || hasReadableBeginning(files, windowPath(files, sequence))) return sequence
  }
  return ROOT_WINDOW
}

function hasReadableBeginning({ fs }: HistoryFiles, path: string): boolean {
  const descriptor = fs.open(path, OPEN_READ)
  try {
    let bytes = Buffer.alloc(0)
    // Most boundary rows are short; a summary is read in a few steps that double.
    for (let step = FIRST_STEP_BYTES; bytes.length <= MAX_LINE_BYTES; step = Math.min(step * 2, SCAN_STEP_BYTES)) {
      const next = Buffer.allocUnsafe(step)
      const count = fs.read(descriptor, next, 0, step, bytes.length)
      bytes = Buffer.concat([bytes, next.subarray(0, count)])
      const newline = bytes.indexOf(NEWLINE, bytes.length - count)
      if (newline > MAX_LINE_BYTES) return false
      if (newline !== -1 || count === 0) {
        return parseLine(bytes.toString('utf8', 0, newline === -1 ? bytes.length : newline)).ok
      }
    }
    return false
  } finally {
    fs.close(descriptor)
  }
}

const FIRST_STEP_BYTES = 4_096
