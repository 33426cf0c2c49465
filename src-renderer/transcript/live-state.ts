// Owns what a live row shows beside its parts: running output, and what waits for the person. By tool call.
import type { ApprovalRequest, QuestionRequest } from '@common/tools/approval'

export interface LiveState {
  readonly approvals: readonly ApprovalRequest[]
  readonly questions: readonly QuestionRequest[]
  /** Output of running tools so far, by tool call. */
  readonly toolOutputs: Readonly<Record<string, string>>
}

export const NO_LIVE_STATE: LiveState = { approvals: [], questions: [], toolOutputs: {} }
