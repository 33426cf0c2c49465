// Owns what a person does with a stored row (U-9): edit from it, fork at it, delete it. Main keeps what is cut.
import type { AttachmentReference } from '@common/contract/views'
import { isKnownPart, type Row, type RowPart } from '@common/rows/row-schema'
import type { App } from '../app-store'
import { attachmentsFrom, changeDraft, draftOf, isSendable, referencesOf, withoutEditing } from '../draft-state'
import { cutAfter } from '../row-cut'
import { ask } from './report'
import { selectWorkspace } from './session-actions'

/** Puts a message's text and files into the composer, to be sent in its place. What stood there comes back later. */
export function beginEditing(app: App, workspaceId: string, row: Row): void {
  const rows = app.store.getState().sessions[workspaceId]?.history.rows ?? []
  const cut = cutAfter(rows, row.id)
  if (cut === null) return
  changeDraft(app.drafts, workspaceId, (draft) => {
    const { text, attachments } = draft.editing?.before ?? draft
    return {
      ...draft,
      text: textOf(row),
      attachments: attachmentsFrom(filesOf(row.parts)),
      editing: { rowId: row.id, cut, before: { text, attachments } }
    }
  })
}

/** Puts words and files behind what stands in the composer. A file that is there already is not added again. */
export function restoreInput(app: App, workspaceId: string, text: string, parts: readonly RowPart[]): void {
  changeDraft(app.drafts, workspaceId, (draft) => {
    const known = new Set(draft.attachments.map(({ id }) => id))
    const files = attachmentsFrom(filesOf(parts)).filter(({ id }) => !known.has(id))
    const words = [draft.text, text].filter((part) => part.trim() !== '')
    return { ...draft, text: words.join('\n\n'), attachments: [...draft.attachments, ...files] }
  })
}

/** Leaves the history as it is; the composer holds what it held before. */
export function cancelEditing(app: App, workspaceId: string): void {
  changeDraft(app.drafts, workspaceId, withoutEditing)
}

/**
 * Sends the edited message in the place of the old one. Without `confirmed` main asks first where whole windows would
 * go. True once main took it.
 */
export async function sendEdited(app: App, workspaceId: string, confirmed: boolean): Promise<boolean> {
  const draft = draftOf(app.drafts.getState(), workspaceId)
  const { editing } = draft
  if (editing === null || !isSendable(draft)) return false
  changeDraft(app.drafts, workspaceId, (current) => ({ ...current, sending: true }))
  const answer = await ask(app, 'row.edit', {
    workspaceId,
    rowId: editing.rowId,
    text: draft.text,
    attachments: referencesOf(draft),
    confirmed
  })
  if (answer?.kind === 'sent') {
    changeDraft(app.drafts, workspaceId, withoutEditing)
    return true
  }
  const question = answer?.message ?? null
  changeDraft(app.drafts, workspaceId, (current) => ({ ...current, sending: false, question }))
  return false
}

/** Copies the conversation up to the row into a new workspace and shows it. */
export async function forkAt(app: App, workspaceId: string, rowId: string): Promise<void> {
  const forked = await ask(app, 'row.fork', { workspaceId, rowId, inclusive: true })
  if (forked !== null) await selectWorkspace(app, forked.workspace.workspaceId)
}

/** Takes one row out of the conversation. */
export async function deleteRow(app: App, workspaceId: string, rowId: string): Promise<void> {
  await ask(app, 'row.delete', { workspaceId, rowId })
}

function textOf(row: Row): string {
  return row.parts.flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('\n\n')
}

function filesOf(parts: readonly RowPart[]): AttachmentReference[] {
  return parts.flatMap((part) => {
    if (!isKnownPart(part) || part.type !== 'file') return []
    const sha256 = /^attachment:([0-9a-f]{64})$/u.exec(part.url)?.[1]
    if (sha256 === undefined) return []
    return [{ sha256, mediaType: part.mediaType, filename: part.filename ?? 'file', bytes: part.bytes ?? 0 }]
  })
}
