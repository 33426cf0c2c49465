// Owns reading the lines of a file forward in steps of SCAN_STEP_BYTES: no byte is read twice, no line over
// the limit is held in memory. Knows nothing of rows.
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import type { FileSystem } from '../files/file-system'
import { allocateScanBuffer } from './scan-buffer'

export const NEWLINE = 10

export interface LineVisitor {
  /** One line, its newline left out, in `buffer[start, end)`; the buffer is used again afterwards. */
  line(line: { buffer: Buffer; start: number; end: number; byteOffset: number; isEnded: boolean }): void
  /** A line that was passed over. */
  oversized(line: { byteOffset: number; bytes: number }): void
}

/**
 * Yields after each step, so that a caller of a long file can let others run. Reads `[from, to)`; a file
 * that became shorter ends the reading. Empty lines are not visited. Throws the system's error.
 */
export function* readLines(
  fs: FileSystem,
  descriptor: number,
  { from, to, maxLineBytes = MAX_LINE_BYTES }: { from: number; to: number; maxLineBytes?: number },
  visitor: LineVisitor
): Generator<void, void, void> {
  const buffer = allocateScanBuffer(Math.min(maxLineBytes + SCAN_STEP_BYTES, Math.max(to - from, 1)))
  /** Offset in the file of `buffer[0]`; the line that is not ended yet starts there, or before it when skipped. */
  let base = from
  let held = 0
  let skippedBytes = 0
  for (;;) {
    const wanted = Math.min(SCAN_STEP_BYTES, to - base - held, buffer.length - held)
    const count = wanted <= 0 ? 0 : fs.read(descriptor, buffer, held, wanted, base + held)
    if (count === 0) break
    const end = held + count
    const filled = buffer.subarray(0, end)
    let start = 0
    let searchFrom = held
    for (;;) {
      const newline = filled.indexOf(NEWLINE, searchFrom)
      if (newline === -1) break
      if (skippedBytes > 0) visitor.oversized({ byteOffset: base - skippedBytes, bytes: skippedBytes + newline })
      else visitOne(visitor, maxLineBytes, { buffer, start, end: newline, byteOffset: base + start, isEnded: true })
      skippedBytes = 0
      start = newline + 1
      searchFrom = start
    }
    held = end - start
    base += start
    if (held > maxLineBytes || skippedBytes > 0) {
      skippedBytes += held
      base += held
      held = 0
    } else if (start > 0) {
      buffer.copyWithin(0, start, end)
    }
    yield
  }
  if (skippedBytes > 0) visitor.oversized({ byteOffset: base - skippedBytes, bytes: skippedBytes })
  else visitOne(visitor, maxLineBytes, { buffer, start: 0, end: held, byteOffset: base, isEnded: false })
}

function visitOne(visitor: LineVisitor, maxLineBytes: number, line: Parameters<LineVisitor['line']>[0]): void {
  const bytes = line.end - line.start
  if (bytes > maxLineBytes) visitor.oversized({ byteOffset: line.byteOffset, bytes })
  else if (bytes > 0) visitor.line(line)
}
