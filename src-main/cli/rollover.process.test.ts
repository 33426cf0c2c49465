// 60: a task that rolls over goes on in `tidemark run` until it is done; what was sent can be built again afterwards.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Row } from '../../src-common/rows/row-schema'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { commandHome, type CommandHome, type FinishedRun } from './testing/run-tidemark'

let home: CommandHome
const cleanUps: (() => unknown)[] = []
beforeEach(() => {
  home = commandHome()
  cleanUps.push(() => home.remove())
})
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

/** Ceiling 18 000, rollover point 15 000, warning point 9 000. */
async function serve(turns: readonly TurnSource[]): Promise<ScriptedServer> {
  const server = await startScriptedServer({ turns })
  cleanUps.push(() => server.close())
  home.setProviders(
    scriptedEntry('anthropic', server.baseUrl, { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 })
  )
  return server
}

const MODEL = ['--model', 'anthropic:test-model'] as const
const bash = (command: string, inputTokens: number): TurnSource => ({
  toolCalls: [{ name: 'bash', input: { command } }],
  usage: { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 20 }
})
const machines = (run: FinishedRun): unknown[] =>
  run.events.flatMap((event) => {
    const row = event.type === 'row-appended' ? (event['row'] as Row) : null
    return row?.metadata.machine === undefined ? [] : [row.metadata.machine.type]
  })

it('60 G-1 M-3 M-4 V-2 goes on over warning and rollover to one end, and each request is built again', async () => {
  const server = await serve([
    bash('echo first', 9_500),
    bash('echo second', 15_500),
    bash('echo third', 4_000),
    { text: 'All done.' }
  ])
  const run = await home.ask('Count to three', ...MODEL, '--experiment', 'tokenBudget')
  expect(run.last).toMatchObject({ type: 'turn-ended', outcome: 'completed', reason: null, requests: 4 })
  expect(run.events.filter(({ type }) => type === 'turn-ended')).toHaveLength(1)
  expect(run.events.filter(({ type }) => type === 'budget')).toMatchObject([
    { decision: 'warn', hardCeiling: 18_000 },
    { decision: 'rollover', hardCeiling: 18_000 }
  ])
  expect(machines(run)).toEqual([
    'context-budget-warning',
    'continue',
    'context-window-rollover',
    'context-window-lead-in',
    'continue'
  ])
  expect(server.problems).toEqual([])
  const verified = await home.run(['replay-verify', '--workspace', String(run.last['workspaceId']), '--json'])
  expect(verified.last).toMatchObject({ type: 'replay-verified', requests: 4, differing: 0 })
  const windows = await home.run(['windows', '--workspace', String(run.last['workspaceId']), '--json'])
  expect(windows.events).toMatchObject([{ kind: 'root' }, { kind: 'rollover' }])
})

it('60 G-1 the demo model has it on unless --no-experiment says otherwise, and --threshold moves the point', async () => {
  writeFileSync(path.join(home.project, 'big.md'), 'The tide tables are exact. '.repeat(60).concat('\n').repeat(18))
  const on = await home.ask('Read big.md', '--model', 'demo:tide-1')
  expect(on.last).toMatchObject({ outcome: 'completed' })
  const workspace = String(on.last['workspaceId'])
  const again = ['run', '--workspace', workspace, '--prompt', 'Read big.md', '--json', '--threshold', '0.5']
  expect(machines(await home.run([...again, '--no-experiment', 'tokenBudget', '--threshold', '1']))).toEqual([])
  expect(machines(await home.run(again))).toContain('context-window-rollover')
})

it('60 P-2 ends with 3 and calls nobody where the message fits no window of the model', async () => {
  const server = await serve([])
  const run = await home.run(
    ['run', '--project', home.project, '--prompt-file', '-', '--json', ...MODEL, '--experiment', 'tokenBudget'],
    { stdin: 'tide '.repeat(30_000) }
  )
  expect(run.code).toBe(3)
  expect(run.last).toMatchObject({ outcome: 'context_budget_blocked', reason: 'fresh_request_too_large', requests: 0 })
  expect(server.requests).toHaveLength(0)
})
