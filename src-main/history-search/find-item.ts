// Owns what an item id names now (S-2): the one readable row, or that there is none, or several. It reads within the
// call's budget; a search through rows in no order goes on by a cursor. No id is ever taken for another row's.
import { MAX_LINE_BYTES } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import { openIfThere } from '../files/open-if-there'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import { scanBounded } from '../history/scan-bounded'
import type { ScanCursor, ScannedLine } from '../history/scan-types'
import { windowPath } from '../history/window-files'
import { type ByteFilter, createByteFilter } from './byte-filter'
import { type BytePattern, exactPattern } from './byte-pattern'
import type { HistoryMoment } from './cursor-place'
import { rangeOfSequence } from './find-sequence'
import { BOUNDARY_NEEDLE } from './floor-finder'
import { FloorWatch } from './floor-watch'
import type { HistoryBrowser } from './history-browser'
import { epochHash, exactItemId, type ExactReference, fingerprintOf, type ItemId } from './item-id'
import { type FoundRow, homeOf, referenceOf } from './item-reference'
import { isItem, type Viewer } from './item-rules'
import { readLineAt } from './read-line-at'
import type { ScanBudget } from './scan-budget'

export type ItemSearch =
  /** `isOnly`: the whole history was looked at, and no other row fits. */
  | { readonly kind: 'found'; readonly found: FoundRow; readonly isOnly: boolean }
  | { readonly kind: 'several'; readonly found: readonly FoundRow[] }
  /** The budget is used up before anything was found. */
  | { readonly kind: 'more'; readonly cursor: ScanCursor }
  | { readonly kind: 'missing' }
  /** An exact id of a history that was changed since. */
  | { readonly kind: 'stale' }

export interface ItemRequest {
  readonly id: ItemId
  readonly viewer: Viewer
  /** Where an earlier call for this id stopped. */
  readonly from: ScanCursor | null
  readonly budget: ScanBudget
}

/** As many as an answer can name. */
const MAX_CANDIDATES = 12

/** Synchronous. Throws the system's error. */
export function findItem(browser: HistoryBrowser, moment: HistoryMoment, request: ItemRequest): ItemSearch {
  const { id, viewer } = request
  if (id.kind === 'exact') return findExact(browser, moment, id.reference, viewer)
  const lookup = new Lookup(browser, moment, request)
  if (id.kind === 'message') return lookup.lookEverywhere()
  const known = request.from === null ? browser.resolved.get(viewer, id.sequence, epochHash(moment.state.epoch)) : null
  const again = known === null ? null : findExact(browser, moment, known.reference, viewer)
  if (again?.kind === 'found') return { ...again, isOnly: known?.isOnly ?? false }
  if (request.from === null) lookup.lookHome(id.sequence)
  const search = lookup.lookEverywhere()
  if (search.kind === 'found') {
    const reference = referenceOf(search.found, moment.state)
    browser.resolved.set(viewer, id.sequence, { reference, isOnly: search.isOnly })
  }
  return search
}

function findExact(
  browser: HistoryBrowser,
  { files, state }: HistoryMoment,
  { epoch, window, byteOffset, fingerprint }: ExactReference,
  viewer: Viewer
): ItemSearch {
  if (epoch !== epochHash(state.epoch)) return { kind: 'stale' }
  if (viewer === 'agent' && !browser.floors.isOpen(files, state, window, byteOffset)) return { kind: 'missing' }
  const bytes = readLineAt(files, window, byteOffset)
  if (bytes === null || fingerprintOf(bytes) !== fingerprint) return { kind: 'stale' }
  const line = bytes.toString('utf8')
  const row = rowOfValue(parseJsonLine(line))
  if (row === null || !isItem(row, viewer)) return { kind: 'missing' }
  return { kind: 'found', found: { row, window, byteOffset, line }, isOnly: true }
}

/** The row at a place, if it is one that the id names. The caller knows that the place is open. */
export function findAt(
  { files, state }: HistoryMoment,
  { window, byteOffset }: Pick<ScanCursor, 'window' | 'byteOffset'>,
  id: ItemId,
  viewer: Viewer
): FoundRow | null {
  const bytes = readLineAt(files, window, byteOffset)
  if (bytes === null) return null
  const line = bytes.toString('utf8')
  const row = rowOfValue(parseJsonLine(line))
  if (row === null || !isItem(row, viewer)) return null
  const found = { row, window, byteOffset, line }
  const isNamed =
    id.kind === 'exact' ? exactItemId(referenceOf(found, state)) === exactItemId(id.reference) : isNamedBy(id, row)
  return isNamed ? found : null
}

class Lookup {
  readonly #browser: HistoryBrowser
  readonly #moment: HistoryMoment
  readonly #request: ItemRequest
  readonly #filter: ByteFilter
  readonly #places = new Set<string>()
  readonly #found: FoundRow[] = []

  constructor(browser: HistoryBrowser, moment: HistoryMoment, request: ItemRequest) {
    this.#browser = browser
    this.#moment = moment
    this.#request = request
    this.#filter = idFilter(request.id)
  }

  /** Looks where the sequence must stand if the rows are in order, then through the rest of that window. */
  lookHome(sequence: number): void {
    const { files, state } = this.#moment
    const home = homeOf(sequence, state.windows)
    if (home === null || (this.#isAgent && this.#browser.floors.isClosed(files, state, home))) return
    const descriptor = openIfThere(files.fs, windowPath(files, home))
    if (descriptor === null) return
    try {
      const { size } = files.fs.fstat(descriptor)
      const range = rangeOfSequence(files.fs, descriptor, size, sequence, this.#request.budget)
      const inner = this.#isAgent ? this.#browser.floors.innerFloor(files, state, home) : null
      if (range !== null) {
        const start = { window: home, byteOffset: range.from, isInLongLine: false }
        this.#scan('forward', [home], start, (line) => {
          if (line.byteOffset >= range.to) return 'stop'
          return inner !== null && line.byteOffset <= inner ? 'go-on' : this.#look(line)
        })
      }
    } finally {
      files.fs.close(descriptor)
    }
    this.#lookDown([home], null)
  }

  /** Looks through everything that is open, newest first, as far as the budget goes. */
  lookEverywhere(): ItemSearch {
    const { from } = this.#request
    const rest = this.#lookDown(this.#moment.state.windows, from)
    const [only, ...others] = this.#found
    if (only === undefined) return rest === null ? { kind: 'missing' } : { kind: 'more', cursor: rest }
    if (others.length > 0) return { kind: 'several', found: this.#found }
    return { kind: 'found', found: only, isOnly: rest === null && from === null }
  }

  get #isAgent(): boolean {
    return this.#request.viewer === 'agent'
  }

  #scan(
    direction: 'forward' | 'backward',
    windows: readonly number[],
    startCursor: ScanCursor | null,
    line: (line: ScannedLine) => 'go-on' | 'stop'
  ): ScanCursor | null {
    const { budget } = this.#request
    const newest = { window: windows.at(-1) ?? 0, byteOffset: Number.MAX_SAFE_INTEGER, isInLongLine: false }
    if (budget.bytesLeft <= 0 || budget.rowsLeft <= 0) return startCursor ?? newest
    const result = scanBounded(
      this.#moment.files,
      { direction, startCursor, maxBytes: budget.bytesLeft, maxRows: budget.rowsLeft, maxLineBytes: MAX_LINE_BYTES },
      { line },
      { windows, epoch: this.#moment.state.epoch, carry: null, buffer: this.#filter.buffer }
    )
    budget.bytesLeft -= result.bytesRead
    budget.rowsLeft -= result.rowsVisited
    return result.cursor
  }

  /** From newer rows to older ones; an agent's look ends at the floor. Answers where to go on, null at the end. */
  #lookDown(windows: readonly number[], from: ScanCursor | null): ScanCursor | null {
    const { viewer } = this.#request
    const start = from?.window ?? windows.at(-1) ?? 0
    const watch = viewer === 'agent' ? new FloorWatch(this.#browser.floors, this.#moment, start) : null
    const mayReset = ({ start, end }: ScannedLine): boolean => this.#filter.find(start, end, BOUNDARY_BIT) !== 0
    const rest = this.#scan('backward', windows, from, (line) =>
      watch?.isClosed(line, mayReset(line)) === true ? 'stop' : this.#look(line)
    )
    return rest === null || watch?.hasCrossed(rest.window) === true ? null : rest
  }

  #look({ window, byteOffset, start, end, buffer }: ScannedLine): 'go-on' | 'stop' {
    const key = `${window} ${byteOffset}`
    if (this.#filter.find(start, end, ID_BITS) === 0 || this.#places.has(key)) return 'go-on'
    const line = buffer.toString('utf8', start, end)
    const row = rowOfValue(parseJsonLine(line))
    if (row === null || !isItem(row, this.#request.viewer) || !isNamedBy(this.#request.id, row)) return 'go-on'
    this.#places.add(key)
    this.#found.push({ row, window, byteOffset, line })
    return this.#found.length >= MAX_CANDIDATES ? 'stop' : 'go-on'
  }
}

function isNamedBy(id: ItemId, row: Row): boolean {
  if (id.kind === 'sequence') return row.metadata.historySequence === id.sequence
  return id.kind === 'message' && row.id === id.messageId
}

const BOUNDARY_BIT = 1
const ID_BITS = 255 & ~BOUNDARY_BIT
/** A piece of a long id is enough for a first look. */
const MAX_NEEDLE_CHARS = 30

let shared: ByteFilter | null = null

/** Lets lines pass that may be a boundary, or the row: they hold its id or sequence, or escapes that may spell it. */
function idFilter(id: ItemId): ByteFilter {
  shared ??= createByteFilter()
  shared.setPatterns([BOUNDARY_NEEDLE, ...idPatterns(id)])
  return shared
}

function idPatterns(id: ItemId): BytePattern[] {
  if (id.kind === 'sequence')
    return [exactPattern(`historySequence":${id.sequence}`), exactPattern(`historySequence": ${id.sequence}`)]
  const runs = id.kind === 'message' ? id.messageId.split(/["\\/\p{Cc}\p{Surrogate}]/u) : []
  const longest = runs.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const needle = longest === '' ? '"id"' : longest.slice(0, MAX_NEEDLE_CHARS)
  return [exactPattern(needle), exactPattern('\\u')]
}
