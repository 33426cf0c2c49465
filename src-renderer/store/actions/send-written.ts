// Owns what sending means for what stands in the composer: a message, or an earlier one that is edited.
import type { QueueMode } from '@common/contract/views'
import type { App } from '../app-store'
import { draftOf } from '../draft-state'
import { sendDraft } from './draft-actions'
import { showLatest } from './page-actions'
import { IDLE_STATUS, isBusy } from '../session-state'
import { sendEdited } from './row-actions'

/** True once main took it. Whoever stands in the far past goes to the end, where the answer comes; a queued one waits. */
export async function sendWritten(app: App, workspaceId: string, mode: QueueMode): Promise<boolean> {
  const isEdit = draftOf(app.drafts.getState(), workspaceId).editing !== null
  const busy = isBusy(app.store.getState().sessions[workspaceId]?.status ?? IDLE_STATUS)
  const taken = await (isEdit ? sendEdited(app, workspaceId, false) : sendDraft(app, workspaceId, mode))
  if (taken && !busy) void showLatest(app, workspaceId)
  return taken
}

/** Sends what the person was asked about and agreed to. */
export function sendAgreed(app: App, workspaceId: string): Promise<boolean> {
  return draftOf(app.drafts.getState(), workspaceId).editing === null
    ? sendDraft(app, workspaceId, 'tool-end', true)
    : sendEdited(app, workspaceId, true)
}
