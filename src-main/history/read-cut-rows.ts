// Owns reading cut-rows.jsonl (H-10): which rows edits took out of a window. What does not parse is passed over here, as
// in a window; the file stays as it is.
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Row } from '@common/rows/row-schema'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseJsonLine, rowOfValue } from './parse-line'
import { readLines } from './read-lines'

const CutLine = z.looseObject({ cut: z.looseObject({ windowId: z.string(), bytes: z.number() }) })

/** Others get their turn after so many steps (4 MiB of parsing, about 25 ms). */
const STEPS_A_TURN = 16

/**
 * Visits every row that was cut out of this window, or of any (null), in the order of the cuts. Throws the system's
 * error.
 */
export async function readCutRows(
  { fs, paths }: HistoryFiles,
  windowId: string | null,
  visit: (row: Row) => void
): Promise<void> {
  const descriptor = openIfThere(fs, paths.cutRows)
  if (descriptor === null) return
  /** Where the present run of cut bytes ends: a line before that is never a header, whatever it looks like. */
  let runEnd = 0
  let isWanted = false
  try {
    const reading = readLines(
      fs,
      descriptor,
      { from: 0, to: fs.fstat(descriptor).size },
      {
        line({ buffer, start, end, byteOffset }) {
          if (byteOffset < runEnd) {
            const row = isWanted ? rowOfValue(parseJsonLine(buffer.toString('utf8', start, end))) : null
            if (row !== null) visit(row)
            return
          }
          const header = CutLine.safeParse(parseJsonLine(buffer.toString('utf8', start, end)))
          if (!header.success) return
          isWanted = windowId === null || header.data.cut.windowId === windowId
          runEnd = byteOffset + (end - start) + 1 + header.data.cut.bytes
        },
        oversized() {}
      }
    )
    let steps = 0
    for (const _ of reading) if (++steps % STEPS_A_TURN === 0) await setImmediate()
  } finally {
    fs.close(descriptor)
  }
}
