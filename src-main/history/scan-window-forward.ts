// Owns the forward half of a bounded scan, within one file: the first line first, each byte read once. Bytes that
// are not used yet stand at `buffer[low, high)`; more are read behind them.
import { NEWLINE } from './read-lines'
import { nextStepBytes, readStep, visitLine } from './scan-run'
import type { ScanRun, WindowStart, WindowStop } from './scan-types'

/** Visits lines until the file's end at `size` or a bound of the call is met. Throws the system's error. */
export function scanWindowForward(run: ScanRun, start: WindowStart, size: number): WindowStop {
  const { buffer } = run
  const { window, descriptor } = start
  let low = 0
  let high = start.carried?.length ?? 0
  /** Offset in the file of `buffer[high]`. */
  let fileHigh = start.byteOffset + high
  let isSkipping = start.isInLongLine
  start.carried?.copy(buffer, 0)
  for (;;) {
    if (!isSkipping) low = visitForward(run, { window, low, high, fileHigh })
    if (run.isStopped) break
    if (fileHigh >= size) {
      if (isSkipping) run.skipped++
      else
        visitLine(run, { window, byteOffset: fileHigh - (high - low), buffer, start: low, end: high, isEnded: false })
      return { isDone: true, byteOffset: fileHigh, isInLongLine: false, rest: buffer.subarray(0, 0) }
    }
    if (high - low > run.maxLineBytes) {
      isSkipping = true
      low = high
    }
    const step = nextStepBytes(run, size - fileHigh)
    if (step === 0) break
    if (buffer.length - high < step) {
      buffer.copyWithin(0, low, high)
      high -= low
      low = 0
    }
    const count = readStep(run, descriptor, high, step, fileHigh)
    if (count < step) size = fileHigh + count
    fileHigh += count
    if (isSkipping) {
      const newline = buffer.subarray(high, high + count).indexOf(NEWLINE)
      isSkipping = newline === -1
      low = isSkipping ? high + count : high + newline + 1
      if (!isSkipping) run.skipped++
    }
    high += count
  }
  const rest = buffer.subarray(low, high)
  return { isDone: false, byteOffset: fileHigh - rest.length, isInLongLine: isSkipping, rest }
}

/** Visits the whole lines in `buffer[low, high)`; answers the new `low`. */
function visitForward(
  run: ScanRun,
  { window, low, high, fileHigh }: { window: number; low: number; high: number; fileHigh: number }
): number {
  const view = run.buffer.subarray(low, high)
  const viewOffset = fileHigh - view.length
  let from = 0
  while (!run.isStopped) {
    const newline = view.indexOf(NEWLINE, from)
    if (newline === -1) break
    const byteOffset = viewOffset + from
    const [start, end] = [low + from, low + newline]
    visitLine(run, { window, byteOffset, buffer: run.buffer, start, end, isEnded: true })
    from = newline + 1
  }
  return low + from
}
