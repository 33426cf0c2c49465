// Owns the way of one tool call through the house: input, policy, gate, person, tool, cap. The session's only
// entry. Invariant: exactly one outcome for every call, whatever the model wrote, the person did or a tool threw;
// leave comes from `askApproval` alone, never from anything that a model or a file says.
import { realpath } from 'node:fs/promises'
import type { ToolRule } from '@common/agents/agent-schema'
import { evaluatePolicy, mayCallSometimes } from '@common/agents/tool-policy'
import type { KnownGrant, WorkspaceGrant } from '@common/agents/workspace-grant'
import type { Clock } from '@common/clock'
import { MAX_TOOL_RESULT_BYTES } from '@common/constants'
import type { ApprovalMode } from '@common/settings/settings-schema'
import type { ApprovalAnswer, ApprovalRequest } from '@common/tools/approval'
import { placeOf } from '../tools/path-guard'
import type { ToolDefinition, ToolOutcome, ToolRun } from '../tools/tool-types'
import { withAbortGrace } from './abort-grace'
import { decidePermission, policyDenial } from './permission-gate'
import { settleOutcome, type SettledTool } from './settle-outcome'
import { askLeave } from './tool-approval'
import { parseToolInput } from './tool-input'

export interface ToolCall {
  readonly toolCallId: string
  readonly toolName: string
  /** As the model wrote it: parsed JSON, or text that is no JSON. */
  readonly rawInput: unknown
}

export interface ExecuteToolDeps {
  readonly tools: { readonly all: readonly ToolDefinition[]; byName(name: string): ToolDefinition | null }
  readonly run: Omit<ToolRun, 'toolCallId' | 'allowedPaths' | 'mayRead'>
  /** The agent's rules with the workspace's id in them (`agentForWorkspace`). */
  readonly rules: readonly ToolRule[]
  readonly mode: ApprovalMode
  readonly workspaceId: string
  readonly grants: readonly WorkspaceGrant[]
  /** Resolved folders of the skills in force: file_read opens files in them without asking. */
  readonly skillFolders?: readonly string[]
  readonly clock: Clock
  /** Null when nobody is there to answer or the turn was stopped. */
  askApproval(request: Omit<ApprovalRequest, 'approvalId'>): Promise<ApprovalAnswer | null>
  /** Is told of a bug in a tool, for the log. */
  onFault?(fault: unknown): void
  readonly capBytes?: number
}

interface Ran {
  readonly outcome: ToolOutcome<unknown>
  /** Paths of the project that the call went to. */
  readonly touched?: readonly string[]
  readonly grant?: KnownGrant
}

/** Carries out one call. Never rejects. */
export async function executeTool(call: ToolCall, deps: ExecuteToolDeps): Promise<SettledTool> {
  const startedMs = deps.clock.now()
  const ran = await decideAndRun(call, deps).catch((fault: unknown): Ran => {
    if (deps.run.abortSignal.aborted && fault instanceof Error && fault.name === 'AbortError')
      return stopped(call.toolName)
    deps.onFault?.(fault)
    return { outcome: { kind: 'failed', message: faultWords(call.toolName, fault) } }
  })
  const { seen, ...settled } = await settleOutcome(
    call.rawInput,
    ran.outcome,
    deps.run.spill,
    deps.capBytes ?? MAX_TOOL_RESULT_BYTES
  )
  const endedMs = deps.clock.now()
  return {
    ...settled,
    ...(seen === undefined ? {} : { seen: { ...seen, seenAtMs: endedMs } }),
    ...(ran.grant === undefined ? {} : { grant: ran.grant }),
    touched: ran.touched ?? [],
    durationMs: Math.max(0, endedMs - startedMs)
  }
}

async function decideAndRun(call: ToolCall, deps: ExecuteToolDeps): Promise<Ran> {
  const { toolName } = call
  const { abortSignal } = deps.run
  if (abortSignal.aborted) return notStarted(toolName)
  const definition = deps.tools.byName(toolName)
  if (definition === null) return failed(unknownTool(toolName, deps))
  if (!mayCallSometimes(deps.rules, toolName))
    return denied(policyDenial(toolName, evaluatePolicy(deps.rules, toolName, [])))
  const parsed = parseToolInput(definition, call.rawInput)
  if (!parsed.ok) return failed(parsed.error)

  const touch = await definition.touch(parsed.value, deps.run)
  if (!touch.ok) return failed(touch.error)
  const projectRoot = await realpath(deps.run.projectRoot)
  const places = touch.value.paths.map((absolute) => placeOf(projectRoot, absolute))
  const paths = places.map((place) => place.relative)
  const decision = decidePermission({
    mode: deps.mode,
    touch: touch.value,
    toolName,
    projectRoot,
    workspaceId: deps.workspaceId,
    grants: deps.grants,
    skillFolders: deps.skillFolders ?? [],
    verdict: evaluatePolicy(deps.rules, toolName, paths)
  })
  if (decision.kind === 'deny') return denied(decision.message)
  let grant: KnownGrant | null = null
  if (decision.kind === 'ask') {
    const leave = await askLeave(decision, touch.value, {
      ...call,
      abortSignal,
      askApproval: deps.askApproval,
      touchAgain: () => definition.touch(parsed.value, deps.run)
    })
    if (leave.kind === 'refused') return { outcome: leave.outcome }
    grant = leave.grant
  }

  const run: ToolRun = {
    ...deps.run,
    toolCallId: call.toolCallId,
    allowedPaths: touch.value.paths,
    mayRead: readableBy(deps.rules, toolName)
  }
  const outcome = await withAbortGrace(() => definition.execute(parsed.value, run), toolName, abortSignal)
  const touched = places.flatMap(({ place, relative }) => (place === 'inside' ? [relative] : []))
  return { outcome: checked(definition, outcome), touched, ...(grant === null ? {} : { grant }) }
}

/** What a search may show: a rule that denies some paths holds for what is found below an allowed folder too. */
function readableBy(rules: readonly ToolRule[], toolName: string): (relativePath: string) => boolean {
  if (!rules.some((rule) => rule.paths !== undefined)) return () => true
  return (relativePath) => evaluatePolicy(rules, toolName, [relativePath]).action === 'allow'
}

/** A result of another shape than the tool's contract says is a bug, and must not reach a row. */
function checked(definition: ToolDefinition, outcome: ToolOutcome<unknown>): ToolOutcome<unknown> {
  if (outcome.kind !== 'done') return outcome
  const parsed = definition.outputSchema.safeParse(outcome.output)
  if (parsed.success) return { ...outcome, output: parsed.data }
  throw new Error(`its result has another shape than its contract: ${parsed.error.message}`)
}

/** The first line only: no stack, no paths of the app. */
function faultWords(toolName: string, fault: unknown): string {
  const message = fault instanceof Error ? fault.message : String(fault)
  return `${toolName} failed because of a fault in the app, not in your input: ${message.split('\n')[0]?.slice(0, 300) ?? ''}`
}

function unknownTool(toolName: string, { tools, rules }: ExecuteToolDeps): string {
  const names = tools.all.map((tool) => tool.name).filter((name) => mayCallSometimes(rules, name))
  return `There is no tool ${JSON.stringify(toolName.slice(0, 100))}. The tools are: ${names.join(', ')}.`
}

function failed(message: string): Ran {
  return { outcome: { kind: 'failed', message } }
}

function denied(message: string): Ran {
  return { outcome: { kind: 'denied', message } }
}

function stopped(toolName: string): Ran {
  return { outcome: { kind: 'interrupted', message: `${toolName} was interrupted.` } }
}

function notStarted(toolName: string): Ran {
  return { outcome: { kind: 'interrupted', message: `${toolName} was not started: the turn was interrupted.` } }
}
