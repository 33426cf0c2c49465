// Owns which strategy a send runs with (G-1, G-5), decided once at its admission. Continuous compaction will stand
// before the token budget here when it comes (G-2).
import type { BudgetMode } from '@common/budget/budget-mode'
import type { ContextStrategy } from './context-strategy'
import { summariseStrategy } from './summarise-strategy'
import { tokenBudgetStrategy } from './token-budget-strategy'

export function strategyFor({ isTokenBudget }: BudgetMode): ContextStrategy {
  return isTokenBudget ? tokenBudgetStrategy : summariseStrategy
}
