// Owns the bounded scan across window files (H-9): forward or backward in steps of SCAN_STEP_BYTES until a bound is
// met, at most one line held. Synchronous and short by its bounds; what it shows must not be kept.
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { allocateScanBuffer } from './scan-buffer'
import { carryKeyOf, type ScanCarry } from './scan-carry'
import type { ScanCursor, ScanOptions, ScanResult, ScanRun, ScanVisitor, WindowStop } from './scan-types'
import { scanWindowBackward } from './scan-window-backward'
import { scanWindowForward } from './scan-window-forward'
import { windowPath } from './window-files'

/** Room for a line, the step that completes it, and what a reader of whole vectors touches behind the end. */
export const SCAN_BUFFER_BYTES = MAX_LINE_BYTES + 2 * SCAN_STEP_BYTES

export interface ScanScope {
  /** The windows to read, oldest first. */
  readonly windows: readonly number[]
  readonly epoch: string
  /** Keeps bytes between calls; null reads them again. */
  readonly carry: ScanCarry | null
  /** At least SCAN_BUFFER_BYTES; its content is of no use between calls. */
  readonly buffer?: Buffer
}

/** Throws the system's error. */
export function scanBounded(
  files: HistoryFiles,
  options: ScanOptions,
  visitor: ScanVisitor,
  scope: ScanScope
): ScanResult {
  if (options.maxLineBytes > MAX_LINE_BYTES) throw new RangeError('maxLineBytes is over the line limit.')
  const run: ScanRun = {
    fs: files.fs,
    buffer: scope.buffer ?? sharedBuffer(),
    maxLineBytes: options.maxLineBytes,
    visitor,
    keepsRest: scope.carry !== null,
    bytesLeft: options.maxBytes,
    rowsLeft: options.maxRows,
    bytesRead: 0,
    rowsVisited: 0,
    skipped: 0,
    isStopped: false
  }
  const cursor = walkWindows(files, options, run, scope)
  return {
    cursor,
    exhausted: cursor === null,
    skippedOversizedRows: run.skipped,
    bytesRead: run.bytesRead,
    rowsVisited: run.rowsVisited
  }
}

/** Answers where to go on, or null at the end. */
function walkWindows(files: HistoryFiles, options: ScanOptions, run: ScanRun, scope: ScanScope): ScanCursor | null {
  const { direction, startCursor } = options
  const inOrder = direction === 'forward' ? scope.windows : scope.windows.toReversed()
  const ahead = inOrder.filter(
    (window) =>
      startCursor === null || (direction === 'forward' ? window >= startCursor.window : window <= startCursor.window)
  )
  for (const [index, window] of ahead.entries()) {
    const place = startCursor?.window === window ? startCursor : null
    const stop = scanWindow(files, { ...options, startCursor: place }, run, window, scope)
    if (stop !== null && !stop.isDone && !isAtEnd(stop, direction))
      return { window, byteOffset: stop.byteOffset, isInLongLine: stop.isInLongLine }
    const next = ahead[index + 1]
    if (next === undefined) return null
    if (run.isStopped || run.bytesLeft <= 0) return endOf(files, direction, next)
  }
  return null
}

/** Stopped right behind the last line of this direction: the file is done all the same. */
function isAtEnd({ byteOffset, isInLongLine }: WindowStop, direction: ScanOptions['direction']): boolean {
  return direction === 'backward' && byteOffset === 0 && !isInLongLine
}

function endOf({ fs, ...files }: HistoryFiles, direction: ScanOptions['direction'], window: number): ScanCursor {
  const size = direction === 'forward' ? 0 : (fs.stat(windowPath({ fs, ...files }, window))?.size ?? 0)
  return { window, byteOffset: size, isInLongLine: false }
}

function scanWindow(
  files: HistoryFiles,
  { direction, startCursor }: ScanOptions,
  run: ScanRun,
  window: number,
  { carry, epoch }: ScanScope
): WindowStop | null {
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return null
  try {
    const { size, inode } = files.fs.fstat(descriptor)
    const place = startCursor ?? { byteOffset: direction === 'forward' ? 0 : size, isInLongLine: false }
    const byteOffset = Math.min(place.byteOffset, size)
    const file = { inode, epoch }
    const carried = carry?.take(carryKeyOf(direction, { window, byteOffset }, file)) ?? null
    const start = { window, descriptor, byteOffset, isInLongLine: place.isInLongLine, carried }
    const stop = direction === 'forward' ? scanWindowForward(run, start, size) : scanWindowBackward(run, start)
    if (!stop.isDone) carry?.keep(carryKeyOf(direction, { window, byteOffset: stop.byteOffset }, file), stop.rest)
    return stop
  } finally {
    files.fs.close(descriptor)
  }
}

let shared: Buffer | null = null

/** A scan is synchronous, so that one buffer serves all. */
function sharedBuffer(): Buffer {
  shared ??= allocateScanBuffer(SCAN_BUFFER_BYTES)
  return shared
}
