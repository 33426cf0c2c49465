// Owns the bond between a turn and its tools: policy, approvals and live output for one call.
// What may run is decided in agents/, what it does in tools/; here they only meet.
import type { Agent } from '@common/agents/agent-schema'
import type { SessionEvent } from '@common/contract/events'
import type { ToolPart } from '@common/rows/row-schema'
import { executeTool } from '../agents/execute-tool'
import type { People } from './people'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { SettledCall } from './turn-context'

export interface CallSeams {
  readonly agent: Agent
  readonly abortSignal: AbortSignal
  readonly people: People
  publish(event: SessionEvent): void
}
