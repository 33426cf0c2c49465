// Owns what the budget owes a workspace until its next send (M-3, M-4): a rollover or a warning that a settled step
// asked for, and which window was warned or must go on as it is. In memory alone: after a restart history decides.
import type { PendingBudget } from '../context/context-strategy'

export class BudgetLatch {
  #pending: PendingBudget | null = null
  #warnedWindow: string | null = null
  #stayingWindow: string | null = null

  get pending(): PendingBudget | null {
    return this.#pending
  }

  /** A settled step asked for a rollover of the window in force. */
  owesRollover(rolloverId: string, flushOpportunity: boolean): void {
    this.#pending = { kind: 'rollover', rolloverId, flushOpportunity }
  }

  /** A settled step asked for a warning; no second one is claimed for this window. */
  owesWarning(windowId: string, warningId: string): void {
    this.#warnedWindow = windowId
    this.#pending = { kind: 'warning', warningId }
  }

  /** True once a warning was claimed for this window. */
  isClaimed(windowId: string): boolean {
    return this.#warnedWindow === windowId
  }

  /** This window should roll over and cannot; it runs to its ceiling. */
  keep(windowId: string): void {
    this.#stayingWindow = windowId
  }

  stays(windowId: string): boolean {
    return this.#stayingWindow === windowId
  }

  /** What was owed is in the history. */
  paid(): void {
    this.#pending = null
  }

  /** Superseded by the person or by an edit: nothing is owed, nothing claimed. */
  clear(): void {
    this.#pending = null
    this.#warnedWindow = null
    this.#stayingWindow = null
  }
}
