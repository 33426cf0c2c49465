// Owns the requests about turns: send, stop, retry, the queue, approvals, questions.
import { ok, err } from '@common/result'
import type { Result } from '@common/result'
import type { RequestFailure } from '@common/contract/bridge'
import type { AgentSession } from '../session/agent-session'
import type { AppServices } from './app-services'
import { failure } from './dispatch'
import type { Handlers } from './dispatch'
import { questionBefore } from '../session/question-before'
import { sessionOf } from './workspace-handlers'

type TurnRequests =
  | 'turn.send'
  | 'turn.interrupt'
  | 'turn.retry'
  | 'queue.edit'
  | 'queue.remove'
  | 'queue.move'
  | 'queue.send'
  | 'approval.answer'
  | 'question.answer'

export function turnHandlers(services: AppServices, newId: () => string): Pick<Handlers, TurnRequests> {
  async function onQueue(
    workspaceId: string,
    change: (session: AgentSession) => Promise<Result<void, string>>
  ): Promise<Result<Record<string, never>, RequestFailure>> {
    const session = await sessionOf(services, workspaceId)
    if (!session.ok) return session
    const changed = await change(session.value)
    return changed.ok ? ok({}) : err(failure('not-found', changed.error))
  }

  return {
    async 'turn.send'({ workspaceId, text, attachments, mode, confirmed, experiments }) {
      if (text.trim() === '' && attachments.length === 0)
        return err(failure('invalid-input', 'There is nothing to send.'))
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      if (attachments.length === 0 && confirmed !== true) {
        const question = await questionBefore(session.value, text)
        if (!question.ok) return question
        if (question.value !== null) return ok({ accepted: 'needs-confirmation', ...question.value })
      }
      const entryId = newId()
      const queuedAtMs = services.clock.now()
      const sent = await session.value.send({
        id: entryId,
        text,
        attachments,
        mode,
        source: 'person',
        ...(experiments === undefined ? {} : { experiments }),
        held: false,
        queuedAtMs
      })
      return sent.ok ? ok({ accepted: sent.value, entryId }) : err(failure('busy', sent.error))
    },
    async 'turn.interrupt'({ workspaceId }) {
      const session = await services.sessions.opened(workspaceId)
      await session?.interrupt()
      return ok({})
    },
    async 'turn.retry'({ workspaceId }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      return session.value.retry() ? ok({}) : err(failure('busy', 'A turn is under way; stop it first or wait.'))
    },
    'queue.edit': ({ workspaceId, entryId, text, mode }) =>
      onQueue(workspaceId, (session) => session.queue.edit(entryId, mode === undefined ? { text } : { text, mode })),
    'queue.remove': ({ workspaceId, entryId }) => onQueue(workspaceId, (session) => session.queue.remove(entryId)),
    'queue.move': ({ workspaceId, entryId, toIndex }) =>
      onQueue(workspaceId, (session) => session.queue.move(entryId, toIndex)),
    'queue.send': ({ workspaceId, entryId }) => onQueue(workspaceId, (session) => session.sendQueued(entryId)),
    async 'approval.answer'({ workspaceId, approvalId, answer }) {
      const session = await services.sessions.opened(workspaceId)
      return session?.people.answerApproval(approvalId, answer) === true
        ? ok({})
        : err(failure('not-found', 'That approval no longer waits; its turn was stopped or answered.'))
    },
    async 'question.answer'({ workspaceId, questionId, answer }) {
      const session = await services.sessions.opened(workspaceId)
      return session?.people.answerQuestion(questionId, answer) === true
        ? ok({})
        : err(failure('not-found', 'That question no longer waits; its turn was stopped or answered.'))
    }
  }
}
