// Owns which agent and which model a workspace works with now. Reads; changes nothing.
import type { Agent } from '@common/agents/agent-schema'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { loadAgents } from '../agents/agent-loader'
import type { ResolvedModel } from '../provider/provider-registry'
import type { OpenedSession, SessionDeps } from './session-deps'

export interface AgentAndModel {
  readonly agent: Agent
  readonly model: ResolvedModel
}

/** Why a turn cannot begin: nothing was stored or sent then. */
export interface TurnRefusal {
  readonly reason: string
  readonly message: string
}

/** The workspace's agent, and the model that it runs on: the agent's own, else the workspace's. */
export async function agentAndModel(
  deps: SessionDeps,
  opened: OpenedSession
): Promise<Result<AgentAndModel, TurnRefusal>> {
  const { file } = opened.workspace
  const project = deps.settings().projects.find((entry) => entry.id === file.projectId)
  const { agents } = await loadAgents({
    homeDir: deps.paths.agents,
    projectDir: file.projectPath,
    projectTrusted: project?.trusted === true,
    workspaceId: file.id
  })
  const agent = agents.find((candidate) => candidate.id === file.agentId)
  if (agent === undefined) {
    const message = `The agent “${file.agentId}” is not there any more. Choose another agent for this workspace.`
    return err({ reason: 'agent', message })
  }
  const resolved = await deps.providers.resolve(agent.model ?? file.model)
  if (resolved.ok) return ok({ agent, model: resolved.value })
  return err({ reason: resolved.error.kind === 'no_key' ? 'auth' : 'provider', message: resolved.error.message })
}
