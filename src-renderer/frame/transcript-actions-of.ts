// Owns what the transcript asks for, carried out on a workspace.
import { inspectWindow } from '../store/actions/inspector-actions'
import { jumpToRow } from '../store/actions/jump-actions'
import { ask } from '../store/actions/report'
import { beginEditing, deleteRow, forkAt } from '../store/actions/row-actions'
import { answerApproval, answerQuestion, retryTurn } from '../store/actions/turn-actions'
import { checkWindow } from '../store/actions/window-actions'
import type { App } from '../store/app-store'
import { editAgain } from './edit-again'
import { runCommand } from './commands'
import { focusComposer } from './regions'
import { windowChecker } from '../transcript/dividers/window-checker'
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
    onGoToRow: (rowId) => void jumpToRow(app, { workspaceId, rowId, sequence: null, words: '' }),
    onSearchWindows: () => runCommand(app, 'find', null),
    onInspectWindow: (windowId) => inspectWindow(app, workspaceId, windowId),
    windowChecks: windowChecker((windowId, again) => checkWindow(app, workspaceId, windowId, again)),
    onDeleteRow: (row) => void deleteRow(app, workspaceId, row.id)
  }
}
