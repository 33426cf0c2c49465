// Owns how a turn's end is put: outcome, reason and one sentence. Pure.
import type { ContextBlock } from '../context/context-strategy'
import type { HistoryError } from '../history/history-error'
import type { Compacted } from './compact-window'
import type { TurnEnd } from './turn-context'

export type TurnEndParts = Pick<TurnEnd, 'outcome'> & Partial<Pick<TurnEnd, 'reason' | 'message'>>

/** Where a turn stood when it ended. */
export interface TurnPlace {
  readonly windowId: string
  /** Provider requests made. */
  readonly requests: number
}

/** Reasons of a completed turn that stopped at a settled step: the work goes on with the next input. */
export const CONTINUING = {
  queued: 'queued_input',
  warning: 'budget_warning',
  rollover: 'budget_rollover',
  compaction: 'budget_compaction'
} as const

export const NOTHING_TO_SEND: TurnEndParts = {
  outcome: 'failed',
  reason: 'nothing_to_send',
  message: 'There is nothing here yet that could be sent again. Send a message.'
}

export const NOTHING_TO_COMPACT: TurnEndParts = {
  outcome: 'failed',
  reason: 'nothing_to_compact',
  message: 'There is nothing in this window yet that could be summarised.'
}

/** How a turn ends that was a compaction and nothing else. */
export function compactionEnd(place: TurnPlace, compacted: Compacted): TurnEnd {
  switch (compacted.kind) {
    case 'compacted':
      return endOf(place, { outcome: 'completed' })
    case 'interrupted':
      return endOf(place, { outcome: 'interrupted' })
    case 'refused':
      return endOf(place, { outcome: 'failed', reason: compacted.reason, message: compacted.message })
    case 'unrecorded':
      return unrecordedEnd(place, compacted.error)
  }
}

export const NOT_SENT_AGAIN: TurnEndParts = {
  ...NOTHING_TO_SEND,
  message: 'The last message was not sent and is not tried again as it is. Edit it, or send another one.'
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
