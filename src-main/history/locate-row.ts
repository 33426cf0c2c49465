// Owns finding where a row stands: its window, its line and what comes after it, for an edit of that very line.
import { setImmediate } from 'node:timers/promises'
import type { Row } from '@common/rows/row-schema'
import { openIfThere } from '../files/open-if-there'
import type { RowReference } from './find-row'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { readLines } from './read-lines'
import { listWindows, windowPath } from './window-files'

export interface RowPlace {
  readonly window: number
  readonly row: Row
  /** The stored line, without its newline. */
  readonly line: string
  readonly byteOffset: number
  /** Where the next line begins; the newline is part of the row's bytes. */
  readonly endOffset: number
  readonly size: number
  /** Window files that are newer than the row's. */
  readonly laterWindows: readonly number[]
}

const STEPS_A_TURN = 16

/** Where the row stands; of several with this id the newest that fits. Null when there is none. Throws the system's error. */
export async function locateRow(files: HistoryFiles, reference: RowReference): Promise<RowPlace | null> {
  const windows = listWindows(files)
  for (const window of windows.toReversed()) {
    const place = await locateInWindow(files, window, reference)
    if (place !== null) return { ...place, laterWindows: windows.filter((other) => other > window) }
  }
  return null
}

async function locateInWindow(
  { fs, ...files }: HistoryFiles,
  window: number,
  { id, historySequence }: RowReference
): Promise<Omit<RowPlace, 'laterWindows'> | null> {
  const descriptor = openIfThere(fs, windowPath({ fs, ...files }, window))
  if (descriptor === null) return null
  try {
    const { size } = fs.fstat(descriptor)
    const needle = Buffer.from(JSON.stringify(id))
    let found: Omit<RowPlace, 'laterWindows'> | null = null
    const reading = readLines(
      fs,
      descriptor,
      { from: 0, to: size },
      {
        line({ buffer, start, end, byteOffset, isEnded }) {
          const bytes = buffer.subarray(start, end)
          if (!bytes.includes(needle)) return
          const line = bytes.toString('utf8')
          const parsed = parseLine(line)
          if (!parsed.ok || parsed.row.id !== id) return
          if (historySequence !== undefined && parsed.row.metadata.historySequence !== historySequence) return
          const endOffset = byteOffset + bytes.length + (isEnded ? 1 : 0)
          found = { window, row: parsed.row, line, byteOffset, endOffset, size }
        },
        oversized() {}
      }
    )
    let steps = 0
    for (const _ of reading) if (++steps % STEPS_A_TURN === 0) await setImmediate()
    return found
  } finally {
    fs.close(descriptor)
  }
}
