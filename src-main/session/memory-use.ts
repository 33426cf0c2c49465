// Owns what memory means for one turn: whether its agent has it, may write it, and is given hot memories and its own
// notes. Pure.
import type { ToolRule } from '@common/agents/agent-schema'
import { mayCallSometimes } from '@common/agents/tool-policy'
import type { BudgetMode } from '@common/budget/budget-mode'
import type { Settings } from '@common/settings/settings-schema'
import type { FrozenMemories, FrozenSystem } from './workspace-file'

export interface MemoryUse {
  readonly access: Settings['memory']
  /** Are hot memories put into the system text? */
  readonly isPreloaded: boolean
  /** Do token-budget windows give the notes a place of their own (N-1, N-2)? False where memory is off. */
  readonly hasNotes: boolean
}

/** An agent whose policy denies the memory tool is told of no memories either. */
export function memoryUseOf(
  settings: Pick<Settings, 'memory' | 'hotMemories'>,
  rules: readonly ToolRule[],
  { isTokenBudget }: Pick<BudgetMode, 'isTokenBudget'>
): MemoryUse {
  const access = mayCallSometimes(rules, 'memory') ? settings.memory : 'off'
  const isOn = access !== 'off'
  return { access, isPreloaded: isOn && settings.hotMemories, hasNotes: isOn && isTokenBudget }
}

const PRELOADED = 'preloaded'
const NOTES = 'notes'

/** As workspace.json keeps it beside the frozen text. */
export function memoryUseKey({ access, isPreloaded, hasNotes }: MemoryUse): string {
  return [access, ...(isPreloaded ? [PRELOADED] : []), ...(hasNotes ? [NOTES] : [])].join(', ')
}

/** What the frozen text holds of the window's memories and notes, by its own key; null where it holds none. */
export function memoriesInText(frozen: FrozenSystem): FrozenMemories | null {
  const words = frozen.memoryUse?.split(', ') ?? []
  const { memories } = frozen
  if (!words.includes(PRELOADED) || memories === null || memories === undefined) return null
  return words.includes(NOTES) ? memories : { ...memories, notes: null }
}
