// Owns the one decision about a window's budget (E-2), after a step and before a send. Pure.
import { WARNING_RESERVE_TOKENS } from '../constants'
import type { BudgetPoints } from './budget-points'

export interface BudgetMoment {
  /** Null for an unknown limit: nothing is decided then (G-2). */
  readonly points: BudgetPoints | null
  /** Tokens that the next request will hold; null when that is not known. */
  readonly projected: number | null
  /** Was the agent warned in this window already? */
  readonly isWarned: boolean
}

export type BudgetDecision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'warn'; readonly projected: number; readonly hardCeiling: number }
  | {
      readonly kind: 'rollover'
      readonly projected: number
      readonly hardCeiling: number
      /** Whether the notes could still be written. */
      readonly flushOpportunity: boolean
    }
  | { readonly kind: 'block'; readonly projected: number; readonly hardCeiling: number }

/** What the budget asks for; a rollover wins over a warning. At a point counts as over. */
export function evaluateStepBudget({ points, projected, isWarned }: BudgetMoment): BudgetDecision {
  if (points === null || projected === null) return { kind: 'continue' }
  const { hardCeiling, rolloverPoint, warningPoint } = points
  if (rolloverPoint === null)
    return projected >= hardCeiling ? { kind: 'block', projected, hardCeiling } : { kind: 'continue' }
  if (projected >= rolloverPoint)
    return { kind: 'rollover', projected, hardCeiling, flushOpportunity: projected < hardCeiling }
  if (warningPoint === null || projected < warningPoint || isWarned) return { kind: 'continue' }
  // A warning that does not fit helps nobody: then the window rolls over at once.
  return projected + WARNING_RESERVE_TOKENS < hardCeiling
    ? { kind: 'warn', projected, hardCeiling }
    : { kind: 'rollover', projected, hardCeiling, flushOpportunity: false }
}
