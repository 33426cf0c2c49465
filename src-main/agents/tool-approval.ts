// Owns asking a person for leave for one call, and checking afterwards that what they saw is still what would happen.
import { isDeepStrictEqual } from 'node:util'
import { describeGrant, type KnownGrant } from '@common/agents/workspace-grant'
import type { Result } from '@common/result'
import type { ApprovalAnswer, ApprovalRequest } from '@common/tools/approval'
import type { ToolOutcome, ToolTouch } from '../tools/tool-types'
import type { GateDecision } from './permission-gate'

export type Leave =
  | { readonly kind: 'given'; readonly grant: KnownGrant | null }
  | { readonly kind: 'refused'; readonly outcome: ToolOutcome<never> }

export interface LeaveSeams {
  readonly toolCallId: string
  readonly toolName: string
  readonly abortSignal: AbortSignal
  askApproval(request: Omit<ApprovalRequest, 'approvalId'>): Promise<ApprovalAnswer | null>
  touchAgain(): Promise<Result<ToolTouch, string>>
}

/** Waits for the person, or for the turn to be stopped, whichever comes first. */
export async function askLeave(
  decision: Extract<GateDecision, { kind: 'ask' }>,
  touch: ToolTouch,
  seams: LeaveSeams
): Promise<Leave> {
  const { toolName, toolCallId, abortSignal } = seams
  const answer = await untilAborted(
    seams.askApproval({
      toolCallId,
      toolName,
      subject: touch.subject,
      reason: decision.reason,
      workspaceGrant: decision.workspaceGrant === null ? null : describeGrant(decision.workspaceGrant)
    }),
    abortSignal
  )
  if (abortSignal.aborted)
    return refused({ kind: 'interrupted', message: `${toolName} did not run: stopped while it waited for approval.` })
  if (answer === null)
    return refused({
      kind: 'denied',
      message: `${toolName} needs approval and nobody is there to give it. ${decision.reason} ${ADVICE}`
    })
  if (answer.decision === 'deny') return refused({ kind: 'denied', message: denialWords(toolName, answer.message) })
  // A file may have changed, or a link been turned, while the question was open.
  const now = await seams.touchAgain()
  if (!now.ok) return refused({ kind: 'failed', message: now.error })
  if (!isDeepStrictEqual(now.value, touch))
    return refused({
      kind: 'failed',
      message: `${toolName} did not run: what it would touch changed after it was approved. Look at it again and repeat the call.`
    })
  return { kind: 'given', grant: answer.decision === 'workspace' ? decision.workspaceGrant : null }
}

const ADVICE = 'Do without it, or stop and say what you need.'

function denialWords(toolName: string, message: string | null): string {
  const said = message?.trim() ?? ''
  return said === ''
    ? `The person denied this call of ${toolName}. ${ADVICE}`
    : `The person denied this call of ${toolName} and says: ${said}`
}

function refused(outcome: ToolOutcome<never>): Leave {
  return { kind: 'refused', outcome }
}

async function untilAborted<T>(answer: Promise<T>, abortSignal: AbortSignal): Promise<T | null> {
  let onAbort = (): void => undefined
  const aborted = new Promise<null>((resolve) => {
    onAbort = () => resolve(null)
    abortSignal.addEventListener('abort', onAbort, { once: true })
    if (abortSignal.aborted) resolve(null)
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    abortSignal.removeEventListener('abort', onAbort)
  }
}
