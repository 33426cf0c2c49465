// Owns what is gathered of a window's rows as they go by: ends, items, and the first words of the first item.
import { OPENING_CHARS } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import type { HistoryState } from '../history/history-state'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import type { ScannedLine } from '../history/scan-types'
import { itemIdOf } from './item-reference'
import { isItem, partsPathOf, type Viewer } from './item-rules'
import { itemSourcesOf, type StoredTexts } from './item-text'
import type { ScanBudget } from './scan-budget'
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

/** What is told of a window's last row. */
export interface RowEnd {
  readonly sequence: number | null
  readonly atMs: number | null
}

export class RowCount {
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

  get summary(): Omit<WindowSummary, 'isComplete' | 'skippedOversizedRows' | 'lastSequence' | 'endedAtMs'> {
    return {
      firstSequence: this.#first,
      startedAtMs: this.#startedAtMs,
      items: this.#items,
      opening: this.#opening
    }
  }

  /** Of the last row that was counted. */
  get ends(): Pick<WindowSummary, 'lastSequence' | 'endedAtMs'> {
    return { lastSequence: this.#last, endedAtMs: this.#endedAtMs }
  }

  /** The same where a later row is known. */
  endsWith(last: RowEnd | null): Pick<WindowSummary, 'lastSequence' | 'endedAtMs'> {
    return { lastSequence: last?.sequence ?? this.#last, endedAtMs: last?.atMs ?? this.#endedAtMs }
  }

  add(line: ScannedLine): 'go-on' {
    const text = line.buffer.toString('utf8', line.start, line.end)
    const value = parseJsonLine(text)
    const row = rowOfValue(value)
    if (row === null) return 'go-on'
    const { historySequence, timestamp } = row.metadata
    this.#first ??= historySequence ?? null
    this.#startedAtMs ??= timestamp ?? null
    this.#last = historySequence ?? this.#last
    this.#endedAtMs = timestamp ?? this.#endedAtMs
    if (!isItem(row, this.#request.viewer)) return 'go-on'
    this.#items++
    this.#opening ??= this.#openingOf(row, value, text, line)
    return 'go-on'
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
