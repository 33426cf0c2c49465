// Owns how many tokens a model may think, where the provider wants a number: never more than half of what it may
// put out in the call, so that thinking cannot eat the answer.
import type { ThinkingLevel } from '@common/settings/settings-schema'

/** Below this Anthropic refuses a budget (its documentation, 2026). */
export const MIN_THINKING_BUDGET_TOKENS = 1_024

/** What the levels mean where a number is asked for: a glance, a page, a long think. */
export const THINKING_BUDGET_TOKENS: Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>> = {
  low: 4_096,
  medium: 12_288,
  high: 24_576
}

/** Share of the output of a call that thinking may take. */
const THINKING_SHARE = 0.5

/** The budget cut to fit into `maxOutputTokens`, or null when too little is left to think at all. */
export function fitThinkingBudget(budgetTokens: number, maxOutputTokens: number | undefined): number | null {
  if (maxOutputTokens === undefined) return budgetTokens
  const fitted = Math.min(budgetTokens, Math.floor(maxOutputTokens * THINKING_SHARE))
  return fitted >= MIN_THINKING_BUDGET_TOKENS ? fitted : null
}
