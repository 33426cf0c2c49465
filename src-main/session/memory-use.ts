// Owns what memory means for one turn: whether its agent has it, may write it, and is given hot memories. Pure.
import type { ToolRule } from '@common/agents/agent-schema'
import { mayCallSometimes } from '@common/agents/tool-policy'
import type { Settings } from '@common/settings/settings-schema'

export interface MemoryUse {
  readonly access: Settings['memory']
  /** Are hot memories put into the system text? */
  readonly isPreloaded: boolean
}

/** An agent whose policy denies the memory tool is told of no memories either. */
export function memoryUseOf(settings: Pick<Settings, 'memory' | 'hotMemories'>, rules: readonly ToolRule[]): MemoryUse {
  const access = mayCallSometimes(rules, 'memory') ? settings.memory : 'off'
  return { access, isPreloaded: access !== 'off' && settings.hotMemories }
}

/** As workspace.json keeps it beside the frozen text. */
export function memoryUseKey({ access, isPreloaded }: MemoryUse): string {
  return isPreloaded ? `${access}, preloaded` : access
}

/** Does this key say that the text holds the window's hot memories? */
export function keyIsPreloaded(key: string | undefined): boolean {
  return key?.endsWith(', preloaded') === true
}
