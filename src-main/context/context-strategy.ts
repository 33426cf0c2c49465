// Owns the interface of a context strategy: what happens when a window fills. The session owns the order
// of a turn and asks; a strategy answers with values and never appends, streams or publishes itself.
import type { UsageLedger } from '@common/budget/usage-ledger'
import type { ModelLimits } from '@common/budget/budget-points'
import type { NewRow, Row, RowPart } from '@common/rows/row-schema'
import type { ProviderFailure } from '@common/models/provider-failure'
import type { PreparedRequest, RequestRejection } from './prepare-request'

/** What a strategy knows of the moment before an input is sent. */
export interface BeforeSend {
  readonly windowId: string
  /** Rows of the active window, without the input. */
  readonly windowRows: readonly Row[]
  /** The input about to be sent; null for a turn that goes on without a new one. */
  readonly input: NewRow | null
  readonly model: string
  readonly limits: ModelLimits
  readonly ledger: UsageLedger
  /** Prepares the request that these rows would give: the one builder, nothing is sent or stored. */
  prepare(rows: readonly Row[]): Promise<PreparedRequest | RequestRejection>
}

export type SendDecision =
  /** Append these rows, the input among them, in one batch; then send this request. */
  | { readonly kind: 'send'; readonly rows: readonly NewRow[]; readonly request: PreparedRequest }
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
  readonly ledger: UsageLedger
  readonly parts: readonly RowPart[]
}

export type StepDecision =
  | { readonly kind: 'continue' }
  /** Stop with all results kept; nothing is sent again by itself. */
  | { readonly kind: 'block'; readonly projected: number; readonly hardCeiling: number; readonly block: ContextBlock }

export type OverflowDecision =
  /** The failure stands. */
  { readonly kind: 'fail' }

export interface ContextStrategy {
  readonly id: 'whole-window' | 'summarise' | 'continuous' | 'token-budget'
  /** Decides what an input is sent with. Asked once a turn, after admission. */
  beforeSend(moment: BeforeSend): Promise<SendDecision>
  /** Decides whether the turn takes another step. Awaited before anything else happens (M-1). */
  onStepSettled(step: SettledStep): Promise<StepDecision>
  /** The provider said that the request is too long, and nothing was streamed. */
  onOverflow(failure: ProviderFailure): Promise<OverflowDecision>
  /** What happens at the end of the window, for the composer: null when nothing will. */
  describe(): { readonly verb: 'rolls over' | 'compacts' | 'stops' }
}
