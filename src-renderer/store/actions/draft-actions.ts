// Owns typing, saving and sending a draft. Text leaves the composer only once main holds it (T-2).
import { MAX_ATTACHMENT_BYTES, MAX_PASTED_TEXT_BYTES } from '@common/constants'
import type { AttachmentReference, QueueMode } from '@common/contract/views'
import type { App } from '../app-store'
import {
  changeDraft,
  draftFrom,
  draftOf,
  isSendable,
  referencesOf,
  savedOf,
  withoutSent,
  type DraftAttachment
} from '../draft-state'
import { ask, report } from './report'
import { sendInput } from './turn-actions'

export function typeDraft(app: App, workspaceId: string, text: string): void {
  changeDraft(app.drafts, workspaceId, (draft) => ({ ...draft, text }))
}

/** Takes the draft of a snapshot, unless the person has typed here since the window opened. */
export function adoptDraft(
  app: App,
  workspaceId: string,
  text: string,
  attachments: readonly AttachmentReference[]
): void {
  if (app.drafts.getState()[workspaceId] !== undefined) return
  changeDraft(app.drafts, workspaceId, () => draftFrom(text, attachments))
}

/** Gives main the draft as it stands; does nothing when main has it. */
export async function saveDraft(app: App, workspaceId: string): Promise<void> {
  const draft = draftOf(app.drafts.getState(), workspaceId)
  // An edit is of a message that the history has: what main keeps is the draft that comes back after it.
  if (draft.editing !== null) return
  const now = savedOf(draft)
  if (now.text === draft.saved.text && now.hashes === draft.saved.hashes) return
  const attachments = referencesOf(draft)
  const saved = await app.bridge.request('draft.save', { workspaceId, text: draft.text, attachments })
  // A failed save is tried again with the next keystroke; the text itself is still in the composer.
  if (saved.ok) changeDraft(app.drafts, workspaceId, (current) => ({ ...current, saved: now }))
  else console.warn(saved.error.message)
}

/** Takes back the question that is asked before rows are cut. */
export function cancelAsking(app: App, workspaceId: string): void {
  changeDraft(app.drafts, workspaceId, (draft) => ({ ...draft, question: null }))
}

/** Sends the draft. True when main took it; without `confirmed` it asks first where the text cuts rows. */
export async function sendDraft(app: App, workspaceId: string, mode: QueueMode, confirmed = false): Promise<boolean> {
  const draft = draftOf(app.drafts.getState(), workspaceId)
  if (!isSendable(draft)) return false
  if (new Blob([draft.text]).size > MAX_PASTED_TEXT_BYTES) {
    report(
      app,
      'warning',
      'The message is longer than 128 KB. Attach the long part as a file, then send it.',
      workspaceId
    )
    return false
  }
  changeDraft(app.drafts, workspaceId, (current) => ({ ...current, sending: true }))
  const outgoing = { text: draft.text, attachments: referencesOf(draft), mode, confirmed }
  const answer = await sendInput(app, workspaceId, outgoing)
  const question = answer?.accepted === 'needs-confirmation' ? answer.message : null
  const sent = answer !== null && question === null
  changeDraft(app.drafts, workspaceId, (current) => ({
    ...(sent ? withoutSent(current, draft) : { ...current, sending: false }),
    question
  }))
  if (sent) for (const each of draft.attachments) releasePreview(each)
  await saveDraft(app, workspaceId)
  return sent
}

/** Puts a file into the workspace and a chip into the composer. */
export async function attachFile(app: App, workspaceId: string, file: File): Promise<void> {
  const id = crypto.randomUUID()
  const mediaType = file.type || 'application/octet-stream'
  const attachment: DraftAttachment = {
    id,
    filename: file.name,
    mediaType,
    bytes: file.size,
    previewUrl: mediaType.startsWith('image/') ? URL.createObjectURL(file) : null,
    state: { kind: 'adding' }
  }
  changeDraft(app.drafts, workspaceId, (draft) => ({ ...draft, attachments: [...draft.attachments, attachment] }))
  const state = await addToWorkspace(app, workspaceId, file, mediaType)
  changeDraft(app.drafts, workspaceId, (draft) => ({
    ...draft,
    attachments: draft.attachments.map((each) => (each.id === id ? { ...each, state } : each))
  }))
  await saveDraft(app, workspaceId)
}

/** Takes a chip out of the composer. */
export function removeAttachment(app: App, workspaceId: string, id: string): void {
  const gone = draftOf(app.drafts.getState(), workspaceId).attachments.find((each) => each.id === id)
  if (gone !== undefined) releasePreview(gone)
  changeDraft(app.drafts, workspaceId, (draft) => ({
    ...draft,
    attachments: draft.attachments.filter((each) => each.id !== id)
  }))
  void saveDraft(app, workspaceId)
}

/** Paths of the project that match; none when main could not look. */
export async function searchFiles(app: App, workspaceId: string, query: string): Promise<readonly string[]> {
  const found = await ask(app, 'files.search', { workspaceId, query })
  return found?.paths ?? []
}

async function addToWorkspace(
  app: App,
  workspaceId: string,
  file: File,
  mediaType: string
): Promise<DraftAttachment['state']> {
  if (file.size > MAX_ATTACHMENT_BYTES) return { kind: 'failed', message: 'Larger than 32 MB. Remove it.' }
  const bytes = await bytesOf(file)
  if (bytes === null) return { kind: 'failed', message: 'Could not be read. Remove it, then attach it again.' }
  const filename = file.name.slice(-255)
  const answer = await app.bridge.request('attachment.add', { workspaceId, filename, mediaType, bytes })
  return answer.ok
    ? { kind: 'ready', reference: answer.value.attachment }
    : { kind: 'failed', message: answer.error.message }
}

/** A folder and a file that went away both refuse to be read. */
async function bytesOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (error) {
    console.warn(`could not read ${file.name}`, error)
    return null
  }
}

function releasePreview(attachment: DraftAttachment): void {
  if (attachment.previewUrl !== null) URL.revokeObjectURL(attachment.previewUrl)
}
