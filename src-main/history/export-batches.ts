// Owns streaming the whole history in order: all windows, oldest row first, a few hundred kilobytes at a time.
import { windowIdOf } from '@common/ids'
import { openIfThere } from '../files/open-if-there'
import { DamageCollector, type DamageReport } from './damage-report'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { readLines } from './read-lines'
import { listWindows, windowPath } from './window-files'

/** Lines of one window, without their newlines, exactly as stored. */
export interface ExportBatch {
  readonly windowId: string
  readonly lines: readonly string[]
}

/**
 * Yields every readable row up to the state at the beginning of each window's reading; returns what was
 * damaged and left out. Throws the system's error.
 */
export async function* exportBatches(files: HistoryFiles): AsyncGenerator<ExportBatch, DamageReport, void> {
  const damage = new DamageCollector()
  for (const window of listWindows(files)) {
    const descriptor = openIfThere(files.fs, windowPath(files, window))
    if (descriptor === null) continue
    const windowId = windowIdOf(window)
    let lines: string[] = []
    try {
      const reading = readLines(
        files.fs,
        descriptor,
        { from: 0, to: files.fs.fstat(descriptor).size },
        {
          line({ buffer, start, end, byteOffset, isEnded }) {
            const text = buffer.toString('utf8', start, end)
            const parsed = parseLine(text)
            if (parsed.ok) lines.push(text)
            else
              damage.add({ windowId, byteOffset, bytes: end - start, problem: isEnded ? parsed.problem : 'torn-tail' })
          },
          oversized: (line) => damage.add({ windowId, ...line, problem: 'oversized' })
        }
      )
      for (const _ of reading) {
        if (lines.length > 0) yield { windowId, lines }
        lines = []
      }
      if (lines.length > 0) yield { windowId, lines }
    } finally {
      files.fs.close(descriptor)
    }
  }
  return damage.report()
}
