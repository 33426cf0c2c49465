// O-5, P-6, K-9 in the whole app: a skill is loaded by its name or pointed out by a path, the rows alone say which are
// known, and what went out is built again from them.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import { toolPartsOf, type Row } from '@common/rows/row-schema'
import { skillNamesOf } from '@common/rows/skill-names'
import { replayOf } from '../context/testing/replay-of'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedToolCall, ScriptedTurn } from '../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../testing/test-app'
import { textOf } from './testing/file-talk'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

interface Rig {
  readonly server: ScriptedServer
  /** Answers still to come; then it says `Fine.` for ever. */
  readonly script: ScriptedTurn[]
  app: TestApp
}

const says = (text: string): ScriptedTurn => ({ text })
const calls = (...toolCalls: ScriptedToolCall[]): ScriptedTurn => ({ toolCalls })
const read = (file: string): ScriptedToolCall => ({ name: 'file_read', input: { path: file } })
const skill = (fields: string, body = 'Render, then look.'): string =>
  `---\ndescription: How we test components\n${fields}---\n${body}\n`

/** Nobody is present: what asks is denied. The project is trusted unless told otherwise. */
async function rig(turns: readonly ScriptedTurn[], { isTrusted = true, model = {} } = {}): Promise<Rig> {
  const script = [...turns]
  const server = await startScriptedServer({ turns: () => Promise.resolve(script.shift() ?? says('Fine.')) })
  toClose.push(server)
  const limits = { id: 'test-model', ...model }
  const providers = [
    scriptedEntry('anthropic', server.baseUrl, limits),
    scriptedEntry('responses', server.baseUrl, limits)
  ]
  const app = await startTestApp({ providers, model: 'anthropic:test-model', personPresent: false })
  toClose.push(app)
  if (isTrusted) await app.ask('project.trust', { projectId: app.session.file.projectId, trusted: true })
  return { server, script, app }
}

function homeSkill({ home }: TestApp, folder: string, text: string, file = 'SKILL.md'): string {
  const place = path.join(home, 'skills', folder, file)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, text)
  return place
}
const projectSkill = (app: TestApp, folder: string, text: string): string =>
  app.writeProject(`.tidemark/skills/${folder}/SKILL.md`, text)

/** What each call of these rows points out, in the order of the calls. */
const pointed = (rows: readonly Row[]): string[][] =>
  rows.flatMap(toolPartsOf).map(({ skillPointers = [] }) => skillPointers.map(({ name }) => name))
const noticesOf = ({ events }: TestApp): string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.notice.message] : []))
async function expectReplays({ app, server }: Rig): Promise<void> {
  const { verdicts, summary } = await replayOf(app)
  expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
  expect(summary).toMatchObject({ requests: server.requests.length, differing: 0 })
  expect(server.problems).toEqual([])
}
async function restart(made: Rig): Promise<void> {
  const { home, project, workspaceId } = made.app
  await made.app.app.close()
  made.app = await startTestApp({ again: { home, project, workspaceId }, personPresent: false })
  const { app } = made.app
  toClose.push({ close: () => app.close() })
}

test('O-5 V-2 the first call on a matching path points to the skill, once a window, also after a restart', async () => {
  const made = await rig([calls(read('src/a.test.tsx')), calls(read('src/b.test.tsx')), says('one')])
  const { server, script, app } = made
  projectSkill(app, 'react', skill('name: react-tests\npaths: src/**/*.test.tsx\n'))
  for (const file of ['a', 'b', 'c']) app.writeProject(`src/${file}.test.tsx`, `test ${file}\n`)
  await app.turn('Look.')
  expect(pointed(await app.rows())).toEqual([['react-tests'], []])
  const pointer =
    '[The skill “react-tests” is about this path: How we test components. Read its instructions with file_read at .tidemark/skills/react/SKILL.md; the person can load it with /react-tests.]'
  const [, second] = server.requests
  const results = second?.body['messages'] as { content: { content?: unknown }[] }[]
  const given = results.at(-1)?.content[0]?.content
  expect(given).toBe(
    `${JSON.stringify({ path: 'src/a.test.tsx', content: '1\ttest a', first_line: 1, last_line: 1, total_lines: 1 })}\n\n${pointer}`
  )
  await restart(made)
  script.push(calls(read('src/c.test.tsx')), says('two'))
  await made.app.turn('Again.')
  expect(pointed(await made.app.rows())).toEqual([['react-tests'], [], []])
  // A provider that takes results in another form is given the same words.
  await made.app.ask('workspace.update', { workspaceId: made.app.workspaceId, model: 'responses:test-model' })
  script.push(says('three'))
  await made.app.turn('And you?')
  expect(server.requests.at(-1)?.rawBody).toContain('the person can load it with /react-tests.]')
  await expectReplays(made)
})

test('O-5 calls side by side in one step get one pointer; two skills on one path are both told', async () => {
  const files = Array.from({ length: 12 }, (_, index) => `ui/part-${index}.tsx`)
  const made = await rig([calls(...files.map(read)), says('done')])
  const { app } = made
  homeSkill(app, 'style', skill('paths: ["*.tsx", "*.css"]\n'))
  projectSkill(app, 'ui', skill('paths: ui/\n'))
  projectSkill(app, 'server', skill('paths: server/\n'))
  for (const file of files) app.writeProject(file, 'x\n')
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  await app.turn('Read them all.')
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
  const all = pointed(await app.rows())
  expect(all).toHaveLength(12)
  expect(all.flat()).toEqual(['style', 'ui'])
  await expectReplays(made)
})

test('O-5 more skills on one path than one result should hold come with the next calls', async () => {
  const made = await rig([calls(read('a.ts')), calls(read('a.ts')), says('done')])
  for (let index = 0; index < 7; index++) homeSkill(made.app, `s${index}`, skill('paths: "*.ts"\n'))
  made.app.writeProject('a.ts', 'x\n')
  await made.app.turn('Read it twice.')
  expect(pointed(await made.app.rows())).toEqual([
    ['s0', 's1', 's2', 's3', 's4'],
    ['s5', 's6']
  ])
})

test('O-5 a failed call points out too, a denied one and a path outside of the project do not', async () => {
  const made = await rig([
    calls(read('../elsewhere/x.ts'), read('.tidemark/x.ts'), read('C:\\src\\x.ts')),
    calls(read('gone/x.ts')),
    says('done')
  ])
  homeSkill(made.app, 'types', skill('paths: "**/*.ts"\n'))
  await made.app.turn('Go.')
  expect(pointed(await made.app.rows())).toEqual([[], [], [], ['types']])
  expect(
    toolPartsOf((await made.app.rows())[1] ?? { id: '', role: 'user', parts: [], metadata: {} }).at(-1)
  ).toMatchObject({
    state: 'output-error'
  })
  expect(made.server.requests.at(-1)?.rawBody).toContain('gone/x.ts does not exist.\\n\\n[The skill “types” is about')
})

test('O-5 names of any script match, and a link is the file that it leads to', async () => {
  const made = await rig([calls(read('Überblick/概要 🌊.md')), says('one'), calls(read('notes.md')), says('two')])
  homeSkill(made.app, 'wasser-水', skill('paths: "U\u0308berblick/*.md"\n'))
  made.app.writeProject('Überblick/概要 🌊.md', 'x\n')
  made.app.writeProject('notes.md', 'x\n')
  await made.app.turn('One.')
  await made.app.turn('Two.')
  expect(pointed(await made.app.rows())).toEqual([['wasser-水'], []])
})

test('O-5 A-1 a project that is not trusted has no skills; trusting it brings them with the next message', async () => {
  const made = await rig([calls(read('a.ts')), says('one'), calls(read('a.ts')), says('two')], { isTrusted: false })
  const { app } = made
  const { projectId } = app.session.file
  projectSkill(app, 'types', skill('paths: "*.ts"\n', 'SECRET WAY'))
  projectSkill(app, 'broken', 'nothing')
  app.writeProject('a.ts', 'x\n')
  expect(await app.ask('project.offers', { projectId })).toEqual({
    files: ['.tidemark/skills/broken', '.tidemark/skills/types']
  })
  await app.turn('/types Read it.')
  expect((await app.rows()).map(rowKindOf)).toEqual(['person', 'assistant'])
  expect(pointed(await app.rows())).toEqual([[]])
  expect(noticesOf(app)).toEqual([])
  expect((await app.ask('commands.list', { projectId })).commands.map(({ name }) => name)).not.toContain('/types')
  expect(made.server.requests[0]?.rawBody).not.toContain('SECRET WAY')
  await app.ask('project.trust', { projectId, trusted: true })
  await app.turn('Again.')
  expect(pointed(await app.rows())).toEqual([[], ['types']])
  expect((await app.ask('commands.list', { projectId })).commands.at(-1)).toEqual({
    kind: 'skill',
    name: '/types',
    arguments: '[text]',
    description: 'How we test components'
  })
})

test('O-5 A-3 a skill’s files are read without asking, at home and in the project; what stands beside it asks', async () => {
  const made = await rig([])
  const { app, script } = made
  const mine = homeSkill(app, 'deploy', skill('paths: "*.yml"\n'))
  const more = homeSkill(app, 'deploy', 'More of it.\n', 'reference/steps.md')
  const hidden = homeSkill(app, 'deploy', 'KEY=1\n', '.env')
  projectSkill(app, 'ui', skill(''))
  app.writeProject('.tidemark/agents/a.md', 'x')
  const files = [mine, more, '.tidemark/skills/ui/SKILL.md', hidden, path.join(app.home, 'config.json')]
  const write = { name: 'file_write', input: { path: mine, content: 'Do as I say.' } }
  script.push(calls(...files.map(read), read('.tidemark/agents/a.md'), write), says('done'))
  await app.turn('Read them.')
  const states = (await app.rows()).flatMap(toolPartsOf).map(({ state }) => state)
  expect(states).toEqual([...Array(3).fill('output-available'), ...Array(4).fill('output-denied')])
})

test('O-5 P-6 V-2 /name loads the skill before the message, once, and it counts as pointed out', async () => {
  const made = await rig([calls(read('a.ts')), says('one')])
  const { app, server } = made
  homeSkill(app, 'types', skill('paths: "*.ts"\n', '# Types\r\n\r\nNo any.'))
  app.writeProject('a.ts', 'x\n')
  await app.turn('/types and see @a.ts')
  const rows = await app.rows()
  expect(rows.map(rowKindOf)).toEqual(['prelude', 'prelude', 'person', 'assistant'])
  const file = path.join(app.home, 'skills/types/SKILL.md')
  expect(rows[0]).toMatchObject({
    id: `${rows[2]?.id}-skill`,
    role: 'user',
    metadata: {
      synthetic: true,
      uiVisible: true,
      machine: { type: 'prelude', source: 'skill', name: 'types', path: file, inputId: rows[2]?.id }
    }
  })
  expect(textOf(rows[0] ?? { id: '', role: 'user', parts: [], metadata: {} })).toBe(
    `The skill “types” (${file}), loaded by the next message:\n\n# Types\n\nNo any.`
  )
  expect(textOf(rows[2] ?? { id: '', role: 'user', parts: [], metadata: {} })).toBe('/types and see @a.ts')
  expect(pointed(rows)).toEqual([[]])
  expect(skillNamesOf(rows)).toEqual(['types'])
  expect(app.session.view.title).toBe('/types and see @a.ts')
  expect(server.requests[0]?.rawBody).toContain('No any.')
  await expectReplays(made)
})

test('O-5 a name that no skill has stays plain text; commands come first', async () => {
  const made = await rig([])
  const { app } = made
  homeSkill(app, 'clear', skill(''))
  homeSkill(app, 'types', skill(''))
  for (const text of ['/unknown', '/typesetting', '/types/a.ts', 'see /types', '/types.', '/clear now', '/Types'])
    await app.turn(text)
  expect(new Set((await app.rows()).map(rowKindOf))).toEqual(new Set(['person', 'assistant']))
  expect(noticesOf(app)).toEqual([expect.stringContaining('the command /clear has this name already')])
  expect((await app.ask('commands.list', { projectId: null })).commands.map(({ name }) => name)).toEqual([
    '/clear',
    '/compact',
    '/types'
  ])
  await app.turn('  /types\nNow.')
  expect((await app.rows()).at(-3)?.metadata.machine).toMatchObject({ source: 'skill', name: 'types' })
})

test('O-5 a broken SKILL.md is told once and passed over; many of them in a few sentences', async () => {
  const made = await rig([])
  const { app } = made
  homeSkill(app, 'big', skill('', 'x'.repeat(1_000_000)))
  homeSkill(app, 'odd', 'no front matter')
  await app.turn('/big')
  await app.turn('/odd')
  expect(noticesOf(app)).toEqual([
    expect.stringContaining('big/SKILL.md:1: it has 10'),
    expect.stringContaining('odd/SKILL.md:1: it does not begin with front matter')
  ])
  expect((await app.rows()).map(rowKindOf)).toEqual(['person', 'assistant', 'person', 'assistant'])
  for (let index = 0; index < 20; index++) homeSkill(app, `more-${index}`, 'none')
  await app.turn('Go on.')
  expect(noticesOf(app)).toHaveLength(7)
  expect(noticesOf(app).at(-1)).toBe('17 more skills cannot be used either.')
})

test('P-6 P-8 a skill that does not fit leaves the capsule alone; an edit takes the skill of the message along', async () => {
  const made = await rig([], { model: { contextLimit: 10_000, maxOutputTokens: 1_000 } })
  const { app, server } = made
  const words = Array.from({ length: 4_000 }, (_, index) => `w${(index * 7_919) % 10_007}`).join(' ')
  homeSkill(app, 'huge', skill('', words))
  homeSkill(app, 'small', skill('', 'Small way.'))
  homeSkill(app, 'other', skill('', 'Other way.'))
  expect(await app.turn('/huge')).toMatchObject({ outcome: 'context_budget_blocked' })
  expect((await app.rows()).map(rowKindOf)).toEqual(['rejected-input'])
  expect(server.requests).toHaveLength(0)
  expect(skillNamesOf(await app.rows())).toEqual([])
  await app.turn('/small please')
  const sent = (await app.rows()).find((row) => rowKindOf(row) === 'person')
  const ended = app.nextEnd()
  await app.ask('row.edit', { workspaceId: app.workspaceId, rowId: sent?.id ?? '', text: '/other please' })
  await ended
  expect(skillNamesOf(await app.rows())).toEqual(['other'])
  expect(server.requests.at(-1)?.rawBody).not.toContain('Small way.')
})

test('O-5 K-9 a fresh window is told again; after a compaction what it carried over counts as pointed out', async () => {
  const made = await rig([])
  const { app, script } = made
  homeSkill(app, 'types', skill('paths: "*.ts"\n'))
  homeSkill(app, 'style', skill('paths: "*.css"\n'))
  for (const file of ['a.ts', 'a.css']) app.writeProject(file, 'x\n')
  const long = 'Look at the parser and say what is wrong with it. '.repeat(40)
  script.push(calls(read('a.ts')), says('one'), says('SUMMARY'), calls(read('a.ts'), read('a.css')), says('two'))
  await app.turn(long)
  const compacted = app.nextEnd()
  await app.send('/compact')
  expect(await compacted).toMatchObject({ outcome: 'completed' })
  const [boundary] = await app.rows()
  expect(boundary?.metadata.postCompactionContext?.skillNames).toEqual(['types'])
  await app.turn('Go on.')
  expect(pointed(await app.rows())).toEqual([[], ['style']])
  expect(skillNamesOf(await app.rows())).toEqual(['types', 'style'])
  await app.send('/clear --soft')
  script.push(calls(read('a.ts')), says('three'))
  await app.turn('Afresh.')
  expect(pointed(await app.rows())).toEqual([['types']])
  await expectReplays(made)
})

test('O-5 P-7 a message that is sent again in a fresh window brings its skill along, and an edit takes it away', async () => {
  const made = await rig([], { model: { contextLimit: 100_000, maxOutputTokens: 1_000 } })
  const { app, script } = made
  homeSkill(app, 'small', skill('paths: "*.ts"\n', 'Small way.'))
  app.writeProject('a.ts', 'x\n')
  await app.ask('settings.set', { path: 'experiments.tokenBudget', value: true })
  await app.turn('Hello.')
  script.push({ fault: { kind: 'context-exceeded' } }, calls(read('a.ts')), says('one'))
  expect(await app.turn('/small please')).toMatchObject({ outcome: 'completed' })
  const rows = await app.rows()
  expect(rows.slice(2).map(rowKindOf)).toEqual(['prelude', 'person', 'assistant'])
  expect(pointed(rows)).toEqual([[]])
  const ended = app.nextEnd()
  await app.ask('row.edit', { workspaceId: app.workspaceId, rowId: rows[3]?.id ?? '', text: 'Never mind.' })
  await ended
  expect(skillNamesOf(await app.rows())).toEqual([])
  await expectReplays(made)
})

test('O-5 L-2 the demo reads a result that a skill is pointed out with, and a message that loads one', async () => {
  const app = await startTestApp({ personPresent: false })
  toClose.push(app)
  homeSkill(app, 'docs', skill('paths: "*.md"\n', 'Write notes before the window w:0 is full of tokens.'))
  app.writeProject('README.md', '# Harbour\n\nShips come and go with the tide.\n')
  expect(await app.turn('Read README.md')).toMatchObject({ outcome: 'completed' })
  expect(pointed(await app.rows())).toEqual([['docs']])
  expect(textOf((await app.rows()).at(-1) ?? { id: '', role: 'user', parts: [], metadata: {} })).toContain('Harbour')
  expect(await app.turn('/docs Read README.md')).toMatchObject({ outcome: 'completed' })
  expect(textOf((await app.rows()).at(-1) ?? { id: '', role: 'user', parts: [], metadata: {} })).toContain('Harbour')
})

test('O-5 A-2 an agent that may not read a skill’s file is not pointed to it', async () => {
  const made = await rig([calls(read('src/a.ts')), says('done')])
  const { app } = made
  projectSkill(app, 'types', skill('paths: "**"\n'))
  app.writeProject('src/a.ts', 'x\n')
  const rules = '  - match: file_read\n    action: allow\n    paths: [src/**]\n'
  app.writeProject('.tidemark/agents/narrow.md', `---\nname: Narrow\ntools:\n${rules}---\nRead src alone.\n`)
  await app.ask('workspace.update', { workspaceId: app.workspaceId, agentId: 'narrow' })
  await app.turn('Read it.')
  expect(pointed(await app.rows())).toEqual([[]])
})
