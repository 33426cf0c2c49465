// Owns how a workspace's file and its session's state look from outside. Pure.
import type { SessionPhase, WorkspaceView } from '@common/contract/views'
import type { WorkspaceFile } from './workspace-file'

export interface LiveState {
  readonly phase: SessionPhase
  readonly waiting: boolean
  readonly projectReadable: boolean
}

/** What the sidebar and the header show. */
export function workspaceViewOf(file: WorkspaceFile, state: LiveState): WorkspaceView {
  return {
    workspaceId: file.id,
    title: file.title === '' ? 'New conversation' : file.title,
    projectId: file.projectId,
    projectPath: file.projectPath,
    projectReadable: state.projectReadable,
    model: file.model,
    agentId: file.agentId,
    approvalMode: file.approvalMode,
    thinkingLevel: file.thinkingLevel,
    archived: file.archived,
    createdAtMs: file.createdAtMs,
    updatedAtMs: file.updatedAtMs,
    rows: file.rows,
    costUsd: file.costUsd,
    costIncomplete: file.costIncomplete,
    phase: state.phase,
    waiting: state.waiting,
    unread: file.unread
  }
}
