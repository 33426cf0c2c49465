// Owns the interface of a context strategy: what happens when a window fills. The session owns the order
// of a turn and asks; a strategy answers with values and never appends, streams or publishes itself.
import type { StrategyId } from '@common/budget/budget-mode'
import type { BudgetPoints, ModelLimits } from '@common/budget/budget-points'
import type { BudgetDecision } from '@common/budget/evaluate-step-budget'
import type { UsageLedger } from '@common/budget/usage-ledger'
import type { ProviderFailure } from '@common/models/provider-failure'
import type { NewRow, Row, RowPart } from '@common/rows/row-schema'
import type { PreparedRequest, RequestRejection } from './prepare-request'

/** What a settled step left to be done before the next send; lives in memory alone. */
export type PendingBudget =
  | { readonly kind: 'rollover'; readonly rolloverId: string; readonly flushOpportunity: boolean }
  | { readonly kind: 'warning'; readonly warningId: string }

/** Whether a full window may be handled: `stays` failed in an earlier send and waits for the ceiling, `tried` in this one. */
export type WindowHandling = 'open' | 'stays' | 'tried'

/** A window that is not there yet, as it would begin now. */
export interface FreshWindow {
  /** Are the agent's notes in its system text? */
  readonly notesCarried: boolean
  /** Prepares the first request that these rows would give there. */
  prepare(rows: readonly Row[]): Promise<PreparedRequest | RequestRejection>
}

/** Can what a rollover seals be fetched back (G-3)? */
export type Recovery =
  | { readonly kind: 'possible' }
  /** The agent may not use the tool. */
  | { readonly kind: 'denied'; readonly message: string }
  /** The history could not be read this moment. */
  | { readonly kind: 'unreadable'; readonly message: string }

/** What a strategy knows of the moment before an input is sent. */
export interface BeforeSend {
  readonly windowId: string
  /** Rows of the active window, without the input. */
  readonly windowRows: readonly Row[]
  /** The input about to be sent; null for a turn that goes on without a new one. */
  readonly input: NewRow | null
  /** Rows that the input brings along, right before it: snapshots of files, notices. */
  readonly company: readonly NewRow[]
  /** PROVIDER_ID:MODEL_ID that will run, and its limits. */
  readonly model: string
  readonly limits: ModelLimits
  /** Null for an unknown limit. */
  readonly points: BudgetPoints | null
  readonly ledger: UsageLedger
  readonly pending: PendingBudget | null
  readonly handling: WindowHandling
  readonly mayWriteNotes: boolean
  readonly nowMs: number
  newId(): string
  /** Prepares the request that these rows would give: the one builder, nothing is sent or stored. */
  prepare(rows: readonly Row[]): Promise<PreparedRequest | RequestRejection>
  /** Tokens of a prepared request exactly; null when its encoder failed. */
  count(request: PreparedRequest): Promise<number | null>
  /** Tokens that these rows add to a request; null when they cannot be counted. */
  countRows(rows: readonly Row[]): Promise<number | null>
  freshWindow(): Promise<FreshWindow>
  recovery(): Promise<Recovery>
}

export type SendDecision =
  /** Append these rows, the input among them, in one batch; then send this request. */
  | {
      readonly kind: 'send'
      readonly rows: readonly NewRow[]
      readonly request: PreparedRequest
      /** Set where the window should have been handled and cannot: it runs to its ceiling, `why` told once. */
      readonly stays: { readonly why: string | null } | null
    }
  /** Reset what the window carries, append these rows (boundary first) in one batch, send this request. */
  | {
      readonly kind: 'rollover'
      readonly rows: readonly NewRow[]
      readonly request: PreparedRequest
      /** Something the person should know of it; null mostly. */
      readonly told: string | null
    }
  /** Summarise the window first, then ask again (C-2). */
  | { readonly kind: 'compact' }
  /** Nothing may be sent; the input is kept as a capsule (H-12). */
  | { readonly kind: 'blocked'; readonly block: ContextBlock }

/** Why a turn ended as `context_budget_blocked`: the reasons of the command line (60). */
export interface ContextBlock {
  readonly reason: 'fresh_request_too_large' | 'request_too_large' | 'history_access' | 'automatic_off' | 'hook'
  /** What happened, to what, what to do. */
  readonly message: string
}

/** A step after all its tools have settled and are on disk. */
export interface SettledStep {
  readonly windowId: string
  /** PROVIDER_ID:MODEL_ID that really streamed (a fallback, say), and its limits (M-2). */
  readonly model: string
  readonly limits: ModelLimits
  readonly points: BudgetPoints | null
  readonly ledger: UsageLedger
  readonly parts: readonly RowPart[]
  readonly isWarned: boolean
  /** The window should have rolled over and cannot (`SendDecision.stays`). */
  readonly stays: boolean
}

export type StepDecision =
  /**
   * Go on; stop here, the warning goes before the input with which the work carries on; stop here, the next send rolls
   * over.
   */
  | Exclude<BudgetDecision, { kind: 'block' }>
  /** Stop here; the next send compacts first. */
  | { readonly kind: 'compact'; readonly projected: number; readonly hardCeiling: number }
  /** Stop with all results kept; nothing is sent again by itself. */
  | { readonly kind: 'block'; readonly projected: number; readonly hardCeiling: number; readonly block: ContextBlock }

export type OverflowDecision =
  /** The failure stands. */
  { readonly kind: 'fail' } | Extract<SendDecision, { kind: 'rollover' }>

export interface ContextStrategy {
  readonly id: StrategyId
  /** Decides what an input is sent with. Asked once a turn, after admission. */
  beforeSend(moment: BeforeSend): Promise<SendDecision>
  /** Decides whether the turn takes another step. Awaited before anything else happens (M-1). */
  onStepSettled(step: SettledStep): Promise<StepDecision>
  /** The provider said that this turn's first request is too long. Input and company are stored rows here (P-7). */
  onOverflow(moment: BeforeSend, failure: ProviderFailure): Promise<OverflowDecision>
  /** What happens at the end of the window, for the meter and the countdown. */
  describe(): { readonly verb: 'rolls over' | 'compacts' }
}
