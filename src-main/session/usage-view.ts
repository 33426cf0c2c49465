// Owns what the meter is shown, from the one ledger. Pure.
import { type BudgetPoints, hardCeilingOf } from '@common/budget/budget-points'
import { projectedTokens } from '@common/budget/usage-ledger'
import type { UsageLedger } from '@common/budget/usage-ledger'
import type { UsageView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import type { TokenUsage } from '@common/rows/row-schema'
import type { ContextStrategy } from '../context/context-strategy'

/** What the meter marks on its scale. */
export interface MeterMarks {
  readonly points: BudgetPoints | null
  readonly strategy: Pick<ContextStrategy, 'describe'>
}

/** The window's fill: the last measured context plus what no request has sent yet. */
export function usageViewOf(
  ledger: UsageLedger,
  info: ModelInfo,
  { points, strategy, lastUsage }: MeterMarks & { readonly lastUsage: TokenUsage | null }
): UsageView {
  const { verb } = strategy.describe()
  return {
    windowId: ledger.windowId,
    model: info.ref,
    contextTokens: projectedTokens(ledger) ?? 0,
    maxTokens: info.contextLimit,
    hardCeiling: hardCeilingOf(info),
    rolloverPoint: points?.rolloverPoint ?? null,
    // Nobody is warned of a summary.
    warningPoint: verb === 'rolls over' ? (points?.warningPoint ?? null) : null,
    atEnd: (points?.rolloverPoint ?? null) === null ? 'stops' : verb,
    estimated: ledger.measuredTokens === null || ledger.tailEstimate > 0,
    lastUsage
  }
}
