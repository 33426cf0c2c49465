// Owns what the meter is shown, from the one ledger. Pure.
import { hardCeilingOf } from '@common/budget/budget-points'
import { projectedTokens } from '@common/budget/usage-ledger'
import type { UsageLedger } from '@common/budget/usage-ledger'
import type { UsageView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import type { TokenUsage } from '@common/rows/row-schema'

/** The window's fill: the last measured context plus what no request has sent yet. */
export function usageViewOf(ledger: UsageLedger, info: ModelInfo, lastUsage: TokenUsage | null): UsageView {
  return {
    windowId: ledger.windowId,
    model: info.ref,
    contextTokens: projectedTokens(ledger) ?? 0,
    maxTokens: info.contextLimit,
    hardCeiling: hardCeilingOf(info),
    estimated: ledger.measuredTokens === null || ledger.tailEstimate > 0,
    lastUsage
  }
}
