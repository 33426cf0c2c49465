// Owns what sending means for what stands in the composer: a message, or an earlier one that is edited.
import type { QueueMode } from '@common/contract/views'
import type { App } from '../app-store'
import { draftOf } from '../draft-state'
import { sendDraft } from './draft-actions'
import { sendEdited } from './row-actions'

/** True once main took it. */
export function sendWritten(app: App, workspaceId: string, mode: QueueMode): Promise<boolean> {
  return draftOf(app.drafts.getState(), workspaceId).editing === null
    ? sendDraft(app, workspaceId, mode)
    : sendEdited(app, workspaceId, false)
}

/** Sends what the person was asked about and agreed to. */
export function sendAgreed(app: App, workspaceId: string): Promise<boolean> {
  return draftOf(app.drafts.getState(), workspaceId).editing === null
    ? sendDraft(app, workspaceId, 'tool-end', true)
    : sendEdited(app, workspaceId, true)
}
