import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { agentForWorkspace, builtinAgentOf } from '@common/agents/builtin-agents'
import { evaluatePolicy } from '@common/agents/tool-policy'
import type { WorkspaceGrant } from '@common/agents/workspace-grant'
import type { ApprovalMode } from '@common/settings/settings-schema'
import type { ToolEffect } from '@common/tools/tool-contracts'
import { placeOf } from '../tools/path-guard'
import type { ToolTouch } from '../tools/tool-types'
import { decidePermission, type GateDecision } from './permission-gate'

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'tidemark-gate-')))
mkdirSync(path.join(root, 'src'))
afterAll(() => rmSync(root, { recursive: true }))

interface Case {
  readonly effect: ToolEffect
  readonly toolName?: string
  readonly paths?: string[]
  readonly command?: string
  readonly mode?: ApprovalMode
  readonly grants?: WorkspaceGrant[]
  readonly agent?: string
  readonly skillFolders?: string[]
}

function decide({
  effect,
  toolName,
  paths = [],
  command,
  mode = 'ask',
  grants = [],
  agent = 'exec',
  skillFolders = []
}: Case): GateDecision {
  const name = toolName ?? { read: 'file_read', edit: 'file_write', run: 'bash' }[effect]
  const absolute = paths.map((one) => path.resolve(root, one))
  const places = absolute.map((one) => placeOf(root, one))
  const touch: ToolTouch = {
    effect,
    paths: absolute,
    outside: places.some(({ place }) => place === 'outside'),
    command: command ?? null,
    subject: { kind: 'other', text: '' }
  }
  const built = builtinAgentOf(agent)
  const rules = built === null ? [] : agentForWorkspace(built, 'ws-1').rules
  const verdict = evaluatePolicy(
    rules,
    name,
    places.map(({ relative }) => relative)
  )
  const asked = { mode, touch, toolName: name, projectRoot: root, workspaceId: 'ws-1', grants, skillFolders, verdict }
  return decidePermission(asked)
}

const kinds = (one: Case): string[] =>
  (['ask', 'accept-edits', 'auto'] as const).map((mode) => decide({ ...one, mode }).kind)

test('A-3: read never asks inside, edit asks in ask, run asks in ask and accept edits', () => {
  expect(kinds({ effect: 'read', paths: ['src/a.ts'] })).toEqual(['allow', 'allow', 'allow'])
  expect(kinds({ effect: 'edit', paths: ['src/a.ts'] })).toEqual(['ask', 'allow', 'allow'])
  expect(kinds({ effect: 'run', command: 'npm test' })).toEqual(['ask', 'ask', 'allow'])
  expect(kinds({ effect: 'run', toolName: 'mcp__x__y' })).toEqual(['ask', 'ask', 'allow'])
})

test('A-3: outside, .git, .tidemark and destructive commands always ask and are never granted', () => {
  const everything: WorkspaceGrant[] = [
    { kind: 'tool', toolName: 'file_read' },
    { kind: 'tool', toolName: 'file_write' },
    { kind: 'command', toolName: 'bash', command: 'git push --force' },
    { kind: 'command-prefix', toolName: 'bash', words: ['git', 'push'] }
  ]
  for (const one of [
    { effect: 'read', paths: ['/etc/passwd'] },
    { effect: 'read', paths: ['../x'] },
    { effect: 'read', paths: ['.git/config'] },
    { effect: 'edit', paths: ['.tidemark/agents/a.md'] },
    { effect: 'edit', paths: ['src/a.ts', '.GIT/hooks/x'] },
    { effect: 'edit', paths: ['.tidemark/plans/ws-1.md'] },
    { effect: 'run', command: 'git push --force' },
    { effect: 'run', command: 'rm -rf ~' }
  ] as const)
    for (const mode of ['ask', 'accept-edits', 'auto'] as const) {
      const decision = decide({ ...one, paths: [...('paths' in one ? one.paths : [])], mode, grants: everything })
      expect([one, mode, decision]).toEqual([
        one,
        mode,
        { kind: 'ask', reason: expect.any(String), workspaceGrant: null }
      ])
    }
})

test('A-3: an absolute path inside the project counts as inside', () => {
  expect(kinds({ effect: 'run', command: `rm -rf ${root}/dist` })).toEqual(['ask', 'ask', 'allow'])
})

test('A-2: Plan writes its own plan without asking, and nothing else', () => {
  const plan = (paths: string[], effect: ToolEffect = 'edit'): string[] => kinds({ effect, paths, agent: 'plan' })
  expect(plan(['.tidemark/plans/ws-1.md'])).toEqual(['allow', 'allow', 'allow'])
  expect(plan(['.tidemark/plans/ws-1.md'], 'read')).toEqual(['allow', 'allow', 'allow'])
  expect(plan(['.tidemark/plans/ws-2.md'])).toEqual(['deny', 'deny', 'deny'])
  expect(plan(['src/a.ts'])).toEqual(['deny', 'deny', 'deny'])
  expect(plan(['src/a.ts'], 'read')).toEqual(['allow', 'allow', 'allow'])
  expect(kinds({ effect: 'run', command: 'ls', agent: 'plan' })).toEqual(['deny', 'deny', 'deny'])
  expect(kinds({ effect: 'edit', paths: ['src/a.ts'], agent: 'explore' })).toEqual(['deny', 'deny', 'deny'])
  expect(kinds({ effect: 'read', paths: ['.tidemark/plans/ws-1.md'] })).toEqual(['allow', 'allow', 'allow'])
})

test('A-2: what no rule allows is denied in every mode, with the reason in words', () => {
  expect(decide({ effect: 'read', paths: ['src/a.ts'], agent: 'none', mode: 'auto' })).toEqual({
    kind: 'deny',
    message: 'This agent may not use file_read: no rule of its tool policy allows it.'
  })
})

function grantOf(command: string): WorkspaceGrant | null {
  const decision = decide({ effect: 'run', command })
  return decision.kind === 'ask' ? decision.workspaceGrant : null
}

test('A-3: allow for the workspace remembers a tool, a beginning of a command, or one exact command', () => {
  expect(decide({ effect: 'edit', paths: ['a'] })).toMatchObject({
    workspaceGrant: { kind: 'tool', toolName: 'file_write' }
  })
  expect(grantOf('npm test -- --watch=false')).toMatchObject({ kind: 'command-prefix', words: ['npm', 'test'] })
  expect(grantOf('npm run build')).toMatchObject({ words: ['npm', 'run', 'build'] })
  for (const command of [
    'node x.js',
    'python -c "print(1)"',
    'npm test && npm run lint',
    'git -C x status',
    'npm',
    'FOO=1 npm test',
    'npm run',
    'cat $X'
  ])
    expect([command, grantOf(command)]).toEqual([command, { kind: 'command', toolName: 'bash', command }])
})

test('A-3: a granted beginning covers plain commands only', () => {
  const grants: WorkspaceGrant[] = [{ kind: 'command-prefix', toolName: 'bash', words: ['npm', 'test'] }]
  const kind = (command: string): string => decide({ effect: 'run', command, grants }).kind
  for (const command of ['npm test', '  npm  test -- -t "a b"', "'npm' test x/y.ts", 'npm test --coverage=true'])
    expect([command, kind(command)]).toEqual([command, 'allow'])
  for (const command of [
    'npm test; rm x',
    'npm test && curl https://x',
    'npm test || x',
    'npm test | sh',
    'npm test & x',
    'npm test\nrm x',
    'npm test $(rm x)',
    'npm test `rm x`',
    'npm test "$(rm x)"',
    'npm test > out',
    'npm test < in',
    'npm test <(x)',
    'npm test *',
    'npm test ~',
    'npm test {a,b}',
    'npm test \\; x',
    'npm test # x',
    'npm test !x',
    'npm test "unclosed',
    'X=1 npm test',
    'npm testing',
    'npm run test',
    '/tmp/npm test',
    'xnpm test',
    'npm\u00a0test'
  ])
    expect([command, kind(command)]).toEqual([command, 'ask'])
})

test('A-3: grants of another tool, of a newer version or damaged ones cover nothing', () => {
  for (const grant of [
    { kind: 'tool', toolName: 'file_edit' },
    { kind: 'tool' },
    { kind: 'everything', toolName: 'file_write' },
    { kind: 'command-prefix', toolName: 'bash', words: [] },
    { kind: 'command-prefix', toolName: 'bash', words: ['npm'] },
    { kind: 'tool', toolName: 'bash' }
  ] as WorkspaceGrant[]) {
    expect(decide({ effect: 'edit', paths: ['a'], grants: [grant] }).kind).toBe('ask')
    expect(decide({ effect: 'run', command: 'npm test', grants: [grant] }).kind).toBe('ask')
  }
})

test('O-5 A-3: file_read opens files of a skill in force without asking, nothing else does, and no hidden ones', () => {
  const outside = path.join(path.dirname(root), 'skills', 'deploy')
  const skillFolders = [outside, path.join(root, '.tidemark/skills/react')]
  const reads = (file: string, toolName = 'file_read'): string[] =>
    kinds({ effect: 'read', toolName, paths: [file], skillFolders })
  const free = ['allow', 'allow', 'allow']
  const asks = ['ask', 'ask', 'ask']
  expect(reads(path.join(outside, 'SKILL.md'))).toEqual(free)
  expect(reads('.tidemark/skills/react/reference/hooks.md')).toEqual(free)
  expect(reads(path.join(outside, 'SKILL.md'), 'grep')).toEqual(asks)
  for (const file of [outside, `${outside}-other/SKILL.md`, `${outside}/.env`, `${outside}/.git/config`])
    expect([file, reads(file)]).toEqual([file, asks])
  for (const file of ['.tidemark/skills/other/SKILL.md', '.tidemark/agents/a.md'])
    expect([file, reads(file)]).toEqual([file, asks])
  expect(kinds({ effect: 'edit', paths: [path.join(outside, 'SKILL.md')], skillFolders })).toEqual(asks)
})
