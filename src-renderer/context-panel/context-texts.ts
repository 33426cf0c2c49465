// Owns the numbers and words of the context panel. Pure.
import type { UsageView, WorkspaceView } from '@common/contract/views'
import { contextTokensOf } from '@common/budget/usage'
import { costText } from '../ui/format'

/** `18,240`: digits in groups, the same in every language of the interface. */
export function wholeTokensText(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US')
}

/** Share of a limit in whole per cent; null when the limit is unknown. */
export function shareOf(tokens: number, limit: number | null): number | null {
  return limit === null || limit <= 0 ? null : Math.min(100, Math.round((tokens / limit) * 100))
}

/** Input tokens that the provider had in its cache, in per cent of all input; null before a request. */
export function cacheShareOf(usage: UsageView): number | null {
  if (usage.lastUsage === null) return null
  const all = contextTokensOf(usage.lastUsage)
  return all === 0 ? null : Math.round((usage.lastUsage.cacheReadTokens / all) * 100)
}

/** What the workspace cost so far; null when nothing has a price. */
export function workspaceCostText(workspace: WorkspaceView): string | null {
  if (workspace.costUsd === 0) return workspace.costIncomplete ? 'no price known' : null
  const amount = costText(workspace.costUsd)
  return workspace.costIncomplete ? `at least ${amount}` : amount
}
