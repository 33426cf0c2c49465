// Owns what a list of windows tells of one: its sequences, times, items and opening, read within a budget. How far a
// window was counted is remembered while its bytes stay, so that each call counts on.
import { MAX_LINE_BYTES } from '@common/constants'
import { type FileStamp, sameFile, sameStamp } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from '../history/history-files'
import type { HistoryState } from '../history/history-state'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import { scanBounded } from '../history/scan-bounded'
import { ScanCarry } from '../history/scan-carry'
import type { ScanCursor, ScannedLine, ScanOptions } from '../history/scan-types'
import { windowPath } from '../history/window-files'
import { RowCount, type RowEnd, type SummaryRequest, type WindowSummary } from './row-count'
import { type ScanBudget, takeBytes } from './scan-budget'

/** First piece of a window: a boundary, what opens it, and a few rows. */
const OPENING = { maxBytes: 24_576, maxRows: 6 }
/** The end of a row of ours: its time and its sequence. */
const ENDING_BYTES = 256
const ENDING = /"timestamp":(\d{1,15}),"historySequence":(\d{1,15})\}\}\n$/
/** What the two ends of most windows take. */
export const ENDS_BUDGET: ScanBudget = { bytesLeft: OPENING.maxBytes + ENDING_BYTES, rowsLeft: OPENING.maxRows + 1 }
const MAX_REMEMBERED = 2_000

/** How far a window was counted. */
interface Progress {
  readonly stamp: FileStamp
  readonly epoch: string
  readonly count: RowCount
  /** Where the rows begin that were not counted. */
  readonly next: ScanCursor
  readonly skippedOversizedRows: number
}

export class WindowSummaries {
  readonly #progress = new Map<string, Progress>()

  /** Counts on from where an earlier call stopped. Throws the system's error. */
  read(files: HistoryFiles, state: HistoryState, request: SummaryRequest): WindowSummary {
    const { window, viewer, from } = request
    const key = `${window} ${viewer} ${from}`
    const stamp = files.fs.stat(windowPath(files, window))
    const known = this.#progress.get(key)
    const isKnown = known !== undefined && stamp !== null && isStillTrue(known, stamp, state, window)
    const start = isKnown ? known : freshProgress(stamp ?? NO_STAMP, state, request)
    const progress = isKnown && start.next.byteOffset >= stamp.size ? start : countOn(files, state, request, start)
    if (this.#progress.size >= MAX_REMEMBERED) this.#progress.clear()
    if (stamp !== null) this.#progress.set(key, { ...progress, stamp })
    const isComplete = stamp === null || progress.next.byteOffset >= stamp.size
    const ends = isComplete ? progress.count.ends : progress.count.endsWith(lastRowOf(files, window, request.budget))
    return { ...progress.count.summary, ...ends, isComplete, skippedOversizedRows: progress.skippedOversizedRows }
  }
}

/** True while the bytes that were counted are the same: the file is untouched, or only appended to. */
function isStillTrue(
  { stamp, epoch }: Progress,
  now: FileStamp,
  { epoch: epochNow, current }: HistoryState,
  window: number
): boolean {
  if (epoch !== epochNow) return false
  return sameStamp(stamp, now) || (current?.window === window && sameFile(stamp, now) && now.size >= stamp.size)
}

function freshProgress(stamp: FileStamp, state: HistoryState, request: SummaryRequest): Progress {
  const next = { window: request.window, byteOffset: request.from, isInLongLine: false }
  return { stamp, epoch: state.epoch, count: new RowCount(state, request), next, skippedOversizedRows: 0 }
}

function countOn(files: HistoryFiles, state: HistoryState, request: SummaryRequest, start: Progress): Progress {
  const { budget, reserve, window } = request
  const { count } = start
  const carry = new ScanCarry()
  let { next, skippedOversizedRows } = start
  let isDone = false
  const scan = (
    bounds: Pick<ScanOptions, 'maxBytes' | 'maxRows'>,
    line: (line: ScannedLine) => 'go-on' | 'stop'
  ): void => {
    const maxBytes = Math.min(bounds.maxBytes, budget.bytesLeft)
    const maxRows = Math.min(bounds.maxRows, budget.rowsLeft)
    if (isDone || maxBytes <= 0 || maxRows <= 0) return
    const options = {
      direction: 'forward' as const,
      startCursor: next,
      maxBytes,
      maxRows,
      maxLineBytes: MAX_LINE_BYTES
    }
    const result = scanBounded(files, options, { line }, { windows: [window], epoch: state.epoch, carry })
    budget.bytesLeft -= result.bytesRead
    budget.rowsLeft -= result.rowsVisited
    skippedOversizedRows += result.skippedOversizedRows
    isDone = result.cursor === null
    next = result.cursor ?? { window, byteOffset: sizeOf(files, window), isInLongLine: false }
  }
  if (!count.hasOpening) {
    scan(OPENING, (line) => count.add(line))
    if (!count.hasOpening) scan(ALL, (line) => (count.add(line), count.hasOpening ? 'stop' : 'go-on'))
  }
  const maxBytes = budget.bytesLeft - reserve.bytesLeft - ENDING_BYTES
  scan({ maxBytes, maxRows: budget.rowsLeft - reserve.rowsLeft - 1 }, (line) => count.add(line))
  return { ...start, next, skippedOversizedRows }
}

/** Bounded by the call's budget alone. */
const ALL = { maxBytes: Number.MAX_SAFE_INTEGER, maxRows: Number.MAX_SAFE_INTEGER }

function sizeOf({ fs, ...files }: HistoryFiles, window: number): number {
  return fs.stat(windowPath({ fs, ...files }, window))?.size ?? 0
}

/** The last row's sequence and time: from its last bytes, else by a look backward; null where neither tells. */
function lastRowOf(files: HistoryFiles, window: number, budget: ScanBudget): RowEnd | null {
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return null
  try {
    const { size } = files.fs.fstat(descriptor)
    const bytes = Buffer.alloc(takeBytes(budget, Math.min(size, ENDING_BYTES)))
    const count = files.fs.read(descriptor, bytes, 0, bytes.length, size - bytes.length)
    const [, atMs, sequence] = ENDING.exec(bytes.toString('latin1', 0, count)) ?? []
    if (atMs !== undefined) return { atMs: Number(atMs), sequence: Number(sequence) }
  } finally {
    files.fs.close(descriptor)
  }
  return lookBack(files, window, budget)
}

function lookBack(files: HistoryFiles, window: number, budget: ScanBudget): RowEnd | null {
  if (budget.bytesLeft <= 0) return null
  let end: RowEnd | null = null
  const result = scanBounded(
    files,
    { direction: 'backward', startCursor: null, maxBytes: budget.bytesLeft, maxRows: 1, maxLineBytes: MAX_LINE_BYTES },
    {
      line(line) {
        const row = rowOfValue(parseJsonLine(line.buffer.toString('utf8', line.start, line.end)))
        if (row !== null) end = { sequence: row.metadata.historySequence ?? null, atMs: row.metadata.timestamp ?? null }
        return 'stop'
      }
    },
    { windows: [window], epoch: '', carry: new ScanCarry() }
  )
  budget.bytesLeft -= result.bytesRead
  return end
}

/** Of a file that is not there: it holds nothing. */
const NO_STAMP: FileStamp = {
  device: 0n,
  inode: 0n,
  size: 0,
  mtimeNs: 0n,
  ctimeNs: 0n,
  links: 0,
  mode: 0,
  isFolder: false
}
