// Owns the bond between a turn and its tools: policy, approvals and live output for one call.
// What may run is decided in agents/, what it does in tools/; here they only meet.
import { setMaxListeners } from 'node:events'
import type { ToolRule } from '@common/agents/agent-schema'
import type { SessionEvent } from '@common/contract/events'
import type { ToolPart } from '@common/rows/row-schema'
import { executeTool } from '../agents/execute-tool'
import { historyOf } from './history-of'
import type { People } from './people'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { CalledTool } from './turn-context'
import { memoriesOf } from './window-memories'

export interface CallSeams {
  /** The agent's rules for this workspace. */
  readonly rules: readonly ToolRule[]
  /** Resolved folders of the skills in force. */
  readonly skillFolders: readonly string[]
  readonly abortSignal: AbortSignal
  readonly people: People
  publish(event: SessionEvent): void
}

/** Carries out the calls of one turn; each gets exactly one outcome. */
export function callToolFor(
  deps: SessionDeps,
  opened: OpenedSession,
  seams: CallSeams
): (call: ToolPart, rowId: string) => Promise<CalledTool> {
  const { abortSignal, people, publish } = seams
  // However many calls run side by side, each of them listens.
  setMaxListeners(0, abortSignal)
  return async ({ toolCallId, toolName, input }, rowId) => {
    const { file } = opened.workspace
    const settled = await executeTool(
      { toolCallId, toolName, rawInput: input },
      {
        tools: deps.tools,
        rules: seams.rules,
        mode: file.approvalMode,
        workspaceId: file.id,
        grants: file.grants,
        skillFolders: seams.skillFolders,
        clock: deps.clock,
        askApproval: (request) => people.askApproval(request, abortSignal),
        onFault: (fault) => deps.log.error('tool-broke', { toolName, error: String(fault) }),
        run: {
          projectRoot: file.projectPath,
          childEnv: deps.childEnv(),
          abortSignal,
          spill: opened.spill,
          memory: { access: deps.settings().memory, store: memoriesOf(deps, opened) },
          history: historyOf(deps, opened),
          seenFiles: opened.seenFiles,
          onOutput: (text) => publish({ type: 'tool-output', rowId, toolCallId, text }),
          ask: (question, options) => people.askQuestion({ toolCallId, question, options: [...options] }, abortSignal),
          onTodo: (todo) => publish({ type: 'todo-changed', todo: [...todo] })
        }
      }
    )
    const { grant, touched, ...outcome } = settled
    if (grant !== undefined) await opened.workspace.update(({ grants }) => ({ grants: [...grants, grant] }))
    return { settled: outcome, touched }
  }
}
