// Owns read_item (S-7): finds the item, then shows one page of its text, word for word.
import { HISTORY_ITEM_CHARS, HISTORY_SCAN_BYTES, HISTORY_SCAN_ROWS } from '@common/constants'
import { ok, type Result } from '@common/result'
import {
  HISTORY_NOTE,
  type HistoryCandidate,
  type HistoryFailure,
  type HistoryItem,
  type SessionHistoryOutput
} from '@common/tools/session-history-contract'
import { parseJsonLine } from '../history/parse-line'
import { cursorOf, type CursorUse, type HistoryMoment, placeOf } from './cursor-place'
import { findAt, findItem, type ItemSearch } from './find-item'
import type { HistoryBrowser } from './history-browser'
import { ambiguousItem, invalidInput, missingItem, staleItem, unreadable } from './history-failures'
import { exactItemId, type ItemId, parseItemId } from './item-id'
import { type FoundRow, homeOf, referenceOf } from './item-reference'
import { partsPathOf, type Viewer } from './item-rules'
import { type ItemSource, itemSourcesOf } from './item-text'
import { isoOf } from './list-windows'
import { readTextPage, type TextPage } from './read-text-page'
import { CONTENT_BYTES, jsonBytes } from './result-size'
import type { ScanBudget } from './scan-budget'
import { mended, wholeIndex } from './well-formed-text'

export interface ReadInput {
  readonly viewer: Viewer
  readonly itemId: string
  readonly cursor: string | null
  readonly offsetChars: number | null
  readonly limitChars: number | null
}

/** One page of an item. */
export async function readItem(
  browser: HistoryBrowser,
  input: ReadInput
): Promise<Result<SessionHistoryOutput, HistoryFailure>> {
  const id = parseItemId(input.itemId)
  if (id === null) return invalidInput('item_id', `${JSON.stringify(input.itemId)} has not the form of an item id.`)
  if (input.viewer === 'agent') await browser.floors.prepare(browser.reader, (windows) => windowsSince(windows, id))
  const page = await browser.reader.read((files, state) => readPage(browser, { files, state }, input, id))
  return page.ok ? page.value : unreadable(page.error.message)
}

/** Windows in which a floor would close the item; none where the look for it meets the floor itself. */
function windowsSince(windows: readonly number[], id: ItemId): readonly number[] {
  if (id.kind === 'message') return []
  const oldest = id.kind === 'exact' ? id.reference.window : homeOf(id.sequence, windows)
  return oldest === null ? [] : windows.filter((window) => window >= oldest)
}

function readPage(
  browser: HistoryBrowser,
  moment: HistoryMoment,
  input: ReadInput,
  id: ItemId
): Result<SessionHistoryOutput, HistoryFailure> {
  const { itemId, viewer, cursor } = input
  const { files, state } = moment
  const use: CursorUse = { action: 'read_item', purpose: JSON.stringify([itemId, viewer]) }
  const place = cursor === null ? null : placeOf(browser, moment, use, cursor)
  if (place?.ok === false) return place
  const budget = { bytesLeft: HISTORY_SCAN_BYTES, rowsLeft: HISTORY_SCAN_ROWS }
  const details = place?.value.details ?? []
  const snapshot = place?.value.snapshot ?? null
  if (snapshot !== null && viewer === 'agent' && browser.floors.isClosedSince(files, state, snapshot.window))
    return missingItem(itemId)
  // With details the cursor names the row itself, which an earlier call found.
  const known = place === null || details.length === 0 ? null : findAt(moment, place.value, id, viewer)
  const lookup: ItemSearch =
    known === null
      ? findItem(browser, moment, { id, viewer, from: details.length > 0 ? null : (place?.value ?? null), budget })
      : { kind: 'found', found: known, isOnly: true }
  switch (lookup.kind) {
    case 'missing':
      return missingItem(itemId)
    case 'stale':
      return staleItem(itemId)
    case 'several':
      return ambiguousItem(itemId, candidatesOf(browser, moment, lookup.found))
    case 'more':
      return ok(answer(null, cursorOf(browser, moment, use, lookup.cursor, { snapshot }), false))
    case 'found':
      return showPage(browser, moment, { input, use, budget, details, ...lookup })
  }
}

interface Shown {
  readonly input: ReadInput
  readonly use: CursorUse
  readonly found: FoundRow
  readonly isOnly: boolean
  readonly budget: ScanBudget
  readonly details: readonly number[]
}

function showPage(
  browser: HistoryBrowser,
  moment: HistoryMoment,
  { input, use, found, isOnly, budget, details }: Shown
): Result<SessionHistoryOutput, HistoryFailure> {
  const { files, state } = moment
  const { row, window, byteOffset } = found
  const sources = sourcesOf(browser, found)
  seedMarks(sources, details)
  const frame: HistoryItem = {
    item_id: input.itemId,
    exact_id: exactItemId(referenceOf(found, state)),
    window_id: browser.floors.head(files, state, window).windowId,
    role: row.role,
    text: '',
    offset_chars: 1e15,
    next_offset_chars: 1e15,
    total_chars: 1e15,
    at: isoOf(row.metadata.timestamp)
  }
  const page = readTextPage(sources, {
    offset: input.offsetChars ?? 0,
    limitChars: input.limitChars ?? HISTORY_ITEM_CHARS,
    maxJsonBytes: CONTENT_BYTES - jsonBytes(frame),
    budget
  })
  const item: HistoryItem = {
    ...frame,
    text: page.text,
    offset_chars: page.offset,
    next_offset_chars: page.nextOffset,
    total_chars: page.totalChars
  }
  const place = { window, byteOffset, isInLongLine: false }
  const cursor =
    page.pending === null ? null : cursorOf(browser, moment, use, place, { details: detailsOf(page.pending) })
  return ok(answer(item, cursor, isOnly && page.pending === null))
}

function answer(item: HistoryItem | null, cursor: string | null, exhausted: boolean): SessionHistoryOutput {
  return { note: HISTORY_NOTE, item, cursor, exhausted, skipped_oversized_rows: 0 }
}

function sourcesOf(browser: HistoryBrowser, { row, line }: FoundRow): ItemSource[] {
  const value = parseJsonLine(line) as Readonly<Record<string, unknown>>
  return itemSourcesOf({ line, value, partsPath: partsPathOf(row) }, browser.texts)
}

/** Takes over how far an earlier call, perhaps in another process, walked through a stored text. */
function seedMarks(sources: readonly ItemSource[], details: readonly number[]): void {
  const [source, byte, char] = details
  if (source === undefined || byte === undefined || char === undefined) return
  const walked = sources[source]
  if (walked?.kind === 'file') walked.stored.addMark({ byte, char })
}

function detailsOf({ source, mark }: NonNullable<TextPage['pending']>): number[] {
  return [source, mark.byte, mark.char]
}

/** Enough to tell rows apart; a dozen of them fit a result. */
const CANDIDATE_CHARS = 100

function candidatesOf(browser: HistoryBrowser, moment: HistoryMoment, found: readonly FoundRow[]): HistoryCandidate[] {
  const { files, state } = moment
  return found.map((each) => {
    const [first] = sourcesOf(browser, each)
    const text = first?.kind === 'inline' ? first.text : ''
    return {
      item_id: exactItemId(referenceOf(each, state)),
      window_id: browser.floors.head(files, state, each.window).windowId,
      sequence: each.row.metadata.historySequence ?? null,
      role: each.row.role,
      opening: mended(text.slice(0, wholeIndex(text, CANDIDATE_CHARS)))
    }
  })
}
