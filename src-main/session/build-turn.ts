// Owns what a turn is made of: its model, agent, system text, tools and policy, all fixed at its start.
// Reads; appends nothing and calls no provider.
import type { SessionEvent } from '@common/contract/events'
import type { SessionStatus } from '@common/contract/views'
import { budgetModeOf } from '@common/budget/budget-mode'
import { MAX_TOOL_RESULT_BYTES } from '@common/constants'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { pointOutSkills } from '../agents/point-out-skills'
import { offeredTools } from '../context/advertised-tools'
import { strategyFor } from '../context/strategy-for'
import type { DamageReport } from '../history/damage-report'
import { createPartialWriter } from '../history/partial-writer'
import type { ResolvedModel } from '../provider/provider-registry'
import { capOutput } from '../tools/cap-output'
import { agentAndModel, type TurnRefusal } from './agent-and-model'
import { callToolFor } from './call-tool'
import { carryOver } from './carry-over'
import { companyOf } from './input-company'
import { memoryUseOf } from './memory-use'
import { admitInput } from './admit-input'
import type { BudgetLatch } from './budget-latch'
import { routeTo, type RouteParts } from './model-route'
import type { People } from './people'
import { proveRecovery } from './prove-recovery'
import type { OpenedSession, SessionDeps } from './session-deps'
import { readableSkills, skillsOf } from './skills-of'
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
  /** The queue entry that the turn begins with; null for none. */
  readonly entryId: string | null
  readonly latch: BudgetLatch
  resetContext(): void
  tellOnce(message: string): void
}

/** Everything for one turn, or why it cannot begin: nothing was stored or sent then. */
export async function buildTurn(
  deps: SessionDeps,
  opened: OpenedSession,
  seams: TurnSeams
): Promise<Result<TurnContext, TurnRefusal>> {
  const { file } = opened.workspace
  if (!opened.projectReadable()) return err(refusal('project', projectMissing(file.projectPath)))
  const works = await agentAndModel(deps, opened)
  if (!works.ok) return works
  const { agent, model } = works.value
  const mode = budgetModeOf({ settings: deps.settings(), modelRef: model.ref, experiments: seams.experiments })
  if (mode.isTokenBudget && model.info.contextLimit === null)
    deps.log.warn('context-limit-unknown', { workspaceId: file.id, model: model.ref })
  const memoryUse = memoryUseOf(deps.settings(), agent.rules, mode)
  const system = { agentId: agent.id, prompt: agent.systemPrompt, encoding: model.info.encoding, memoryUse }
  const { projectId, projectPath } = file
  const skills = await skillsOf({ paths: deps.paths, settings: deps.settings(), projectId, projectPath })
  for (const problem of skills.problems) seams.tellOnce(problem)
  const pointable = readableSkills(skills.skills, agent.rules)
  const systemText = await windowSystem(deps, opened, system)
  const requestLog = requestLogOf(opened, seams)
  const offered = offeredTools(deps.tools.all, agent.rules)
  const routeParts = { systemText, offered, requestLog, onRetry: seams.onRetry }
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
    measuredFrom: file.measuredFrom,
    mayWriteNotes: memoryUse.access === 'on',
    latch: seams.latch,
    companyOf: (input, windowRows) =>
      companyOf(input, {
        windowRows,
        projectRoot: file.projectPath,
        seenFiles: opened.seenFiles,
        attachments: opened.attachments,
        skills: skills.skills,
        newId: deps.newId,
        now: () => deps.clock.now()
      }),
    carryOver: (windowRows) =>
      carryOver(deps, opened, { windowRows, encoding: model.info.encoding, abortSignal: seams.abortSignal }),
    freshSystem: () => freshSystem(deps, opened, system),
    recovery: () => proveRecovery(deps, opened, agent.rules),
    resetContext: seams.resetContext,
    tellOnce: seams.tellOnce,
    clock: deps.clock,
    abortSignal: seams.abortSignal,
    ...routeTo(deps, opened, model, { ...routeParts, threshold: mode.threshold }),
    nextRoute: nextRouteOf(deps, opened, { first: model, parts: routeParts, experiments: seams.experiments }),
    upcomingRequestSequence: () => opened.workspace.file.requestSequence + 1,
    priceOf: (modelRef) => deps.modelInfo(modelRef)?.price ?? null,
    newId: deps.newId,
    publish: seams.publish,
    requestLog,
    capResult: (result) => capOutput(result, opened.spill, MAX_TOOL_RESULT_BYTES),
    callTool: callToolFor(deps, opened, {
      ...seams,
      rules: agent.rules,
      skillFolders: skills.skills.map(({ folder }) => folder)
    }),
    pointOutSkills: (touched, windowRows) => pointOutSkills(touched, pointable, windowRows),
    async keepFile(bytes, mediaType) {
      const { sha256 } = await opened.attachments.put(bytes, mediaType)
      return `attachment:${sha256}`
    },
    queueWantsStepEnd: () => opened.queue.wantsStepEnd(),
    onStreaming: seams.onStreaming,
    onDamage: seams.onDamage,
    admitInput: (input) => admitInput(opened.queue, seams.entryId, input),
    async deliverStored(rows) {
      const stored = new Set(rows.map(({ id }) => id))
      for (const { id } of opened.queue.entries) if (stored.has(id)) await inputStored(id)
    },
    inputStored
  })

  async function inputStored(rowId: string): Promise<void> {
    const forgotten = await opened.queue.delivered(rowId)
    if (!forgotten.ok) deps.log.warn('queue-write-failed', { workspaceId: file.id, message: forgotten.error })
  }
}

interface RouteList {
  readonly first: ResolvedModel
  readonly parts: Omit<RouteParts, 'threshold'>
  readonly experiments: TurnSeams['experiments']
}

/** The models after the first, each once and in order; one that cannot be used is passed over. */
function nextRouteOf(
  deps: SessionDeps,
  opened: OpenedSession,
  { first, parts, experiments }: RouteList
): TurnContext['nextRoute'] {
  const left = [...new Set(first.info.fallbacks)].filter((ref) => ref !== first.ref)
  return async () => {
    for (let ref = left.shift(); ref !== undefined; ref = left.shift()) {
      const resolved = await deps.providers.resolve(ref)
      if (!resolved.ok) {
        deps.log.warn('fallback-not-usable', { workspaceId: opened.workspace.file.id, model: ref })
        continue
      }
      const { threshold } = budgetModeOf({ settings: deps.settings(), modelRef: ref, experiments })
      return routeTo(deps, opened, resolved.value, { ...parts, threshold })
    }
    return null
  }
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
