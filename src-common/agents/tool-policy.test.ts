import { expect, test } from 'vitest'
import type { ToolRule } from './agent-schema'
import { agentForWorkspace, BUILTIN_AGENTS, builtinAgentOf } from './builtin-agents'
import { evaluatePolicy, mayCallSometimes, ruleProblem } from './tool-policy'

const allow = (match: string, paths?: string[]): ToolRule => ({ match, action: 'allow', ...(paths ? { paths } : {}) })
const deny = (match: string, paths?: string[]): ToolRule => ({ match, action: 'deny', ...(paths ? { paths } : {}) })
const action = (rules: ToolRule[], name: string, paths: string[] = []): string =>
  evaluatePolicy(rules, name, paths).action

function rulesOf(id: string): ToolRule[] {
  const agent = builtinAgentOf(id)
  if (agent === null) throw new Error(`no agent ${id}`)
  return agentForWorkspace(agent, 'ws-1').rules
}

test('A-2: expressions are anchored, the last match wins, no match means denied', () => {
  expect(action([allow('file_.*')], 'file_read')).toBe('allow')
  expect(action([allow('file')], 'file_read')).toBe('deny')
  expect(action([allow('read')], 'file_read')).toBe('deny')
  expect(action([allow('.*'), deny('bash'), allow('bash')], 'bash')).toBe('allow')
  expect(action([allow('.*'), deny('bash')], 'bash')).toBe('deny')
  expect(action([], 'file_read')).toBe('deny')
  expect(action([allow('grep|glob')], 'grepx')).toBe('deny')
})

test('A-2: a rule with paths allows when all match, denies when any does, and never speaks for a call without paths', () => {
  const docs = [allow('file_write', ['docs/**'])]
  expect(action(docs, 'file_write', ['docs/a.md'])).toBe('allow')
  expect(action(docs, 'file_write', ['docs/a.md', 'src/a.ts'])).toBe('deny')
  expect(action(docs, 'file_write')).toBe('deny')
  const secret = [allow('.*'), deny('.*', ['secrets/**'])]
  expect(action(secret, 'file_read', ['a', 'secrets/key'])).toBe('deny')
  expect(action(secret, 'bash')).toBe('allow')
})

test('A-2: a rule that cannot be read denies everything and says so', () => {
  for (const rule of [allow('('), allow('a)|(.*'), allow('x'.repeat(300)), deny('.*', ['{a,b}'.repeat(20)])]) {
    const verdict = evaluatePolicy([allow('.*'), rule], 'file_read', [])
    expect(verdict.action).toBe('deny')
    expect(verdict.problem).toContain('is not a valid')
    expect(ruleProblem(rule)).not.toBeNull()
    expect(mayCallSometimes([allow('.*'), rule], 'file_read')).toBe(false)
  }
})

test('A-1 A-2: Exec may use every tool, Explore no writer, Plan its plan file alone', () => {
  const writers = ['bash', 'file_write', 'file_edit', 'task', 'mcp__db__query']
  for (const name of [...writers, 'file_read', 'anything']) expect(action(rulesOf('exec'), name)).toBe('allow')
  for (const name of writers) expect(mayCallSometimes(rulesOf('explore'), name)).toBe(false)
  const plan = rulesOf('plan')
  expect(mayCallSometimes(plan, 'bash')).toBe(false)
  expect(mayCallSometimes(plan, 'file_write')).toBe(true)
  expect(action(plan, 'file_write', ['.tidemark/plans/ws-1.md'])).toBe('allow')
  for (const path of ['.tidemark/plans/ws-2.md', '.tidemark/plans/ws-1.md/x', 'src/a.ts', '.tidemark/agents/a.md'])
    expect(action(plan, 'file_edit', [path])).toBe('deny')
  for (const name of ['file_read', 'glob', 'grep', 'todo', 'ask_user']) {
    expect(action(plan, name)).toBe('allow')
    expect(action(rulesOf('explore'), name)).toBe('allow')
  }
})

test('A-2: no built-in agent is kept from session_history or from its notes', () => {
  for (const agent of BUILTIN_AGENTS)
    for (const name of ['session_history', 'memory']) {
      expect(action([...agent.rules], name)).toBe('allow')
      expect(mayCallSometimes(agent.rules, name)).toBe(true)
    }
})

test('A-1: the prompt of Plan names the plan file of the workspace', () => {
  const plan = builtinAgentOf('plan')
  expect(plan && agentForWorkspace(plan, 'ws-1').systemPrompt).toContain('.tidemark/plans/ws-1.md')
})
