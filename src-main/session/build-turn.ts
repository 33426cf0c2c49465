// Owns what a turn is made of: its model, agent, system text, tools and policy, all fixed at its start.
// Reads; appends nothing and calls no provider.
import type { SessionEvent } from '@common/contract/events'
import type { SessionStatus } from '@common/contract/views'
import { budgetModeOf } from '@common/budget/budget-mode'
import { budgetPointsOf } from '@common/budget/budget-points'
import { MAX_TOOL_RESULT_BYTES } from '@common/constants'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { loadAgents } from '../agents/agent-loader'
import { countRequest } from '../context/count-request'
import { advertisedTools } from '../context/advertised-tools'
import { strategyFor } from '../context/strategy-for'
import type { DamageReport } from '../history/damage-report'
import { createPartialWriter } from '../history/partial-writer'
import { withRetry } from '../provider/retry'
import { capOutput } from '../tools/cap-output'
import { callToolFor } from './call-tool'
import { companyOf } from './input-company'
import { memoryUseOf } from './memory-use'
import type { BudgetLatch } from './budget-latch'
import type { People } from './people'
import { proveRecovery } from './prove-recovery'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { TurnContext } from './turn-context'
import { freshSystem, windowSystem } from './window-system'

export interface TurnSeams {
  readonly abortSignal: AbortSignal
  readonly people: People
  publish(event: SessionEvent): void
  onStreaming(): void
  /** Told what a reader of the window found damaged. */
  onDamage(report: DamageReport): void
  onRetry(retry: SessionStatus['retry']): void
  /** What this send says of experiments (G-1). */
  readonly experiments: Readonly<Record<string, boolean>> | undefined
  readonly latch: BudgetLatch
  resetContext(): void
  tellOnce(message: string): void
}

export interface TurnRefusal {
  readonly reason: string
  readonly message: string
}

/** Everything for one turn, or why it cannot begin: nothing was stored or sent then. */
export async function buildTurn(
  deps: SessionDeps,
  opened: OpenedSession,
  seams: TurnSeams
): Promise<Result<TurnContext, TurnRefusal>> {
  const { file } = opened.workspace
  if (!opened.projectReadable()) return err(refusal('project', projectMissing(file.projectPath)))
  const project = deps.settings().projects.find((entry) => entry.id === file.projectId)
  const { agents } = await loadAgents({
    homeDir: deps.paths.agents,
    projectDir: file.projectPath,
    projectTrusted: project?.trusted === true,
    workspaceId: file.id
  })
  const agent = agents.find((candidate) => candidate.id === file.agentId)
  if (agent === undefined) {
    return err(
      refusal('agent', `The agent “${file.agentId}” is not there any more. Choose another agent for this workspace.`)
    )
  }
  const resolved = await deps.providers.resolve(agent.model ?? file.model)
  if (!resolved.ok) return err(refusal(resolved.error.kind === 'no_key' ? 'auth' : 'provider', resolved.error.message))
  const model = resolved.value
  const mode = budgetModeOf({ settings: deps.settings(), modelRef: model.ref, experiments: seams.experiments })
  if (mode.isTokenBudget && model.info.contextLimit === null)
    deps.log.warn('context-limit-unknown', { workspaceId: file.id, model: model.ref })
  const memoryUse = memoryUseOf(deps.settings(), agent.rules)
  const system = { agentId: agent.id, prompt: agent.systemPrompt, encoding: model.info.encoding, memoryUse }
  const systemText = await windowSystem(deps, opened, system)
  const requestLog = requestLogOf(opened, seams)
  // A crash may have kept the number of the last request from workspace.json; the log has it.
  opened.workspace.raiseRequestSequence(opened.requests.lastRequestSequence())
  return ok({
    workspaceId: file.id,
    agentId: agent.id,
    history: opened.history,
    partial: createPartialWriter({
      store: opened.history,
      clock: deps.clock,
      onError: (error) => deps.log.warn('partial-write-failed', { workspaceId: file.id, message: error.message })
    }),
    strategy: strategyFor(mode),
    points: budgetPointsOf(model.info, mode.threshold),
    measuredFrom: file.measuredFrom,
    mayWriteNotes: memoryUse.access === 'on',
    latch: seams.latch,
    companyOf: (input, windowRows) =>
      companyOf(input, {
        windowRows,
        projectRoot: file.projectPath,
        seenFiles: opened.seenFiles,
        attachments: opened.attachments,
        newId: deps.newId,
        now: () => deps.clock.now()
      }),
    freshSystem: () => freshSystem(deps, opened, system),
    recovery: () => proveRecovery(deps, opened, agent.rules),
    resetContext: seams.resetContext,
    tellOnce: seams.tellOnce,
    clock: deps.clock,
    abortSignal: seams.abortSignal,
    info: model.info,
    modelRef: model.ref,
    providerName: model.providerName,
    settings: {
      modelRef: model.ref,
      limits: model.info,
      providerOptions: model.providerOptions(file.thinkingLevel, file.id),
      supportsCacheMarks: model.supportsCacheMarks,
      systemText,
      tools: advertisedTools(deps.tools.all, agent.rules),
      loadAttachment: (part) => opened.attachments.read(part),
      async countTokens(prompt, tools) {
        const count = await countRequest(
          { prompt, tools: [...tools] },
          { encoding: model.info.encoding, counter: deps.counter }
        )
        return count.ok
          ? { kind: 'counted', tokens: count.value.tokens }
          : { kind: 'failed', message: count.error.message }
      }
    },
    newId: deps.newId,
    publish: seams.publish,
    model(onAttempt) {
      let requestSequence = 0
      return withRetry(model.model, {
        clock: deps.clock,
        random: Math.random,
        classify: model.classify,
        onAttempt() {
          seams.onRetry(null)
          requestSequence = opened.workspace.nextRequestSequence()
          onAttempt(requestSequence)
        },
        onRetry({ attempt, delayMs, failure }) {
          requestLog.settled(requestSequence, { outcome: 'failed', failure: failure.kind })
          seams.onRetry({ attempt, retryAtMs: deps.clock.now() + delayMs, failure })
        }
      })
    },
    requestLog,
    classify: model.classify,
    capResult: (result) => capOutput(result, opened.spill, MAX_TOOL_RESULT_BYTES),
    callTool: callToolFor(deps, opened, { ...seams, rules: agent.rules }),
    async keepFile(bytes, mediaType) {
      const { sha256 } = await opened.attachments.put(bytes, mediaType)
      return `attachment:${sha256}`
    },
    queueWantsStepEnd: () => opened.queue.wantsStepEnd(),
    onStreaming: seams.onStreaming,
    onDamage: seams.onDamage,
    async inputStored(rowId) {
      const forgotten = await opened.queue.delivered(rowId)
      if (!forgotten.ok) deps.log.warn('queue-write-failed', { workspaceId: file.id, message: forgotten.error })
    }
  })
}

function requestLogOf({ requests }: OpenedSession, { tellOnce }: TurnSeams): TurnContext['requestLog'] {
  const tell = (problem: string | null): void => {
    if (problem !== null) tellOnce(problem)
  }
  return {
    keepParts: (request) => requests.keepParts(request),
    attempt: (sent) => tell(requests.attempt(sent)),
    settled: (requestSequence, ending) => tell(requests.settled(requestSequence, ending))
  }
}

function refusal(reason: string, message: string): TurnRefusal {
  return { reason, message }
}

function projectMissing(path: string): string {
  return `The project folder ${path} is not there or cannot be read. Point the workspace to where it is now.`
}
