// Owns finding where a sequence stands in a window's file without reading it through: sequences rise, and every row of
// ours ends with its own, so a few looks at line ends are enough. A file in another order is for a scan.
import type { FileSystem } from '../files/file-system'
import { NEWLINE } from '../history/read-lines'
import { type ScanBudget, takeBytes } from './scan-budget'

/** Bytes around the place where the sequence must stand, or null where looks do not tell. */
export interface SequenceRange {
  readonly from: number
  readonly to: number
}

/** What is left is read line by line. */
const SMALL_BYTES = 131_072
const LOOK_BYTES = 4_096
/** Rows up to the line limit are looked at in so many steps; a longer line has no sequence of ours. */
const MAX_STEPS = 260
const ENDING = /"historySequence":(\d{1,15})\}\}$/
const ENDING_BYTES = 64

/** Throws the system's error. */
export function rangeOfSequence(
  fs: FileSystem,
  descriptor: number,
  size: number,
  sequence: number,
  budget: ScanBudget
): SequenceRange | null {
  let [from, to] = [0, size]
  while (to - from > SMALL_BYTES) {
    const middle = from + Math.floor((to - from) / 2)
    const line = lineEndAfter(fs, descriptor, middle, to, budget)
    if (line === null) return null
    // No line ends in the upper half: the last line is a long one, and begins below.
    if (line === 'none') to = middle
    else if (line.sequence < sequence) from = line.end
    else if (line.end < to) to = line.end
    else break
  }
  return { from, to }
}

/** The first line that ends behind `at`: its sequence, and where the next line begins. */
function lineEndAfter(
  fs: FileSystem,
  descriptor: number,
  at: number,
  to: number,
  budget: ScanBudget
): { sequence: number; end: number } | 'none' | null {
  let before = Buffer.alloc(0)
  for (let step = 0, offset = at; step < MAX_STEPS && offset < to; step++) {
    const bytes = Buffer.allocUnsafe(takeBytes(budget, Math.min(LOOK_BYTES, to - offset)))
    if (bytes.length === 0) return null
    const count = fs.read(descriptor, bytes, 0, bytes.length, offset)
    if (count === 0) return null
    const newline = bytes.subarray(0, count).indexOf(NEWLINE)
    if (newline === -1) {
      before = Buffer.from(bytes.subarray(Math.max(0, count - ENDING_BYTES), count))
      offset += count
      continue
    }
    const ending = Buffer.concat([before, bytes.subarray(0, newline)])
      .toString('latin1')
      .slice(-ENDING_BYTES)
    const found = ENDING.exec(ending)?.[1]
    return found === undefined ? null : { sequence: Number(found), end: offset + newline + 1 }
  }
  return 'none'
}
