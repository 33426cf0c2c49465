// Owns the backward half of a bounded scan, within one file: the last line first, each byte read once. Bytes that
// are not used yet stand at `buffer[low, high)`; more are read in front of them.
import { SCAN_STEP_BYTES } from '@common/constants'
import { NEWLINE } from './read-lines'
import { nextStepBytes, readStep, visitLine } from './scan-run'
import type { ScanRun, WindowStart, WindowStop } from './scan-types'

/**
 * So few unused bytes are moved, so that a step goes from a whole step of the file to a whole page of the buffer:
 * copies between such places are some percent faster (measured).
 */
const CHEAP_MOVE_BYTES = 16_384
const PAGE_BYTES = 4_096

/** Visits lines until the file's beginning or a bound of the call is met. Throws the system's error. */
export function scanWindowBackward(run: ScanRun, start: WindowStart): WindowStop {
  const { buffer } = run
  const { window, descriptor } = start
  let high = buffer.length
  let low = high - (start.carried?.length ?? 0)
  /** Offset in the file of `buffer[low]`. */
  let fileLow = start.byteOffset - (high - low)
  let isSkipping = start.isInLongLine
  start.carried?.copy(buffer, low)
  for (;;) {
    high = isSkipping ? low : visitBackward(run, { window, low, high, fileLow })
    if (run.isStopped) break
    if (fileLow === 0) {
      if (isSkipping) run.skipped++
      return { isDone: true, byteOffset: 0, isInLongLine: false, rest: buffer.subarray(0, 0) }
    }
    if (contentBytes(buffer, low, high) > run.maxLineBytes) {
      isSkipping = true
      high = low
    }
    const step = nextStepBytes(run, fileLow % SCAN_STEP_BYTES || SCAN_STEP_BYTES)
    if (step === 0) break
    if (low < step || high - low <= CHEAP_MOVE_BYTES) {
      const held = high - low
      const to = buffer.length - held - ((buffer.length - held) % PAGE_BYTES)
      buffer.copyWithin(to, low, high)
      low = to
      high = to + held
    }
    if (readStep(run, descriptor, low - step, step, fileLow - step) < step) throw becameShorter()
    low -= step
    fileLow -= step
    if (isSkipping) {
      // A newline that ends this step is the one before the long line.
      const newline = buffer.subarray(low, low + step).lastIndexOf(NEWLINE)
      high = low + newline + 1
      isSkipping = newline === -1
      if (!isSkipping) run.skipped++
    }
  }
  const rest = buffer.subarray(low, high)
  return { isDone: false, byteOffset: fileLow + rest.length, isInLongLine: isSkipping, rest }
}

/** Visits what is whole in `buffer[low, high)`, the last line first; answers the new `high`. */
function visitBackward(
  run: ScanRun,
  { window, low, high, fileLow }: { window: number; low: number; high: number; fileLow: number }
): number {
  const view = run.buffer.subarray(low, high)
  let to = view.length
  while (to > 0 && !run.isStopped) {
    const isEnded = view[to - 1] === NEWLINE
    const end = isEnded ? to - 1 : to
    const newline = end === 0 ? -1 : view.lastIndexOf(NEWLINE, end - 1)
    if (newline === -1 && fileLow > 0) break
    const start = newline + 1
    const byteOffset = fileLow + start
    visitLine(run, { window, byteOffset, buffer: run.buffer, start: low + start, end: low + end, isEnded })
    to = start
  }
  return low + to
}

function contentBytes(buffer: Buffer, low: number, high: number): number {
  const bytes = high - low
  return bytes > 0 && buffer[high - 1] === NEWLINE ? bytes - 1 : bytes
}

function becameShorter(): Error {
  return Object.assign(new Error('The file became shorter.'), { code: 'ESTALE', syscall: 'read' })
}
