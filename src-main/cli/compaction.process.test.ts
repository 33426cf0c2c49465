// 60: a workspace with compactions and a rollover under every command of the built program: windows, history for agent
// and person, export and import, doctor, replay-verify.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import { commandHome, type CommandHome, type FinishedRun } from './testing/run-tidemark'

let home: CommandHome
let server: ScriptedServer
let workspaceId: string
beforeAll(async () => {
  home = commandHome()
  const figures = (inputTokens: number) => ({ usage: { inputTokens } })
  server = await startScriptedServer({
    turns: [
      { text: 'One.', ...figures(3_000) },
      { text: 'SUMMARY of the lighthouse', ...figures(3_000) },
      { text: 'Two.', ...figures(15_200) },
      { text: 'Three.', ...figures(3_000) },
      { text: 'SECOND summary', ...figures(3_000) },
      { text: 'Four.', ...figures(3_000) }
    ]
  })
  home.setProviders(
    scriptedEntry('anthropic', server.baseUrl, { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 })
  )
  const long = 'The lighthouse stands on the cliff. '.repeat(40)
  const first = await home.ask(long, '--model', 'anthropic:test-model', '--no-experiment', 'tokenBudget')
  workspaceId = String(first.last['workspaceId'])
  mkdirSync(path.join(home.project, '.tidemark/plans'), { recursive: true })
  writeFileSync(path.join(home.project, `.tidemark/plans/${workspaceId}.md`), 'PLANNED: paint it.')
  await run('/compact')
  await run('Second')
  await run(`Third. ${long}`, '--experiment', 'tokenBudget')
  await run('/compact the paint')
  await run('Fourth')
}, 120_000)
afterAll(async () => {
  home.remove()
  await server.close()
})

const run = (prompt: string, ...flags: string[]): Promise<FinishedRun> =>
  home.run(['run', '--workspace', workspaceId, '--prompt', prompt, '--json', ...flags])
const ask = (command: string, ...args: string[]): Promise<FinishedRun> =>
  home.run([...command.split(' '), ...args, '--workspace', workspaceId, '--json'])

it('60 S-10 windows and history list name each window for what began it, all of them verified', async () => {
  const { events, code } = await ask('windows')
  expect(code).toBe(0)
  expect(events.map(({ kind, rows, verified }) => [kind, rows, verified])).toEqual([
    ['root', 3, true],
    ['compaction', 3, true],
    ['rollover', 5, true],
    ['compaction', 3, true]
  ])
  const list = (await ask('history list')).last['windows']
  expect(list).toMatchObject([{ kind: 'compaction' }, { kind: 'rollover' }, { kind: 'compaction' }, { kind: 'root' }])
  expect(server.requests).toHaveLength(6)
})

it('60 S-3 an agent and a person find what a summary replaced, the summary, and never what it carried', async () => {
  for (const viewer of ['agent', 'person']) {
    const found = await ask('history search', '--query', 'lighthouse', '--as', viewer)
    const items = found.last['items'] as readonly { readonly window_id: string; readonly snippet: string }[]
    expect(items.map(({ window_id }) => window_id)).toEqual(['w:7', 'w:4', 'w:0'])
    expect(items[1]?.snippet).toContain('SUMMARY of the lighthouse')
    expect((await ask('history search', '--query', 'PLANNED', '--as', viewer)).last).toMatchObject({
      items: [],
      exhausted: true
    })
    // What asks for a summary is the person's to see alone.
    const asked = await ask('history search', '--query', 'Summarise this conversation', '--as', viewer)
    expect(asked.last['items']).toHaveLength(viewer === 'agent' ? 0 : 2)
  }
})

it('60 H-12 an export reads in order, and its import is the same history that goes on', async () => {
  const markdown = path.join(home.base, 'story.md')
  expect((await ask('export', '--format', 'markdown', '--out', markdown)).code).toBe(0)
  const told = readFileSync(markdown, 'utf8')
  const places = [
    'lighthouse stands',
    'One.',
    'SUMMARY of the lighthouse',
    'Second',
    'Third.',
    'SECOND summary',
    'Fourth'
  ].map((text) => told.indexOf(text))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThanOrEqual(0)
  expect(told).not.toContain('PLANNED')
  const lines = path.join(home.base, 'story.jsonl')
  expect((await ask('export', '--format', 'jsonl', '--out', lines)).code).toBe(0)
  const imported = await home.run(['import', '--format', 'tidemark', lines, '--project', home.project, '--json'])
  const copy = String(imported.last['workspaceId'])
  const listed = await home.run(['windows', '--workspace', copy, '--json'])
  expect(listed.events.map(({ kind, verified }) => [kind, verified])).toEqual(
    (await ask('windows')).events.map(({ kind, verified }) => [kind, verified])
  )
  const again = path.join(home.base, 'again.jsonl')
  await home.run(['export', '--workspace', copy, '--format', 'jsonl', '--out', again, '--json'])
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(lines, 'utf8'))
})

it('60 H-6 V-2 doctor finds nothing, replay-verify builds every request again', async () => {
  expect((await ask('doctor')).last).toMatchObject({ problems: 0 })
  const verified = await ask('replay-verify')
  expect([verified.code, verified.last]).toEqual([
    0,
    { type: 'replay-verified', requests: 6, differing: 0, damagedLines: 0 }
  ])
  expect(server.problems).toEqual([])
})

it('S-3 a compaction after a manual reset lifts no floor', async () => {
  server.push({ text: 'Five.' }, { text: 'THIRD' }, { text: 'Six.' })
  await run('/clear --soft')
  await run('Fifth. '.repeat(60))
  await run('/compact')
  await run('Sixth')
  expect((await ask('history search', '--query', 'lighthouse')).last).toMatchObject({ items: [], exhausted: true })
  const kinds = (await ask('history list')).last['windows']
  expect(kinds).toMatchObject([{ kind: 'compaction' }, { kind: 'reset' }])
  const person = await ask('history search', '--query', 'lighthouse', '--as', 'person')
  expect(person.last['items']).toHaveLength(3)
})
