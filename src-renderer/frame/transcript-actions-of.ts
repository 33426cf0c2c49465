// Owns what the transcript asks for, carried out on a workspace.
import type { Row } from '@common/rows/row-schema'
import { typeDraft } from '../store/actions/draft-actions'
import { ask } from '../store/actions/report'
import { beginEditing, deleteRow, forkAt } from '../store/actions/row-actions'
import { answerApproval, answerQuestion, retryTurn } from '../store/actions/turn-actions'
import { checkWindow } from '../store/actions/window-actions'
import type { App } from '../store/app-store'
import { draftOf } from '../store/draft-state'
import { focusComposer } from './regions'
import { windowChecker } from '../transcript/dividers/window-checker'
import { notSentOf } from '../transcript/rows/not-sent-texts'
import type { TranscriptActions } from '../transcript/transcript-actions'

/** The transcript's actions for a workspace; make them once for each. */
export function transcriptActions(app: App, workspaceId: string): TranscriptActions {
  const { bridge } = app
  return {
    onOpenLink: (url) => void ask(app, 'shell.open-link', { url }),
    onRetry: () => void retryTurn(app, workspaceId),
    onApproval: (approvalId, answer) => void answerApproval(app, workspaceId, approvalId, answer),
    onAnswer: (questionId, answer) => void answerQuestion(app, workspaceId, questionId, answer),
    onReadRaw: (rowId) => bridge.request('row.raw', { workspaceId, rowId }),
    onReadSpill: (spillId, offset) => bridge.request('spill.read', { workspaceId, spillId, offset }),
    onReadAttachment: (sha256) => bridge.request('attachment.read', { workspaceId, sha256 }),
    onEditNotSent: (row) => editAgain(app, workspaceId, row),
    onEditRow: (row) => {
      beginEditing(app, workspaceId, row)
      focusComposer()
    },
    onForkRow: (row) => void forkAt(app, workspaceId, row.id),
    windowChecks: windowChecker((windowId, again) => checkWindow(app, workspaceId, windowId, again)),
    onDeleteRow: (row) => void deleteRow(app, workspaceId, row.id)
  }
}

/** Puts the text of a message that was not sent back into the composer, after what is there already. */
function editAgain(app: App, workspaceId: string, row: Row): void {
  const { text } = notSentOf(row)
  const draft = draftOf(app.drafts.getState(), workspaceId).text
  typeDraft(app, workspaceId, draft.trim() === '' ? text : `${draft}\n\n${text}`)
  focusComposer()
}
