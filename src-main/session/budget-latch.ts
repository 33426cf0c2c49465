// Owns what the budget owes a workspace until its next send (M-3, M-4): a rollover or a warning that a settled step
// asked for, and which window was warned or must go on as it is. In memory alone: after a restart history decides.
import type { PendingBudget } from '../context/context-strategy'

export class BudgetLatch {
  #pending: (PendingBudget & { readonly windowId: string }) | null = null
  #warnedWindow: string | null = null
  #staying: { readonly windowId: string; readonly modelRef: string } | null = null

  /** What is owed to this window. Another one owes nothing: whoever began it, the append that seemed to fail too. */
  pendingIn(windowId: string): PendingBudget | null {
    return this.#pending?.windowId === windowId ? this.#pending : null
  }

  /** A settled step asked for a rollover of this window. */
  owesRollover(windowId: string, rolloverId: string, flushOpportunity: boolean): void {
    this.#pending = { kind: 'rollover', windowId, rolloverId, flushOpportunity }
  }

  /** A settled step asked for a warning; no second one is claimed for this window. */
  owesWarning(windowId: string, warningId: string): void {
    this.#warnedWindow = windowId
    this.#pending = { kind: 'warning', windowId, warningId }
  }

  /** True once a warning was claimed for this window. */
  isClaimed(windowId: string): boolean {
    return this.#warnedWindow === windowId
  }

  /** This window should be handled and cannot, with this model; it runs to its ceiling. */
  keep(windowId: string, modelRef: string): void {
    this.#staying = { windowId, modelRef }
  }

  stays(windowId: string, modelRef: string): boolean {
    return this.#staying?.windowId === windowId && this.#staying.modelRef === modelRef
  }

  /** The window may be handled again. */
  release(): void {
    this.#staying = null
  }

  /** What was owed is in the history. */
  paid(): void {
    this.#pending = null
  }

  /** Superseded by the person or by an edit: nothing is owed, nothing claimed. */
  clear(): void {
    this.#pending = null
    this.#warnedWindow = null
    this.#staying = null
  }
}
