// Owns in which state a tool card is: from the stored part and, while its row is live, from what waits. Pure.
import type { ToolPart } from '@common/rows/row-schema'
import type { ApprovalRequest, QuestionRequest } from '@common/tools/approval'
import { fieldOf, numberField } from './tool-fields'

export type ToolCardState =
  | 'running'
  /** Waits for the person to allow or deny it. */
  | 'asking'
  /** Waits for the person to answer its question. */
  | 'question'
  | 'done'
  /** Ran to its end and says that it did not work: an exit code, a time-out. */
  | 'failed'
  | 'error'
  | 'denied'
  | 'interrupted'
  /** Neither settled nor running: the app ended before it did. */
  | 'unfinished'

export interface ToolLive {
  readonly approval: ApprovalRequest | null
  readonly question: QuestionRequest | null
  /** Output so far. */
  readonly output: string
}

/** The state of a card; `live` is null when its row does not stream. */
export function toolCardState(part: ToolPart, live: ToolLive | null): ToolCardState {
  switch (part.state) {
    case 'input-available':
      if (live === null) return 'unfinished'
      if (live.approval !== null) return 'asking'
      return live.question === null ? 'running' : 'question'
    case 'output-available':
      return saysFailure(part.output) ? 'failed' : 'done'
    case 'output-error':
      return 'error'
    case 'output-denied':
      return 'denied'
    case 'interrupted':
      return 'interrupted'
  }
}

/** What the state is called, for those who do not see its sign. */
export const STATE_WORDS: Record<ToolCardState, string> = {
  running: 'running',
  asking: 'waits for your approval',
  question: 'waits for your answer',
  done: 'done',
  failed: 'failed',
  error: 'error',
  denied: 'denied',
  interrupted: 'interrupted',
  unfinished: 'not finished'
}

function saysFailure(output: unknown): boolean {
  if (fieldOf(output, 'timed_out') === true) return true
  const exitCode = numberField(output, 'exit_code')
  if (exitCode !== null) return exitCode !== 0
  return typeof fieldOf(output, 'error') === 'string'
}
