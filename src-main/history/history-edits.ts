// Owns edits of a history (H-10, H-14), each one transaction. Called under the store's mutex and history.lock.
// What is kept stays byte for byte; what is cut goes into cut-rows.jsonl; no sequence is given again.
import { randomBytes } from 'node:crypto'
import type { Clock } from '@common/clock'
import { windowIdOf } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import { isBoundary } from '@common/rows/boundaries'
import { rowKindOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import { fileErrorOf, systemCodeOf } from '../files/file-error'
import { type AmendedFields, amendedLine } from './amended-line'
import { amendPlan, clearPlan, deletePlan, type EditPlan, truncatePlan } from './edit-plan'
import { entriesOfEdit, type LinesBefore, linesBefore } from './edited-entries'
import type { RowReference } from './find-row'
import type { CutSummary, HistoryError } from './history-error'
import type { HistoryFiles } from './history-files'
import type { HistoryWriter } from './history-writer'
import { encodeHashes, lineHash } from './line-hash'
import { locateRow, type RowPlace } from './locate-row'
import { scanWindowLines } from './scan-window-lines'
import { transactEdit } from './transact-edit'
import { listWindows, windowPath } from './window-files'
import type { WindowIndex } from './window-index'
import type { Amendment } from './window-index-file'

export interface EditTools {
  readonly files: HistoryFiles
  readonly writer: HistoryWriter
  readonly index: WindowIndex
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Cuts a row and all after it. Where later windows would go too it answers `needs_confirmation` with what they hold,
 * unless `isConfirmed`.
 */
export async function truncateFrom(
  tools: EditTools,
  reference: RowReference,
  { isConfirmed }: { isConfirmed: boolean }
): Promise<Result<CutSummary, HistoryError>> {
  await tools.writer.catchUp()
  const place = await locateRow(tools.files, reference)
  if (place === null) return err(rowNotFound(reference))
  const summary = await summaryOf(tools, place)
  if (place.laterWindows.length > 0 && !isConfirmed) return err(needsConfirmation(summary))
  const done = await carryOut(tools, truncatePlan(place, sizesOf(tools.files, place.laterWindows)))
  return done.ok ? ok(summary) : done
}

/** What `truncateFrom` would cut; changes nothing. */
export async function previewTruncate(
  tools: EditTools,
  reference: RowReference
): Promise<Result<CutSummary, HistoryError>> {
  const place = await locateRow(tools.files, reference)
  return place === null ? err(rowNotFound(reference)) : ok(await summaryOf(tools, place))
}

/** Cuts one row. A boundary and its lead-in hold their window together, so they stay. */
export async function deleteRow(tools: EditTools, reference: RowReference): Promise<Result<CutSummary, HistoryError>> {
  await tools.writer.catchUp()
  const place = await locateRow(tools.files, reference)
  if (place === null) return err(rowNotFound(reference))
  if (isBoundary(place.row) || rowKindOf(place.row) === 'context-window-lead-in') return err(HOLDS_WINDOW)
  const done = await carryOut(tools, deletePlan(place))
  return done.ok ? ok({ rows: 1, windows: 0, windowId: windowIdOf(place.window) }) : done
}

/** Cuts everything: the history begins anew in a root window. */
export async function clearHistory(tools: EditTools): Promise<Result<CutSummary, HistoryError>> {
  await tools.writer.catchUp()
  const windows = listWindows(tools.files)
  const entries = await tools.index.refresh(tools.writer.window)
  const rows = entries.reduce((sum, entry) => sum + entry.rows, 0)
  const summary = { rows, windows: windows.length, windowId: windowIdOf(windows[0] ?? 0) }
  if (windows.length === 0) return ok(summary)
  const done = await carryOut(tools, clearPlan(sizesOf(tools.files, windows)))
  return done.ok ? ok(summary) : done
}

/** Merges fields into a row's metadata as it is on disk; answers the row as it is now. */
export async function amendRow(
  tools: EditTools,
  reference: RowReference,
  fields: AmendedFields
): Promise<Result<Row, HistoryError>> {
  await tools.writer.catchUp()
  const place = await locateRow(tools.files, reference)
  if (place === null) return err(rowNotFound(reference))
  const amended = amendedLine(place.line, fields)
  if (!amended.ok) return amended
  const { line, row } = amended.value
  if (line === place.line) return ok(row)
  const amendment: Amendment = {
    atMs: tools.clock.now(),
    windowId: windowIdOf(place.window),
    rowId: row.id,
    historySequence: row.metadata.historySequence ?? null,
    fields: Object.keys(fields),
    oldHash: encodeHashes(lineHash(Buffer.from(place.line))),
    newHash: encodeHashes(lineHash(Buffer.from(line)))
  }
  const done = await carryOut(tools, amendPlan(place, line), [amendment])
  return done.ok ? ok(row) : done
}

/** Carries out a plan as one transaction, and makes index, receipt and epoch say the same. */
export async function carryOut(
  tools: EditTools,
  plan: EditPlan,
  amendments: readonly Amendment[] = []
): Promise<Result<void, HistoryError>> {
  const { files, writer, index, clock } = tools
  const before = await linesBefore(files, index, plan, writer.window)
  const editId = randomBytes(8).toString('hex')
  writer.forget()
  const outcome = await transactEdit(files, {
    plan,
    editId,
    atMs: clock.now(),
    highestSequence: writer.highestSequence
  })
  switch (outcome.kind) {
    case 'undone':
      return err(fileErrorOf(outcome.cause, 'change the history', files.paths.windows))
    case 'unfinished':
      return err(unfinished(outcome.cause, files.paths.windows))
    case 'done':
      if (await noteEdit(tools, plan, { before, editId, amendments })) await writer.adoptEdited(outcome.marker)
      else writer.forget()
      return ok(undefined)
  }
}

/** False leaves the rest to the next look, by the marker: the edit itself counts. */
async function noteEdit(
  { files, index }: EditTools,
  plan: EditPlan,
  { before, ...note }: { before: ReadonlyMap<number, LinesBefore>; editId: string; amendments: readonly Amendment[] }
): Promise<boolean> {
  try {
    return await index.replace(await entriesOfEdit(files, plan, before), note)
  } catch (cause) {
    files.log.warn('edit-not-noted', { ...fileErrorOf(cause, 'note an edit', files.paths.windowIndex) })
    return false
  }
}

async function summaryOf({ files, index, writer }: EditTools, place: RowPlace): Promise<CutSummary> {
  const own = await scanWindowLines(files, place.window, place.byteOffset)
  let rows = own?.lines.filter(({ isRow }) => isRow).length ?? 0
  for (const window of place.laterWindows) rows += (await index.entryOf(window, writer.window))?.rows ?? 0
  return { rows, windows: place.laterWindows.length, windowId: windowIdOf(place.window) }
}

function sizesOf(files: HistoryFiles, windows: readonly number[]): Map<number, number> {
  return new Map(windows.map((window) => [window, files.fs.stat(windowPath(files, window))?.size ?? 0]))
}

function rowNotFound({ id }: RowReference): HistoryError {
  return { kind: 'row_not_found', rowId: id, message: 'That message is no longer in the history.' }
}

function needsConfirmation(cut: CutSummary): HistoryError {
  const windows = cut.windows === 1 ? 'a later context window' : `${cut.windows} later context windows`
  return {
    kind: 'needs_confirmation',
    cut,
    message: `This takes out ${cut.rows} rows, ${windows} with them. They are kept in cut-rows.jsonl, but neither you nor the agent sees them any more.`
  }
}

const HOLDS_WINDOW: HistoryError = {
  kind: 'refused',
  message: 'A divider cannot be deleted: it holds its context window together. Edit or clear from an earlier message.'
}

function unfinished(cause: unknown, path: string): HistoryError {
  return {
    kind: 'edit_unfinished',
    path,
    code: systemCodeOf(cause) ?? '',
    message: `The disk failed in the middle of this change (${path}). It counts, and it is finished before anything else is saved; check the disk and try again.`
  }
}
