// Owns what a turn knows of itself while it runs: its window, rows, ledger and requests. Changed by run-turn's parts.
import { invalidate, type UsageLedger } from '@common/budget/usage-ledger'
import type { NewRow, Row } from '@common/rows/row-schema'
import type { WindowHandling } from '../context/context-strategy'
import { isWarned } from '../context/budget-warning'
import type { TurnContext } from './turn-context'
import type { FreshSystem } from './window-system'

export interface Progress {
  readonly startedAtMs: number
  windowId: string
  /** Rows of the window so far, the input and closed answer rows included. */
  rows: Row[]
  ledger: UsageLedger
  requests: number
  /** What the turn was asked, as it was stored; for the one retry in a fresh window (P-7). */
  sent: SentInput
  /** The provider found a request too long, and the one other try was made (P-7, K-4). */
  retriedTooLong: boolean
  /** `tried` once this turn compacted, or could not. */
  handling: WindowHandling
}

export interface SentInput {
  /** Rows of the window before the input. */
  readonly before: readonly Row[]
  readonly company: readonly NewRow[]
  readonly input: NewRow | null
}

/** The turn, counting its provider requests. */
export function countingRequests(turn: TurnContext, progress: { requests: number }): TurnContext {
  return {
    ...turn,
    model: (onAttempt) =>
      turn.model((requestSequence) => {
        progress.requests++
        onAttempt(requestSequence)
      })
  }
}

/** Was this window warned, on disk or by a claim? */
export function wasWarned(turn: TurnContext, { windowId, rows }: Progress): boolean {
  return turn.latch.isClaimed(windowId) || isWarned(rows)
}

interface Entered {
  /** Boundary, lead-in, company, input, as they were stored. */
  readonly stored: Row[]
  readonly fresh: FreshSystem | null
  readonly told: string | null
}

/** The turn as it goes on in the fresh window that was just begun. */
export function enterFreshWindow(turn: TurnContext, progress: Progress, { stored, fresh, told }: Entered): TurnContext {
  if (told !== null) turn.tellOnce(told)
  progress.windowId = turn.history.currentWindowId
  progress.rows = stored
  progress.ledger = invalidate(progress.windowId, turn.modelRef)
  progress.sent = { before: stored.slice(0, 2), company: stored.slice(2, -1), input: stored.at(-1) ?? null }
  return fresh === null ? turn : { ...turn, settings: { ...turn.settings, systemText: fresh.text } }
}
