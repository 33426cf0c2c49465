// Owns how a turn's end is put: outcome, reason and one sentence. Pure.
import type { ContextBlock } from '../context/context-strategy'
import type { HistoryError } from '../history/history-error'
import type { TurnEnd } from './turn-context'

export type TurnEndParts = Pick<TurnEnd, 'outcome'> & Partial<Pick<TurnEnd, 'reason' | 'message'>>

/** Where a turn stood when it ended. */
export interface TurnPlace {
  readonly windowId: string
  /** Provider requests made. */
  readonly requests: number
}

/** Reasons of a completed turn that stopped at a settled step: the work goes on with the next input. */
export const CONTINUING = { queued: 'queued_input', warning: 'budget_warning', rollover: 'budget_rollover' } as const

export const NOTHING_TO_SEND: TurnEndParts = {
  outcome: 'failed',
  reason: 'nothing_to_send',
  message: 'There is nothing here yet that could be sent again. Send a message.'
}

export function endOf({ windowId, requests }: TurnPlace, how: TurnEndParts): TurnEnd {
  return { reason: null, message: null, ...how, windowId, requests }
}

export function blockedEnd(block: ContextBlock): TurnEndParts {
  return { outcome: 'context_budget_blocked', reason: block.reason, message: block.message }
}

export function unrecordedEnd({ windowId, requests }: TurnPlace, error: HistoryError): TurnEnd {
  return { outcome: 'failed', reason: 'history', message: error.message, windowId, requests }
}

/** The answer reached the model's output limit. */
export function cutShortEnd(modelName: string): TurnEndParts {
  return {
    outcome: 'completed',
    reason: 'output_limit',
    message: `${modelName} reached its output limit, so the answer ends in the middle. Send “continue” to go on.`
  }
}
