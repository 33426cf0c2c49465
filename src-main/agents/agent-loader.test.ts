import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mayCallSometimes } from '@common/agents/tool-policy'
import { inForm } from '../history/testing/long-form'
import { readAgentFile } from './agent-file'
import { loadAgents, type LoadedAgents } from './agent-loader'

let base = ''
let projectAgents = ''
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'tidemark-agents-'))
  projectAgents = path.join(base, 'project/.tidemark/agents')
  for (const folder of [projectAgents, path.join(base, 'home')]) mkdirSync(folder, { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true }))

const load = (projectTrusted = true): Promise<LoadedAgents> =>
  loadAgents({
    homeDir: path.join(base, 'home'),
    projectDir: path.join(base, 'project'),
    projectTrusted,
    workspaceId: 'ws-1'
  })
const home = (name: string, text: string): void => writeFileSync(path.join(base, 'home', name), text)
const project = (name: string, text: string): void => writeFileSync(path.join(projectAgents, name), text)

const REVIEWER = `---
name: Reviewer
description: Reads changes
base: explore
model: anthropic:claude
tools:
  - match: bash
    action: allow
  - match: file_write
    action: allow
    paths: [docs/**, notes/<workspaceId>.md]
---
You review.

---
Not front matter any more.
`

test('A-1: an agent is a Markdown file: fields in front, the prompt below, rules behind those of its base', async () => {
  project('reviewer.md', REVIEWER)
  const { agents, problems } = await load()
  expect(problems).toEqual([])
  expect(agents.map((agent) => agent.id)).toEqual(['exec', 'plan', 'explore', 'reviewer'])
  const agent = agents[3]
  expect(agent).toMatchObject({ name: 'Reviewer', base: 'explore', model: 'anthropic:claude', source: 'project' })
  expect(agent?.systemPrompt).toBe('You review.\n\n---\nNot front matter any more.')
  expect(agent?.rules.at(-1)?.paths).toEqual(['docs/**', 'notes/ws-1.md'])
  expect(['bash', 'file_edit', 'grep'].map((name) => mayCallSometimes(agent?.rules ?? [], name))).toEqual([
    true,
    false,
    true
  ])
})

test('A-1: agents of a project are read only when it is trusted', async () => {
  project('reviewer.md', REVIEWER)
  project('broken.md', 'no front matter')
  expect(await load(false)).toMatchObject({ problems: [] })
  expect((await load(false)).agents).toHaveLength(3)
})

test('A-1 A-2: without base and rules an agent may use nothing; an empty body takes the prompt of the base', async () => {
  home('a.md', '---\nname: A\n---\nDo things.')
  home('b.md', '---\nbase: plan\n---\n')
  const { agents } = await load()
  expect(mayCallSometimes(agents[3]?.rules ?? [], 'file_read')).toBe(false)
  expect(agents[4]).toMatchObject({
    id: 'b',
    name: 'b',
    systemPrompt: expect.stringContaining('.tidemark/plans/ws-1.md')
  })
})

test('A-1: an agent never takes the place of another, not with letters that look the same either', async () => {
  home('mine.md', '---\nname: Mine\n---\nx')
  for (const [name, title] of [
    ['exec.md', 'X'],
    ['EXEC.md', 'X'],
    ['other.md', 'Ex ec'],
    ['plan2.md', '\uff30lan'],
    ['mine.md', 'Y'],
    ['z.md', 'MINE\u200b']
  ] as const)
    project(name, `---\nname: ${title}\n---\nx`)
  const { agents, problems } = await load()
  expect(agents.map((agent) => agent.id)).toEqual(['exec', 'plan', 'explore', 'mine'])
  expect(problems).toHaveLength(6)
  expect(problems.every((problem) => problem.includes('has this name already'))).toBe(true)
})

test('A-1: what is wrong is told with file and line, and keeps no other agent away', async () => {
  const cases: [string, string, RegExp][] = [
    ['none.md', 'hello', /none\.md:1: it does not begin with front matter/],
    ['yaml.md', '---\nname: A\ntools: [\n---\nx', /yaml\.md:[34]: /],
    ['twice.md', '---\nname: A\nname: B\n---\nx', /twice\.md:3: .*unique/i],
    ['base.md', '---\nname: A\n\nbase: root\n---\nx', /base\.md:4: base: /],
    ['rule.md', '---\nname: A\ntools:\n  - match: bash\n    action: maybe\n---\nx', /rule\.md:5: tools\.0\.action: /],
    [
      'regex.md',
      '---\nname: A\ntools:\n  - match: a\n    action: allow\n  - match: "("\n    action: deny\n---\nx',
      /regex\.md:6: .*regular expression/
    ],
    ['list.md', '---\n- a\n---\nx', /list\.md:2: /],
    ['empty.md', '---\nname: A\n---\n', /empty\.md:1: it has no text/],
    [
      'laughs.md',
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`)
        .join('\n')}\n---\nx`,
      /laughs\.md:2: .*alias/i
    ],
    ['big.md', `---\nname: A\n---\n${'x'.repeat(70_000)}`, /big\.md:1: it has 7\d+ bytes/],
    ['bad name.md', '---\nname: A\n---\nx', /bad name\.md:1: the name/]
  ]
  for (const [name, text] of cases) home(name, text)
  mkdirSync(path.join(base, 'home/folder.md'))
  home('good.md', '---\nname: Good\n---\nx')
  const { agents, problems } = await load()
  expect(agents.map((agent) => agent.id)).toEqual(['exec', 'plan', 'explore', 'good'])
  for (const [name, , pattern] of cases)
    expect([name, problems.filter((problem) => pattern.test(problem)).length]).toEqual([name, 1])
  expect(problems).toHaveLength(cases.length + 1)
})

test('A-1: an agent file of a project that links out of it is refused, so that no secret becomes a prompt', async () => {
  writeFileSync(path.join(base, 'secret'), '---\nname: S\n---\nsecret key')
  symlinkSync(path.join(base, 'secret'), path.join(projectAgents, 'leak.md'))
  symlinkSync(path.join(base, 'secret'), path.join(base, 'home/dotfiles.md'))
  const { agents, problems } = await load()
  expect(agents.map((agent) => agent.id)).toEqual(['exec', 'plan', 'explore', 'dotfiles'])
  expect(problems).toEqual([
    expect.stringContaining(`leak.md:1: it is a link that leaves ${path.join(base, 'project')}`)
  ])
})

test('A-1: no front matter makes the reader throw', () => {
  const piece = fc.constantFrom(
    '---\n',
    'name: a\n',
    'tools:\n',
    '  - match: x\n',
    '    action: allow\n',
    '[',
    '{',
    '&a ',
    '*a',
    '!!js/function x\n',
    '? ',
    '"',
    "'",
    '\t',
    '<<: *a\n',
    '__proto__: {x: 1}\n',
    'name: &n {a: *n}\n',
    '\ufeff',
    '\0',
    '|\n',
    '%YAML 9\n',
    '%TAG\n',
    '...\n'
  )
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 20 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (yaml) => {
      for (const source of [yaml, `---\n${yaml}\n---\nbody`]) {
        const read = readAgentFile('a', 'a.md', 'home', source)
        if (!read.ok) expect(read.error.line).toBeGreaterThan(0)
      }
    }),
    { seed: 8, numRuns: inForm({ quick: 300, full: 1_500, long: 1_500 }) }
  )
  expect(readAgentFile('a', 'a.md', 'home', `---\nname: ${'['.repeat(20_000)}\n---\nx`).ok).toBe(false)
  expect(({} as { x?: number }).x).toBeUndefined()
})
