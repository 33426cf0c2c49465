// Owns the words of a bounded scan (H-9): where it begins, what bounds it, what it visits and how far it came.
import type { FileSystem } from '../files/file-system'

/** A place between two lines of a window file, or inside a line that is too long to be a row. */
export interface ScanCursor {
  readonly window: number
  /** Backward: lines that end at or before it are next. Forward: lines that begin at or after it. */
  readonly byteOffset: number
  /** The bytes next to it belong to a line over the limit that was begun and is still being passed over. */
  readonly isInLongLine: boolean
}

export interface ScanOptions {
  readonly direction: 'forward' | 'backward'
  /** Null begins at the end (backward) or at the beginning (forward). */
  readonly startCursor: ScanCursor | null
  /** Bytes read in this call. */
  readonly maxBytes: number
  /** Lines visited in this call. */
  readonly maxRows: number
  /** A longer line is counted and passed over without being held; at most MAX_LINE_BYTES. */
  readonly maxLineBytes: number
}

/** A line without its newline: `buffer[start, end)`, valid during the visit only. */
export interface ScannedLine {
  readonly window: number
  /** Where the line begins in its window file. */
  readonly byteOffset: number
  readonly buffer: Buffer
  readonly start: number
  readonly end: number
  /** False for a last line without its newline. */
  readonly isEnded: boolean
}

export interface ScanVisitor {
  /** `stop` ends the scan behind this line. What the visit itself reads elsewhere it takes from `run.bytesLeft`. */
  line(line: ScannedLine, run: ScanRun): 'go-on' | 'stop'
}

export interface ScanResult {
  /** Where the next call goes on; null when exhausted. */
  readonly cursor: ScanCursor | null
  /** True when no line is left in this direction. */
  readonly exhausted: boolean
  readonly skippedOversizedRows: number
  readonly bytesRead: number
  readonly rowsVisited: number
}

/** One call under way: what is left of its bounds, and what it counted. */
export interface ScanRun {
  readonly fs: FileSystem
  /** Holds at least a line and a step. */
  readonly buffer: Buffer
  readonly maxLineBytes: number
  readonly visitor: ScanVisitor
  /** True when bytes that are read and not used now are kept for the next call. */
  readonly keepsRest: boolean
  bytesLeft: number
  rowsLeft: number
  bytesRead: number
  rowsVisited: number
  skipped: number
  isStopped: boolean
}

/** Where reading one window's file ended. */
export interface WindowStop {
  /** True when the file has no more lines in this direction. */
  readonly isDone: boolean
  readonly byteOffset: number
  readonly isInLongLine: boolean
  /** What is read and not used. */
  readonly rest: Buffer
}

/** The file of a window, and where to begin in it. */
export interface WindowStart {
  readonly window: number
  readonly descriptor: number
  readonly byteOffset: number
  readonly isInLongLine: boolean
  /** Bytes next to the place that an earlier call read. */
  readonly carried: Buffer | null
}
