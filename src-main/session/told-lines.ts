// Owns what of a page a watcher is given (T-3): rows that stand on disk but were not told yet follow as events, so
// they must not be in the page too. Pure.
import { readRow } from '@common/rows/row-schema'

/** The JSONL without the rows at its end whose sequence is above `toldSequence`. */
export function toldLines(lines: string, toldSequence: number): string {
  let end = lines.length
  while (end > 0) {
    const start = lines.lastIndexOf('\n', end - 2) + 1
    const row = readRow(JSON.parse(lines.slice(start, end)))
    if ((row?.metadata.historySequence ?? 0) <= toldSequence) break
    end = start
  }
  return lines.slice(0, end)
}
