// Owns the proof that a sealed window can be read back (G-3): the agent's own policy lets it, and the history answers.
import type { ToolRule } from '@common/agents/agent-schema'
import { mayCallSometimes } from '@common/agents/tool-policy'
import type { Recovery } from '../context/context-strategy'
import { callSessionHistory } from '../history-search/session-history'
import { historyOf } from './history-of'
import type { OpenedSession, SessionDeps } from './session-deps'

const TOOL = 'session_history'

/** Reads as the agent would, with the tool's own bounds; seals and widens nothing. */
export async function proveRecovery(
  deps: SessionDeps,
  opened: OpenedSession,
  rules: readonly ToolRule[]
): Promise<Recovery> {
  if (!mayCallSometimes(rules, TOOL)) {
    return {
      kind: 'denied',
      message: `The context window is full and this agent may not use ${TOOL}, so a fresh window would lose what was said. Allow ${TOOL} for the agent, or begin a fresh window yourself with /clear --soft.`
    }
  }
  const listed = await callSessionHistory(historyOf(deps, opened), { action: 'list_windows', limit: 1 }, 'agent')
  return listed.ok ? { kind: 'possible' } : { kind: 'unreadable', message: listed.error.message }
}
