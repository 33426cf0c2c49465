// Owns reading a window file as rows: the window in force for a request, or any other for export and search.
import { setImmediate } from 'node:timers/promises'
import { windowIdOf } from '@common/ids'
import type { Row } from '@common/rows/row-schema'
import { openIfThere } from '../files/open-if-there'
import { DamageCollector, type DamageReport } from './damage-report'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { readLines } from './read-lines'
import { listWindows, ROOT_WINDOW, windowPath } from './window-files'

export interface ActiveWindow {
  readonly windowId: string
  /** Oldest first; the first is the boundary row, but in the root window. */
  readonly rows: Row[]
  readonly damage: DamageReport
}

/** Others get their turn after so many steps (4 MiB of parsing, about 25 ms). */
const STEPS_A_TURN = 16

/**
 * Reads the window in force: the newest whose first line is a row. Newer files without a readable beginning
 * are reported as damage. `newest` is that window where the caller is sure of it. Throws the system's error.
 */
export async function readActiveWindow(files: HistoryFiles, newest: number | null): Promise<ActiveWindow> {
  const unreadable = new DamageCollector()
  const newestFirst = newest === null ? listWindows(files).toReversed() : [newest]
  for (const window of newestFirst) {
    const read = await readWindowRows(files, window)
    const windowId = windowIdOf(window)
    if (read.isInForce) {
      return { windowId, rows: read.rows, damage: joined(unreadable.report(), read.damage) }
    }
    unreadable.add({ windowId, byteOffset: 0, bytes: read.bytes, problem: 'unreadable-window' })
  }
  return { windowId: windowIdOf(ROOT_WINDOW), rows: [], damage: unreadable.report() }
}

interface WindowRows {
  readonly rows: Row[]
  readonly damage: DamageReport
  readonly bytes: number
  readonly isInForce: boolean
}

async function readWindowRows(files: HistoryFiles, window: number): Promise<WindowRows> {
  const windowId = windowIdOf(window)
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return { rows: [], damage: new DamageCollector().report(), bytes: 0, isInForce: false }
  try {
    const bytes = files.fs.fstat(descriptor).size
    const rows: Row[] = []
    const damage = new DamageCollector()
    const reading = readLines(
      files.fs,
      descriptor,
      { from: 0, to: bytes },
      {
        line({ buffer, start, end, byteOffset, isEnded }) {
          const parsed = parseLine(buffer.toString('utf8', start, end))
          if (parsed.ok) rows.push(parsed.row)
          else damage.add({ windowId, byteOffset, bytes: end - start, problem: isEnded ? parsed.problem : 'torn-tail' })
        },
        oversized: (line) => damage.add({ windowId, ...line, problem: 'oversized' })
      }
    )
    let steps = 0
    for (const _ of reading) {
      if (window !== ROOT_WINDOW && rows.length === 0 && damage.report().total > 0) break
      if (++steps % STEPS_A_TURN === 0) await setImmediate()
    }
    const first = damage.report().places[0]
    const isInForce = window === ROOT_WINDOW || (rows.length > 0 && first?.byteOffset !== 0)
    return { rows, damage: damage.report(), bytes, isInForce }
  } finally {
    files.fs.close(descriptor)
  }
}

function joined(a: DamageReport, b: DamageReport): DamageReport {
  if (a.total === 0) return b
  return { total: a.total + b.total, places: [...a.places, ...b.places] }
}
