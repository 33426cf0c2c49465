// Owns what an agent's rules say about a tool call: anchored expressions over names, optionally path
// globs, the last match wins, no match means denied. Pure. A rule that cannot be read denies everything.
import type { ToolRule } from './agent-schema'
import { compilePathGlob, escapeGlob, type PathMatcher } from './path-glob'

export interface PolicyVerdict {
  readonly action: 'allow' | 'deny'
  /** The rule that decided; null when none matched. */
  readonly rule: ToolRule | null
  /** Set when a rule cannot be read. */
  readonly problem: string | null
}

/** Stands for the workspace's id in a rule's paths and in a prompt. */
export const WORKSPACE_PLACEHOLDER = '<workspaceId>'

/** Longer expressions are no names of tools. */
const MAX_MATCH_CHARS = 256

/**
 * The verdict on one call. `paths` are what it touches, relative to the project with forward slashes.
 * A rule with paths allows only when all of them match, and denies when any of them does.
 */
export function evaluatePolicy(rules: readonly ToolRule[], toolName: string, paths: readonly string[]): PolicyVerdict {
  let verdict: PolicyVerdict = { action: 'deny', rule: null, problem: null }
  for (const rule of rules) {
    const problem = ruleProblem(rule)
    if (problem !== null) return { action: 'deny', rule, problem }
    if (matchesName(rule, toolName) && matchesPaths(rule, paths)) verdict = { action: rule.action, rule, problem: null }
  }
  return verdict
}

/** True when some call of the tool could be allowed: only then is it offered to the model. */
export function mayCallSometimes(rules: readonly ToolRule[], toolName: string): boolean {
  let offered = false
  for (const rule of rules) {
    if (ruleProblem(rule) !== null) return false
    if (!matchesName(rule, toolName)) continue
    if (rule.action === 'allow') offered = true
    else if (rule.paths === undefined) offered = false
  }
  return offered
}

/** Why a rule cannot be read, or null. */
export function ruleProblem(rule: ToolRule): string | null {
  if (expressionOf(rule.match) === null) return `"${rule.match.slice(0, 80)}" is not a valid regular expression`
  const bad = rule.paths?.find((glob) => compilePathGlob(glob) === null)
  return bad === undefined ? null : `"${bad.slice(0, 80)}" is not a valid path glob`
}

/** The rules with the workspace's id in place of its placeholder. */
export function rulesForWorkspace(rules: readonly ToolRule[], workspaceId: string): ToolRule[] {
  const id = escapeGlob(workspaceId)
  return rules.map((rule) =>
    rule.paths === undefined
      ? rule
      : { ...rule, paths: rule.paths.map((glob) => glob.split(WORKSPACE_PLACEHOLDER).join(id)) }
  )
}

function matchesName(rule: ToolRule, toolName: string): boolean {
  return expressionOf(rule.match)?.test(toolName) ?? false
}

function matchesPaths(rule: ToolRule, paths: readonly string[]): boolean {
  if (rule.paths === undefined) return true
  const matchers = rule.paths.map(compilePathGlob).filter((matcher): matcher is PathMatcher => matcher !== null)
  const matches = (path: string): boolean => matchers.some((matcher) => matcher(path))
  return rule.action === 'deny' ? paths.some(matches) : paths.length > 0 && paths.every(matches)
}

/** Anchored at both ends. The bare form must compile too, so that `a)|(.*` cannot leave the anchors. */
function expressionOf(match: string): RegExp | null {
  if (match.length > MAX_MATCH_CHARS) return null
  try {
    return new RegExp(`^(?:${new RegExp(match).source})$`)
  } catch (cause) {
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}
