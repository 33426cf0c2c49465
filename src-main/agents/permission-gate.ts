// Owns the decision about one tool call: allowed, to be asked, or denied. Pure: it reads values and
// answers a value; nothing that a model or a file says can change it, and only a person answers what it asks.
import path from 'node:path'
import type { PolicyVerdict } from '@common/agents/tool-policy'
import type { KnownGrant, WorkspaceGrant } from '@common/agents/workspace-grant'
import { planFileOf } from '@common/agents/protected-paths'
import type { ApprovalMode } from '@common/settings/settings-schema'
import { placeOf } from '../tools/path-guard'
import type { ToolTouch } from '../tools/tool-types'
import { destructiveReason } from './destructive-commands'
import { grantFor, isGranted } from './grant-match'
import { isBelow } from './read-folder-file'

export interface GateInput {
  readonly mode: ApprovalMode
  readonly touch: ToolTouch
  readonly toolName: string
  /** Resolved, without links. */
  readonly projectRoot: string
  readonly workspaceId: string
  readonly grants: readonly WorkspaceGrant[]
  /** Resolved folders of the skills in force. */
  readonly skillFolders: readonly string[]
  /** What the agent's policy says about this very call. */
  readonly verdict: PolicyVerdict
}

export type GateDecision =
  | { readonly kind: 'allow' }
  /** `workspaceGrant` is null for what always asks. */
  | { readonly kind: 'ask'; readonly reason: string; readonly workspaceGrant: KnownGrant | null }
  | { readonly kind: 'deny'; readonly message: string }

const MODE_WORDS: Readonly<Record<ApprovalMode, string>> = { ask: 'ask', 'accept-edits': 'accept edits', auto: 'auto' }

/** Decides one call. */
export function decidePermission(input: GateInput): GateDecision {
  const { mode, touch, toolName, grants, verdict } = input
  if (verdict.action === 'deny') return { kind: 'deny', message: policyDenial(toolName, verdict) }
  const always = alwaysAsks(input)
  if (always !== null) return { kind: 'ask', reason: always, workspaceGrant: null }
  if (!asksIn(mode, touch, isOwnPlan(input)) || isGranted(grants, toolName, touch.command)) return { kind: 'allow' }
  const does = touch.effect === 'run' ? 'runs a command' : 'changes a file'
  const reason = `It ${does}, and the approval mode is “${MODE_WORDS[mode]}”.`
  return { kind: 'ask', reason, workspaceGrant: grantFor(toolName, touch.command) }
}

/** Why a call asks in every mode, or null. */
function alwaysAsks(input: GateInput): string | null {
  const { touch, projectRoot } = input
  if (isSkillFile(input)) return null
  for (const place of touch.paths.map((absolute) => placeOf(projectRoot, absolute))) {
    if (place.place === 'outside') return `${place.absolute} is outside the project.`
    if (place.place === 'protected' && !isOwnPlan(input)) return `${place.relative} is in a protected folder.`
  }
  if (touch.outside) return 'It reaches outside the project.'
  const reason = touch.command === null ? null : destructiveReason(touch.command, projectRoot)
  return reason === null ? null : `The command may be destructive: ${reason}.`
}

/**
 * The workspace's own plan: read by any agent, written by one whose policy names it (Plan and what is based on it).
 * It never asks.
 */
function isOwnPlan({ touch, projectRoot, workspaceId, verdict }: GateInput): boolean {
  const plan = path.join(projectRoot, planFileOf(workspaceId))
  if (touch.paths.length === 0 || !touch.paths.every((absolute) => absolute === plan)) return false
  return touch.effect === 'read' || (touch.effect === 'edit' && verdict.rule?.paths !== undefined)
}

/**
 * A file of a skill in force, to be read by file_read and nothing else: what points to a skill must not ask for it.
 * Hidden files (a clone's `.git`, a script's `.env`) are none of its.
 */
function isSkillFile({ touch, toolName, skillFolders }: GateInput): boolean {
  if (toolName !== 'file_read' || touch.effect !== 'read' || touch.paths.length === 0) return false
  return touch.paths.every((absolute) => skillFolders.some((folder) => isShownBelow(folder, absolute)))
}

function isShownBelow(folder: string, absolute: string): boolean {
  if (!isBelow(folder, absolute)) return false
  const names = path.relative(folder, absolute).split(path.sep)
  return names.every((name) => name !== '' && !name.startsWith('.'))
}

function asksIn(mode: ApprovalMode, { effect }: ToolTouch, ownPlan: boolean): boolean {
  if (effect === 'read' || mode === 'auto' || ownPlan) return false
  return effect === 'run' || mode === 'ask'
}

/** A policy's denial in words for the model. */
export function policyDenial(toolName: string, { rule, problem }: PolicyVerdict): string {
  if (problem !== null)
    return `The tool policy of this agent cannot be read: ${problem}. Until it is repaired, nothing is allowed.`
  if (rule === null) return `This agent may not use ${toolName}: no rule of its tool policy allows it.`
  const where = rule.paths === undefined ? '' : ' here'
  return `This agent may not use ${toolName}${where}: its tool policy denies it.`
}
