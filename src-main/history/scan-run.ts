// Owns the counting of a bounded scan: each line once, against the bounds of the call.
import { SCAN_STEP_BYTES } from '@common/constants'
import type { ScannedLine, ScanRun } from './scan-types'

/** Counts a line and shows it, or passes it over when it is too long. Empty ones are nothing. */
export function visitLine(run: ScanRun, line: ScannedLine): void {
  const bytes = line.end - line.start
  if (bytes === 0) return
  if (bytes > run.maxLineBytes) {
    run.skipped++
    return
  }
  run.rowsVisited++
  run.rowsLeft--
  if (run.visitor.line(line, run) === 'stop' || run.rowsLeft <= 0) run.isStopped = true
}

/**
 * Bytes that the next read may take, 0 when the call is over. A call that cannot keep what it read finishes at
 * least one line, so that a chain of calls always comes on.
 */
export function nextStepBytes(run: ScanRun, left: number): number {
  const isOver = run.bytesLeft <= 0
  if (isOver && (run.keepsRest || run.rowsVisited + run.skipped > 0)) return 0
  return Math.min(SCAN_STEP_BYTES, left, isOver ? SCAN_STEP_BYTES : run.bytesLeft)
}

/** Reads into `buffer[at, at + bytes)`; answers the count, which is less only at the end of the file. */
export function readStep(run: ScanRun, descriptor: number, at: number, bytes: number, position: number): number {
  let held = 0
  while (held < bytes) {
    const count = run.fs.read(descriptor, run.buffer, at + held, bytes - held, position + held)
    if (count === 0) break
    held += count
  }
  run.bytesLeft -= held
  run.bytesRead += held
  return held
}
