// 60 C-1: `/compact` on the command line ends like a turn, with its exit codes; its summary is no answer.
import { afterEach, beforeEach, expect, it } from 'vitest'
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

/** Ceiling 18 000, compaction at 15 000. */
async function serve(turns: readonly TurnSource[]): Promise<ScriptedServer> {
  const server = await startScriptedServer({ turns })
  cleanUps.push(() => server.close())
  const limits = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
  home.setProviders(scriptedEntry('anthropic', server.baseUrl, limits))
  return server
}

const MODEL = ['--model', 'anthropic:test-model'] as const
const LONG = 'Look at the parser and say what is wrong with it. '.repeat(40)

async function begun(): Promise<string> {
  const { last } = await home.ask(LONG, ...MODEL)
  expect(last).toMatchObject({ outcome: 'completed' })
  return String(last['workspaceId'])
}

function send(workspaceId: string, prompt: string, ...flags: readonly string[]): Promise<FinishedRun> {
  return home.run(['run', '--workspace', workspaceId, '--prompt', prompt, ...flags])
}

it('60 C-1 /compact with words summarises, shows what it is, and the next message goes into the new window', async () => {
  const server = await serve([{ text: 'Two loops.' }, { text: 'The parser is at fault.' }, { text: 'Fine.' }])
  const workspaceId = await begun()
  const shown = await send(workspaceId, '/compact dwell on the parser')
  expect(shown).toMatchObject({ code: 0, stderr: expect.not.stringContaining('summar') })
  expect(shown.stdout).toMatch(/▸ summarising this window\nThe parser is at fault\.\n✓ compaction: \d+ → \d+ tokens/)
  expect(server.requests[1]?.rawBody).toContain('dwell on the parser')
  expect((await send(workspaceId, 'Go on')).code).toBe(0)
  expect(server.requests[2]?.rawBody).toContain('The parser is at fault.')
  expect(server.requests[2]?.rawBody).not.toContain('Look at the parser')
  const windows = await home.run(['windows', '--workspace', workspaceId, '--json'])
  expect(windows.events).toMatchObject([{ kind: 'root' }, { kind: 'compaction' }])
  const verified = await home.run(['replay-verify', '--workspace', workspaceId, '--json'])
  expect(verified.last).toMatchObject({ requests: 3, differing: 0 })
})

it('60 C-5 /compact ends with 1 and its reason where no summary was made, or there is nothing yet', async () => {
  const server = await serve([{ text: 'Two loops.' }, { text: ' ' }])
  const empty = await home.ask('/compact', ...MODEL)
  expect(empty.code).toBe(1)
  expect(empty.last).toMatchObject({ type: 'turn-ended', outcome: 'failed', reason: 'nothing_to_compact', requests: 0 })
  const workspaceId = await begun()
  const refused = await send(workspaceId, '/compact')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('✗ no summary: The model answered without a summary. The window stays as it is.')
  expect(refused.stderr).toContain('tidemark: The model answered without a summary.')
  expect(server.requests).toHaveLength(2)
  // The row that says why there is none is no other request than the one that was sent.
  const verified = await home.run(['replay-verify', '--workspace', workspaceId, '--json'])
  expect(verified.last).toMatchObject({ requests: 2, differing: 0 })
})

it('60 C-2 a window that fills up is summarised on the way, and the message is answered', async () => {
  await serve([{ text: 'one', usage: { inputTokens: 15_100 } }, { text: 'SUMMARY' }, { text: 'The answer.' }])
  const workspaceId = await begun()
  const shown = await send(workspaceId, 'Go on')
  expect(shown.code).toBe(0)
  expect(shown.stdout).toMatch(/▸ summarising this window\nSUMMARY\n✓ compaction: .* tokens\nThe answer\./)
})

it('C-3 U-10 settings get and set know the hours of idle compaction, and what they may be', async () => {
  const set = await home.run(['settings', 'set', 'idleCompactionHours', '8'])
  expect(set.code).toBe(0)
  expect((await home.run(['settings', 'get', 'idleCompactionHours'])).stdout.trim()).toBe('8')
  for (const wrong of ['169', '-1', '1.5', 'often']) {
    expect((await home.run(['settings', 'set', 'idleCompactionHours', wrong])).code).toBe(2)
  }
  expect((await home.run(['settings', 'get', 'idleCompactionHours'])).stdout.trim()).toBe('8')
})
