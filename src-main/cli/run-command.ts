// Owns `tidemark run`: one turn of the same agent as in the app, its events as they come, its outcome at the end.
import { isatty } from 'node:tty'
import type { ApprovalMode } from '@common/settings/settings-schema'
import type { Settings } from '@common/settings/settings-schema'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import type { App } from '../create-app'
import type { AgentSession } from '../session/agent-session'
import { openProject } from '../session/projects'
import { parseCommand } from './arguments'
import { checkWorkspace, openApp } from './command-context'
import type { CommandContext } from './command-context'
import { usageError } from './output'
import { readInput } from './read-input'
import { watchTurn } from './watch-turn'
import { callerPath } from './arguments'

const OPTIONS = {
  project: { type: 'string' },
  workspace: { type: 'string' },
  model: { type: 'string' },
  agent: { type: 'string' },
  approve: { type: 'string' },
  experiment: { type: 'string', multiple: true },
  'no-experiment': { type: 'string', multiple: true },
  threshold: { type: 'string' },
  memory: { type: 'string' },
  attach: { type: 'string', multiple: true },
  prompt: { type: 'string' },
  'prompt-file': { type: 'string' },
  json: { type: 'boolean' }
} as const

const APPROVE: Readonly<Record<string, ApprovalMode>> = { ask: 'ask', edits: 'accept-edits', auto: 'auto' }

type Wrong = { readonly reason: string; readonly message: string }

interface RunFlags {
  readonly project?: string | undefined
  readonly workspace?: string | undefined
  readonly model?: string | undefined
  readonly agent?: string | undefined
  readonly approve?: string | undefined
}

export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  const parsed = parseCommand(args, OPTIONS)
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const { values, positionals } = parsed.value
  if (positionals.length > 0) return usageError(output, 'arguments', `“${positionals[0]}” belongs to no flag.`)
  const override = overrideOf(values)
  if (!override.ok) return usageError(output, override.error.reason, override.error.message)
  const input = await readInput(values, context.environment)
  if (!input.ok) return usageError(output, input.error.reason, input.error.message)

  const terminal = !output.json && isatty(0) && isatty(2)
  const app = await openApp(context, { personPresent: terminal, settingsOverride: override.value })
  try {
    const session = await chooseSession(app, values, context)
    if (!session.ok) return usageError(output, session.error.reason, session.error.message)
    if (!terminal && session.value.view.approvalMode === 'ask') {
      output.note(
        'tidemark: nobody can answer here, so what would ask is denied; use --approve edits or --approve auto.'
      )
    }
    return await watchTurn(session.value, input.value, context, terminal)
  } finally {
    await app.close()
  }
}

/** Settings that the flags change for this process alone. */
function overrideOf(values: {
  threshold?: string | undefined
  memory?: string | undefined
  experiment?: string[] | undefined
  'no-experiment'?: string[] | undefined
  approve?: string | undefined
}): Result<Partial<Settings>, Wrong> {
  if (values.approve !== undefined && !Object.hasOwn(APPROVE, values.approve)) {
    return err({ reason: 'approve', message: `--approve takes ask, edits or auto, not “${values.approve}”.` })
  }
  const override: Partial<Settings> = {}
  if (values.threshold !== undefined) {
    const threshold = Number(values.threshold)
    if (!Number.isFinite(threshold) || threshold < 0.2) {
      return err({
        reason: 'threshold',
        message: '--threshold takes a number from 0.2; 1 or more turns automatic handling off.'
      })
    }
    override.autoThreshold = threshold
    // The flag counts for whatever model answers.
    override.modelThresholds = {}
  }
  if (values.memory !== undefined) {
    if (values.memory !== 'on' && values.memory !== 'off' && values.memory !== 'read-only') {
      return err({ reason: 'memory', message: `--memory takes on, off or read-only, not “${values.memory}”.` })
    }
    override.memory = values.memory
  }
  const experiments = [
    ...(values.experiment ?? []).map((name) => [name, true] as const),
    ...(values['no-experiment'] ?? []).map((name) => [name, false] as const)
  ]
  const unknown = experiments.find(([name]) => name !== 'tokenBudget')
  if (unknown !== undefined) return err({ reason: 'experiment', message: `there is no experiment “${unknown[0]}”.` })
  if (experiments.length > 0) override.experiments = Object.fromEntries(experiments)
  return ok(override)
}

/** The workspace that the flags name, or a new one in their project, set up as they say. */
async function chooseSession(app: App, flags: RunFlags, context: CommandContext): Promise<Result<AgentSession, Wrong>> {
  const workspaceId = await chooseWorkspace(app, flags, context)
  if (!workspaceId.ok) return workspaceId
  const opened = await app.services.sessions.open(workspaceId.value)
  if (!opened.ok) return err({ reason: 'workspace', message: opened.error })
  const session = opened.value
  const model = flags.model ?? session.view.model
  const resolved = await app.services.registry.resolve(model)
  if (!resolved.ok && resolved.error.kind !== 'no_key') return err({ reason: 'model', message: resolved.error.message })
  if (flags.agent !== undefined) {
    const listed = await app.dispatch('agents.list', { projectId: session.view.projectId })
    const agents = listed.ok ? (listed.value as { agents: { id: string }[] }).agents : []
    if (!agents.some((agent) => agent.id === flags.agent)) {
      return err({
        reason: 'agent',
        message: `there is no agent “${flags.agent}”; there are ${agents.map(({ id }) => id).join(', ')}.`
      })
    }
  }
  const approvalMode = flags.approve === undefined ? undefined : APPROVE[flags.approve]
  const saved = await session.update({
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.agent === undefined ? {} : { agentId: flags.agent }),
    ...(approvalMode === undefined ? {} : { approvalMode })
  })
  return saved.ok ? ok(session) : err({ reason: 'workspace', message: saved.error })
}

async function chooseWorkspace(app: App, flags: RunFlags, context: CommandContext): Promise<Result<string, Wrong>> {
  if (flags.workspace !== undefined) {
    const known = await checkWorkspace(app, flags.workspace)
    return known.ok ? known : err({ reason: 'workspace', message: known.error })
  }
  if (flags.project === undefined)
    return err({ reason: 'project', message: 'name a folder with --project, or a workspace with --workspace.' })
  const { settings, sessions, clock } = app.services
  const project = await openProject(settings, callerPath(flags.project, context.environment), clock.now())
  if (!project.ok) return err({ reason: 'project', message: project.error })
  const created = await sessions.create({
    projectId: project.value.id,
    projectPath: project.value.path,
    model: flags.model ?? settings.settings().defaultModel,
    agentId: flags.agent ?? settings.settings().defaultAgent
  })
  return created.ok ? ok(created.value.workspaceId) : err({ reason: 'workspace', message: created.error })
}
