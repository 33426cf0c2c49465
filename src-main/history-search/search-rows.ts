// Owns one page of a search through a workspace's windows, newest first (S-6): lines are looked at as bytes, parsed only
// where the query may be in them, and shown as hits. An agent's page ends at the privacy floor.
import { MAX_LINE_BYTES } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import { scanBounded } from '../history/scan-bounded'
import type { ScanCursor, ScannedLine, ScanRun } from '../history/scan-types'
import type { CompiledQuery } from './compile-query'
import type { HistoryMoment } from './cursor-place'
import { FloorWatch } from './floor-watch'
import type { HistoryBrowser } from './history-browser'
import type { FoundRow } from './item-reference'
import { isFoundElsewhere, isItem, partsPathOf, type Viewer } from './item-rules'
import { itemSourcesOf } from './item-text'
import { type LineFilter, lineFilterFor } from './line-filter'
import type { ScanBudget } from './scan-budget'
import { searchSources, type SourceMatch, type SourcePlace } from './search-source'

/** Where a search goes on: a place in a window, and in a file of the row that ends there. */
export interface SearchPlace extends ScanCursor {
  readonly source: SourcePlace | null
}

export interface RowHit {
  readonly found: FoundRow
  readonly match: SourceMatch
}

export interface SearchRequest {
  readonly query: CompiledQuery
  readonly viewer: Viewer
  /** To be searched, oldest first. */
  readonly windows: readonly number[]
  /** Null begins at the newest row. */
  readonly from: SearchPlace | null
  readonly budget: ScanBudget
  /** Takes a hit, or refuses it: then it is the first of the next page. Full ends the page behind the hit. */
  take(hit: RowHit): 'taken' | 'full' | 'refused'
}

export interface SearchPage {
  /** Null when everything was searched, for an agent down to the floor. */
  readonly next: SearchPlace | null
  readonly skippedOversizedRows: number
}

/** Synchronous. Throws the system's error. */
export function searchRows(browser: HistoryBrowser, moment: HistoryMoment, request: SearchRequest): SearchPage {
  const filter = lineFilterFor(request.query, request.viewer === 'agent')
  const visit = new RowVisit(browser, moment, request, filter)
  const { budget, windows, from } = request
  const { state } = moment
  const scan = scanBounded(
    moment.files,
    {
      direction: 'backward',
      startCursor: from,
      maxBytes: budget.bytesLeft,
      maxRows: budget.rowsLeft,
      maxLineBytes: MAX_LINE_BYTES
    },
    { line: (line, run) => visit.line(line, run) },
    { windows, epoch: state.epoch, carry: browser.carry, buffer: filter.buffer }
  )
  budget.bytesLeft -= scan.bytesRead
  budget.rowsLeft -= scan.rowsVisited
  const next = visit.again ?? (scan.cursor === null ? null : { ...scan.cursor, source: null })
  const isOver = next === null || visit.isBehindFloor(next.window)
  return { next: isOver ? null : next, skippedOversizedRows: scan.skippedOversizedRows }
}

class RowVisit {
  /** Set where the row that was visited last is not done. */
  again: SearchPlace | null = null
  readonly #browser: HistoryBrowser
  readonly #request: SearchRequest
  readonly #filter: LineFilter
  /** Null for a person. */
  readonly #watch: FloorWatch | null
  /** Where to go on in the very first row. */
  #resume: SourcePlace | null

  constructor(browser: HistoryBrowser, moment: HistoryMoment, request: SearchRequest, filter: LineFilter) {
    const { viewer, from, windows } = request
    this.#browser = browser
    this.#request = request
    this.#filter = filter
    const start = from?.window ?? windows.at(-1) ?? 0
    this.#watch = viewer === 'agent' ? new FloorWatch(browser.floors, moment, start) : null
    this.#resume = from?.source ?? null
  }

  /** True when the walk may not go on to this window. */
  isBehindFloor(window: number): boolean {
    return this.#watch?.hasCrossed(window) ?? false
  }

  line(line: ScannedLine, run: ScanRun): 'go-on' | 'stop' {
    const resume = this.#resume
    this.#resume = null
    const passes = this.#filter.passes(line.start, line.end)
    if (this.#watch?.isClosed(line, passes) === true) return 'stop'
    if (!passes) return 'go-on'
    const text = line.buffer.toString('utf8', line.start, line.end)
    const value = parseJsonLine(text)
    const row = rowOfValue(value)
    if (row === null || !isItem(row, this.#request.viewer) || isFoundElsewhere(row)) return 'go-on'
    return this.#search({ row, window: line.window, byteOffset: line.byteOffset, line: text }, value, line, run, resume)
  }

  #search(
    found: FoundRow,
    value: unknown,
    line: ScannedLine,
    run: ScanRun,
    resume: SourcePlace | null
  ): 'go-on' | 'stop' {
    const sources = itemSourcesOf(itemOf(found.line, value, found.row), this.#browser.texts)
    const searched = searchSources(sources, this.#request.query, runBudget(run), resume)
    if (searched.kind === 'none') return 'go-on'
    if (searched.kind === 'more') return this.#stopWithin(line, searched.place)
    const taken = this.#request.take({ found, match: searched.match })
    if (taken === 'refused') return this.#stopWithin(line, resume)
    return taken === 'full' ? 'stop' : 'go-on'
  }

  /** The next page begins with this line again. */
  #stopWithin({ window, byteOffset, start, end, isEnded }: ScannedLine, source: SourcePlace | null): 'stop' {
    const lineEnd = byteOffset + (end - start) + (isEnded ? 1 : 0)
    this.again = { window, byteOffset: lineEnd, isInLongLine: false, source }
    return 'stop'
  }
}

function itemOf(line: string, value: unknown, row: Row): Parameters<typeof itemSourcesOf>[0] {
  return { line, value: value as Readonly<Record<string, unknown>>, partsPath: partsPathOf(row) }
}

/** What a visit reads beside the windows counts against the same bound. */
function runBudget(run: ScanRun): ScanBudget {
  return {
    get bytesLeft() {
      return run.bytesLeft
    },
    set bytesLeft(bytes) {
      run.bytesRead += run.bytesLeft - bytes
      run.bytesLeft = bytes
    },
    rowsLeft: run.rowsLeft
  }
}
