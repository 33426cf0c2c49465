// Owns a person's edits of a conversation (H-10): what may be edited, in which order queue and history are written,
// and what is said. Runs inside `AgentSession.edit`: no turn is under way here or in another process.
import type { RequestFailure } from '@common/contract/bridge'
import type { SessionEvent } from '@common/contract/events'
import { AttachmentReference, type QueueEntry } from '@common/contract/views'
import type { RowEditAnswer } from '@common/contract/window-views'
import { err, ok, type Result } from '@common/result'
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import { isKnownPart, readRow, type Row } from '@common/rows/row-schema'
import { attachmentHashOf } from '../history/attachments'
import type { CutSummary, HistoryError } from '../history/history-error'
import { editStartOf } from './edit-start'
import type { OpenedSession, SessionDeps } from './session-deps'

export interface EditSurroundings {
  readonly deps: Pick<SessionDeps, 'clock' | 'newId'>
  readonly opened: OpenedSession
  publish(event: SessionEvent): void
  /** Rows are gone: what was derived from them is dropped, and watchers take a new snapshot. */
  rewritten(cut: CutSummary): Promise<void>
  /** Another window is about to begin: what belongs to this one alone goes. */
  windowEnds(): void
}

export interface RowEdit {
  readonly rowId: string
  readonly text: string
  /** Missing keeps those of the message. */
  readonly attachments?: readonly AttachmentReference[] | undefined
  readonly isConfirmed: boolean
}

export type EditResult<T> = Promise<Result<T, RequestFailure>>

export const EDIT_BESIDE_TURN: RequestFailure = {
  kind: 'busy',
  message: 'A turn is under way. Stop it first, or wait until it is done.'
}

/** Cuts a person's message with its snapshots and all after it, and puts the new text first into the queue: it is sent next. */
export async function editRow(surroundings: EditSurroundings, edit: RowEdit): EditResult<RowEditAnswer> {
  const { opened } = surroundings
  const anchor = await editAnchor(opened, edit.rowId)
  if (!anchor.ok) return anchor
  const attachments = edit.attachments ?? attachmentsOf(anchor.value)
  if (edit.text.trim() === '' && attachments.length === 0)
    return err({ kind: 'invalid-input', message: 'There is nothing to send.' })
  // What was not sent is no part of the conversation: its note goes, and all behind it stays.
  if (rowKindOf(anchor.value) === 'rejected-input') {
    const again = entryOf(surroundings, edit.text, attachments)
    return replaceBy(surroundings, again, () => opened.history.deleteRow({ id: edit.rowId }))
  }
  const start = await editStartOf(opened.history, edit.rowId, textOf(anchor.value))
  const preview = await opened.history.previewTruncate(start)
  if (!preview.ok) return err(failureOf(preview.error))
  const { rows, windows } = preview.value
  if (windows > 0 && !edit.isConfirmed)
    return ok({ kind: 'needs-confirmation', rows, windows, message: cutMessage(preview.value) })
  const entry = entryOf(surroundings, edit.text, attachments)
  return replaceBy(surroundings, entry, () => opened.history.truncateFrom(start, { isConfirmed: true }))
}

/** The new text is on disk before the old one leaves the history (T-2). */
async function replaceBy(
  { opened, rewritten }: EditSurroundings,
  entry: QueueEntry,
  cutOld: () => Promise<Result<CutSummary, HistoryError>>
): EditResult<RowEditAnswer> {
  const queued = await opened.queue.addFirst(entry)
  if (!queued.ok) return err({ kind: 'refused', message: queued.error })
  const cut = await cutOld()
  if (!cut.ok) {
    if (cut.error.kind === 'edit_unfinished') await opened.queue.holdAll()
    else await opened.queue.remove(entry.id)
    return err(failureOf(cut.error))
  }
  await rewritten(cut.value)
  return ok({ kind: 'sent', accepted: 'started', entryId: entry.id })
}

/** Cuts one row. */
export async function deleteRow(surroundings: EditSurroundings, rowId: string): EditResult<void> {
  const cut = await surroundings.opened.history.deleteRow({ id: rowId })
  if (!cut.ok) return err(failureOf(cut.error))
  await surroundings.rewritten(cut.value)
  return ok(undefined)
}

/** Empties the conversation, or (soft) begins a fresh window behind a plain reset. Answers the rows that were cut. */
export async function clearHistory(surroundings: EditSurroundings, { soft }: { soft: boolean }): EditResult<number> {
  const { opened } = surroundings
  if (soft) return resetWindow(surroundings)
  const cut = await opened.history.clear()
  if (!cut.ok) return err(failureOf(cut.error))
  if (cut.value.rows > 0 || cut.value.windows > 0) await surroundings.rewritten(cut.value)
  return ok(cut.value.rows)
}

async function resetWindow({ deps, opened, publish, windowEnds }: EditSurroundings): EditResult<number> {
  const window = await opened.history.activeWindow()
  if (!window.ok) return err(failureOf(window.error))
  const { rows } = window.value
  const [only] = rows
  // Nothing has been said since the last reset: another one would only be one more empty window.
  const isFresh = rows.length === 0 || (rows.length === 1 && only !== undefined && rowKindOf(only) === 'plain-reset')
  if (isFresh) return ok(0)
  const reset: Row = { id: deps.newId(), role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'reset' } }
  windowEnds()
  await opened.queue.dropMachine()
  const appended = await opened.history.appendMany([reset])
  if (!appended.ok) return err(failureOf(appended.error))
  for (const row of appended.value) publish({ type: 'row-appended', row })
  publish({ type: 'todo-changed', todo: [] })
  return ok(0)
}

async function editAnchor({ history }: OpenedSession, rowId: string): Promise<Result<Row, RequestFailure>> {
  const line = await history.rawLineOf({ id: rowId })
  if (!line.ok) return err(failureOf(line.error))
  const row = line.value === null ? null : readRow(JSON.parse(line.value))
  if (row === null) return err({ kind: 'not-found', message: 'That message is no longer in the history.' })
  if (usesOf(row).editAnchor) return ok(row)
  return err({ kind: 'refused', message: 'Only a message of yours can be edited.' })
}

/** Files of a message; those of one that was not sent stand in its machine note (H-12). */
export function attachmentsOf({ parts, metadata }: Row): AttachmentReference[] {
  const kept = metadata.machine?.['parts']
  const all = Array.isArray(kept) ? [...parts, ...(kept as Row['parts'])] : parts
  return all.flatMap((part) => {
    if (!isKnownPart(part) || part.type !== 'file') return []
    const { mediaType, filename = 'file', bytes = 0, url } = part
    const reference = AttachmentReference.safeParse({ sha256: attachmentHashOf(url), mediaType, filename, bytes })
    return reference.success ? [reference.data] : []
  })
}

/** Text of a message; that of one that was not sent stands in its machine note. */
export function textOf({ parts, metadata }: Row): string {
  const kept = metadata.machine?.['parts']
  const all = Array.isArray(kept) ? [...parts, ...(kept as Row['parts'])] : parts
  return all.flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('\n')
}

function entryOf({ deps }: EditSurroundings, text: string, attachments: readonly AttachmentReference[]): QueueEntry {
  return {
    id: deps.newId(),
    text,
    attachments: [...attachments],
    mode: 'turn-end',
    source: 'person',
    held: false,
    queuedAtMs: deps.clock.now()
  }
}

function cutMessage({ rows, windows }: CutSummary): string {
  const later = windows === 1 ? 'the context window after it' : `the ${windows} context windows after it`
  return `This cuts ${rows} rows, ${later} included. They are kept in cut-rows.jsonl, but neither you nor the agent sees them any more.`
}

/** How a failed edit is answered. */
export function failureOf(error: HistoryError): RequestFailure {
  switch (error.kind) {
    case 'row_not_found':
      return { kind: 'not-found', message: error.message }
    case 'refused':
    case 'needs_confirmation':
      return { kind: 'refused', message: error.message }
    case 'locked':
      return { kind: 'locked', message: error.message }
    default:
      return { kind: 'io', message: error.message }
  }
}
