// Owns what a list of windows tells of one: its sequences, times, items and opening, read within a budget. A window
// that was read to its end is remembered until its file changes.
import { MAX_LINE_BYTES, OPENING_CHARS } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import { type FileStamp, sameStamp } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from '../history/history-files'
import type { HistoryState } from '../history/history-state'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import { scanBounded } from '../history/scan-bounded'
import { ScanCarry } from '../history/scan-carry'
import type { ScanCursor, ScannedLine, ScanOptions } from '../history/scan-types'
import { windowPath } from '../history/window-files'
import { itemIdOf } from './item-reference'
import { isItem, partsPathOf, type Viewer } from './item-rules'
import { itemSourcesOf, type StoredTexts } from './item-text'
import { type ScanBudget, takeBytes } from './scan-budget'
import { wholeIndex } from './well-formed-text'

export interface WindowSummary {
  readonly firstSequence: number | null
  readonly lastSequence: number | null
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  readonly items: number
  /** False when items behind the budget were not counted. */
  readonly isComplete: boolean
  readonly opening: { readonly text: string; readonly itemId: string } | null
  readonly skippedOversizedRows: number
}

export interface SummaryRequest {
  readonly window: number
  readonly viewer: Viewer
  /** Only what stands at or behind this offset: below a floor inside the window. */
  readonly from: number
  readonly budget: ScanBudget
  /** Not used for counting: what the windows after this one need. */
  readonly reserve: ScanBudget
  readonly texts: StoredTexts
}

/** First piece of a window: a boundary, what opens it, and a few rows. */
const OPENING = { maxBytes: 24_576, maxRows: 6 }
/** The end of a row of ours: its time and its sequence. */
const ENDING_BYTES = 256
const ENDING = /"timestamp":(\d{1,15}),"historySequence":(\d{1,15})\}\}\n$/
/** What the two ends of most windows take. */
export const ENDS_BUDGET: ScanBudget = { bytesLeft: OPENING.maxBytes + ENDING_BYTES, rowsLeft: OPENING.maxRows + 1 }
const MAX_REMEMBERED = 2_000

export class WindowSummaries {
  readonly #complete = new Map<string, { readonly stamp: FileStamp; readonly summary: WindowSummary }>()

  /** Throws the system's error. */
  read(files: HistoryFiles, state: HistoryState, request: SummaryRequest): WindowSummary {
    const { window, viewer, from } = request
    const key = `${state.epoch} ${window} ${viewer} ${from}`
    const stamp = files.fs.stat(windowPath(files, window))
    const known = this.#complete.get(key)
    if (known !== undefined && stamp !== null && sameStamp(known.stamp, stamp)) return known.summary
    const summary = summarise(files, state, request)
    if (summary.isComplete && stamp !== null) {
      if (this.#complete.size >= MAX_REMEMBERED) this.#complete.clear()
      this.#complete.set(key, { stamp, summary })
    }
    return summary
  }
}

function summarise(files: HistoryFiles, state: HistoryState, request: SummaryRequest): WindowSummary {
  const { budget, reserve, window, from } = request
  const count = new RowCount(state, request)
  const carry = new ScanCarry()
  let skippedOversizedRows = 0
  const scan = (
    direction: ScanOptions['direction'],
    startCursor: ScanCursor | null,
    bounds: Pick<ScanOptions, 'maxBytes' | 'maxRows'>,
    line: (line: ScannedLine) => 'go-on' | 'stop'
  ): ScanCursor | null => {
    const maxBytes = Math.min(bounds.maxBytes, budget.bytesLeft)
    const maxRows = Math.min(bounds.maxRows, budget.rowsLeft)
    if (maxBytes <= 0 || maxRows <= 0) return startCursor
    const options = { direction, startCursor, maxBytes, maxRows, maxLineBytes: MAX_LINE_BYTES }
    const result = scanBounded(files, options, { line }, { windows: [window], epoch: state.epoch, carry })
    budget.bytesLeft -= result.bytesRead
    budget.rowsLeft -= result.rowsVisited
    if (direction === 'forward') skippedOversizedRows += result.skippedOversizedRows
    return result.cursor
  }
  const all = { maxBytes: budget.bytesLeft, maxRows: budget.rowsLeft }
  let cursor = scan('forward', { window, byteOffset: from, isInLongLine: false }, OPENING, (line) => count.add(line))
  if (cursor !== null && !count.hasOpening)
    cursor = scan('forward', cursor, all, (line) => (count.add(line), count.hasOpening ? 'stop' : 'go-on'))
  const maxBytes = budget.bytesLeft - reserve.bytesLeft - ENDING_BYTES
  const counting = { maxBytes, maxRows: budget.rowsLeft - reserve.rowsLeft - 1 }
  if (cursor !== null) cursor = scan('forward', cursor, counting, (line) => count.add(line))
  if (cursor !== null) {
    // Only the end is told of what was not counted.
    const end = quickEnd(files, window, budget)
    if (end === null) scan('backward', null, { ...all, maxRows: 1 }, (line) => count.end(line))
    else count.note(end)
  }
  return { ...count.summary, isComplete: cursor === null, skippedOversizedRows }
}

/** The last row's sequence and time from its last bytes; null where it is no row of ours. */
function quickEnd(files: HistoryFiles, window: number, budget: ScanBudget): Pick<Row, 'metadata'> | null {
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return null
  try {
    const { size } = files.fs.fstat(descriptor)
    const bytes = Buffer.alloc(takeBytes(budget, Math.min(size, ENDING_BYTES)))
    const count = files.fs.read(descriptor, bytes, 0, bytes.length, size - bytes.length)
    const [, timestamp, historySequence] = ENDING.exec(bytes.toString('latin1', 0, count)) ?? []
    return timestamp === undefined
      ? null
      : { metadata: { timestamp: Number(timestamp), historySequence: Number(historySequence) } }
  } finally {
    files.fs.close(descriptor)
  }
}

class RowCount {
  readonly #state: HistoryState
  readonly #request: SummaryRequest
  #items = 0
  #opening: WindowSummary['opening'] = null
  #first: number | null = null
  #last: number | null = null
  #startedAtMs: number | null = null
  #endedAtMs: number | null = null

  constructor(state: HistoryState, request: SummaryRequest) {
    this.#state = state
    this.#request = request
  }

  get hasOpening(): boolean {
    return this.#opening !== null
  }

  get summary(): Omit<WindowSummary, 'isComplete' | 'skippedOversizedRows'> {
    return {
      firstSequence: this.#first,
      lastSequence: this.#last,
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
      items: this.#items,
      opening: this.#opening
    }
  }

  add(line: ScannedLine): 'go-on' {
    const text = line.buffer.toString('utf8', line.start, line.end)
    const value = parseJsonLine(text)
    const row = rowOfValue(value)
    if (row === null) return 'go-on'
    const { historySequence, timestamp } = row.metadata
    this.#first ??= historySequence ?? null
    this.#startedAtMs ??= timestamp ?? null
    this.note(row)
    if (!isItem(row, this.#request.viewer)) return 'go-on'
    this.#items++
    this.#opening ??= this.#openingOf(row, value, text, line)
    return 'go-on'
  }

  /** The last row, where those before it were not all read. */
  end(line: ScannedLine): 'go-on' {
    const row = rowOfValue(parseJsonLine(line.buffer.toString('utf8', line.start, line.end)))
    if (row !== null) this.note(row)
    return 'go-on'
  }

  note({ metadata: { historySequence, timestamp } }: Pick<Row, 'metadata'>): void {
    this.#last = historySequence ?? this.#last
    this.#endedAtMs = timestamp ?? this.#endedAtMs
  }

  #openingOf(row: Row, value: unknown, line: string, { window, byteOffset }: ScannedLine): WindowSummary['opening'] {
    const item = { line, value: value as Readonly<Record<string, unknown>>, partsPath: partsPathOf(row) }
    const sources = itemSourcesOf(item, this.#request.texts)
    const text = sources
      .flatMap((source) => (source.kind === 'inline' ? [source.text] : []))
      .join('\n')
      .trim()
    if (text === '') return null
    const itemId = itemIdOf({ row, window, byteOffset, line }, this.#state)
    return { text: text.slice(0, wholeIndex(text, OPENING_CHARS)), itemId }
  }
}
