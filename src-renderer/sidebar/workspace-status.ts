// Owns what a workspace's mark in the sidebar says: one word, the most pressing first. Pure.
import type { WorkspaceView } from '@common/contract/views'

export type WorkspaceStatus = 'waiting' | 'running' | 'unread' | 'idle'

export const STATUS_WORDS: Readonly<Record<WorkspaceStatus, string>> = {
  waiting: 'waits for you',
  running: 'running',
  unread: 'unread',
  idle: 'idle'
}

/** `selected` workspaces are being read, so they are never unread. */
export function statusOf(workspace: WorkspaceView, selected: boolean): WorkspaceStatus {
  if (workspace.waiting) return 'waiting'
  if (workspace.phase !== 'idle') return 'running'
  return workspace.unread && !selected ? 'unread' : 'idle'
}
