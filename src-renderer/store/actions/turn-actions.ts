// Owns what a person does within a conversation: send, stop, retry, queue, answer.
import type { AttachmentReference, QueueMode } from '@common/contract/views'
import type { SendAnswer } from '@common/contract/window-views'
import type { ApprovalAnswer } from '@common/tools/approval'
import type { App } from '../app-store'
import { ask } from './report'

export interface Outgoing {
  readonly text: string
  readonly attachments: readonly AttachmentReference[]
  readonly mode: QueueMode
  /** The person agreed to what the text cuts. */
  readonly confirmed?: boolean
}

/** Sends, or queues while a turn runs; null when main refused. Once it is accepted the text may leave the composer. */
export function sendInput(app: App, workspaceId: string, input: Outgoing): Promise<SendAnswer | null> {
  return ask(app, 'turn.send', { workspaceId, ...input, attachments: [...input.attachments] })
}

/** Stops the running turn. */
export async function interruptTurn(app: App, workspaceId: string): Promise<void> {
  await ask(app, 'turn.interrupt', { workspaceId })
}

/** Sends the last turn's input again. */
export async function retryTurn(app: App, workspaceId: string): Promise<void> {
  await ask(app, 'turn.retry', { workspaceId })
}

/** Changes a queued text; true when it is stored. */
export async function editQueued(app: App, workspaceId: string, entryId: string, text: string): Promise<boolean> {
  return (await ask(app, 'queue.edit', { workspaceId, entryId, text })) !== null
}

/** Changes when a queued entry is sent. */
export async function setQueuedMode(
  app: App,
  workspaceId: string,
  entry: { readonly id: string; readonly text: string },
  mode: QueueMode
): Promise<void> {
  await ask(app, 'queue.edit', { workspaceId, entryId: entry.id, text: entry.text, mode })
}

export async function removeQueued(app: App, workspaceId: string, entryId: string): Promise<void> {
  await ask(app, 'queue.remove', { workspaceId, entryId })
}

export async function moveQueued(app: App, workspaceId: string, entryId: string, toIndex: number): Promise<void> {
  await ask(app, 'queue.move', { workspaceId, entryId, toIndex })
}

/** Sends a held entry, or this one now. */
export async function sendQueued(app: App, workspaceId: string, entryId: string): Promise<void> {
  await ask(app, 'queue.send', { workspaceId, entryId })
}

export async function answerApproval(
  app: App,
  workspaceId: string,
  approvalId: string,
  answer: ApprovalAnswer
): Promise<void> {
  await ask(app, 'approval.answer', { workspaceId, approvalId, answer })
}

/** Answers a question of the agent; null declines it. */
export async function answerQuestion(
  app: App,
  workspaceId: string,
  questionId: string,
  answer: string | null
): Promise<void> {
  await ask(app, 'question.answer', { workspaceId, questionId, answer })
}
