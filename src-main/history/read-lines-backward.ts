// Owns reading the lines of a file from the end to the beginning, in steps of SCAN_STEP_BYTES. Each byte is
// read once; a line longer than MAX_LINE_BYTES is measured without being held. Knows nothing of rows.
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import type { FileSystem } from '../files/file-system'
import { NEWLINE } from './read-lines'

export type BackwardLine =
  /** `bytes` is the line without its newline, valid until the next line is asked for. */
  | { readonly kind: 'line'; readonly byteOffset: number; readonly bytes: Buffer; readonly isEnded: boolean }
  | { readonly kind: 'oversized'; readonly byteOffset: number; readonly byteCount: number }

/** Lines that end at or before `before`, the last first. Empty lines are left out. Throws the system's error. */
export function* readLinesBackward(
  fs: FileSystem,
  descriptor: number,
  before: number
): Generator<BackwardLine, void, void> {
  /** Bytes `[low, low + held.length)` of the file that are not given out yet; a line ends at its end. */
  let held: Buffer = Buffer.alloc(0)
  let low = before
  /** End of a line that is too long to hold: everything from `low` to there is known to have no newline. */
  let oversizedEnd: number | null = null
  for (;;) {
    const isEnded = held.at(-1) === NEWLINE
    const end = isEnded ? held.length - 1 : held.length
    const newline = end === 0 ? -1 : held.lastIndexOf(NEWLINE, end - 1)
    if (newline === -1 && low > 0) {
      if (end > MAX_LINE_BYTES || oversizedEnd !== null) {
        oversizedEnd ??= low + end
        held = Buffer.alloc(0)
      }
      const step = readStep(fs, descriptor, Math.max(0, low - SCAN_STEP_BYTES), low)
      held = held.length === 0 ? step : Buffer.concat([step, held])
      low -= step.length
      // While a long line is skipped, a newline at the end of a step is the one before that line.
      if (oversizedEnd !== null && held.includes(NEWLINE)) {
        const at = held.lastIndexOf(NEWLINE)
        yield { kind: 'oversized', byteOffset: low + at + 1, byteCount: oversizedEnd - low - at - 1 }
        held = held.subarray(0, at + 1)
        oversizedEnd = null
      }
      continue
    }
    const start = newline + 1
    if (oversizedEnd !== null) {
      yield { kind: 'oversized', byteOffset: low, byteCount: oversizedEnd - low }
      return
    }
    if (end - start > MAX_LINE_BYTES) yield { kind: 'oversized', byteOffset: low + start, byteCount: end - start }
    else if (end > start) yield { kind: 'line', byteOffset: low + start, bytes: held.subarray(start, end), isEnded }
    if (start === 0) return
    held = held.subarray(0, start)
  }
}

function readStep(fs: FileSystem, descriptor: number, from: number, to: number): Buffer {
  const step = Buffer.allocUnsafeSlow(to - from)
  let held = 0
  while (held < step.length) {
    const count = fs.read(descriptor, step, held, step.length - held, from + held)
    if (count === 0) throw Object.assign(new Error('The file became shorter.'), { code: 'ESTALE', syscall: 'read' })
    held += count
  }
  return step
}
