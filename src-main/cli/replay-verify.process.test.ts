// 60: `tidemark replay-verify` on real files: what it prints, and how it ends.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import { commandHome, type CommandHome, type FinishedRun } from './testing/run-tidemark'

let home: CommandHome
let server: ScriptedServer
let workspaceId: string
const cleanUps: (() => unknown)[] = []
beforeEach(async () => {
  home = commandHome()
  server = await startScriptedServer({
    turns: [
      { thinking: 'Hm.', toolCalls: [{ name: 'bash', input: { command: 'echo tide' } }] },
      { text: 'It says tide.' },
      { text: 'As before.' }
    ]
  })
  const { close } = server
  cleanUps.push(
    () => close(),
    () => home.remove()
  )
  home.setProviders(scriptedEntry('anthropic', server.baseUrl))
  const run = await home.ask('What does it say?', '--model', 'anthropic:test-model')
  workspaceId = String(run.last['workspaceId'])
  // Another process goes on.
  await home.run(['run', '--workspace', workspaceId, '--prompt', 'And now?', '--json'])
}, 60_000)
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

const verify = (...flags: string[]): Promise<FinishedRun> =>
  home.run(['replay-verify', '--workspace', workspaceId, ...flags])
const folder = (): string => path.join(home.home, 'workspaces', workspaceId)

/** Names, times and sizes of all files of the workspace. */
function picture(): string[] {
  return readdirSync(folder(), { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { mtimeMs, size } = statSync(path.join(folder(), name))
      return `${name} ${mtimeMs} ${size}`
    })
}

describe('tidemark replay-verify', () => {
  it('60 V-2 prints a line a request and the sums, ends with 0 and changes nothing', async () => {
    const before = picture()
    const run = await verify('--json')
    expect(run.code).toBe(0)
    expect(run.events.slice(0, -1)).toMatchObject(
      [1, 2, 3].map((requestSequence) => ({ requestSequence, result: 'identical', firstDifference: null }))
    )
    expect(run.last).toEqual({ type: 'replay-verified', requests: 3, differing: 0, damagedLines: 0 })
    expect((await verify()).stdout).toBe('3 requests built again, each as it was sent.\n')
    expect(picture()).toEqual(before)
  })

  it('60 V-2 names the message, its role and its row where a stored byte changed, and ends with 4', async () => {
    const window = path.join(folder(), 'windows', 'w-0.jsonl')
    const text = readFileSync(window, 'utf8')
    writeFileSync(window, text.replace('echo tide', 'echo tidy'))
    const answerId = String((JSON.parse(text.split('\n')[1] ?? '') as { id: unknown }).id)
    const run = await verify('--json')
    expect(run.code).toBe(4)
    expect(run.last).toMatchObject({ type: 'replay-verified', requests: 3, differing: 2 })
    expect(run.events[1]).toMatchObject({
      requestSequence: 2,
      result: 'differs',
      firstDifference: { part: 'message', index: 1, role: 'assistant', rowId: answerId }
    })
    const told = (await verify()).stdout
    expect(told).toContain('Request 2 (w:0, anthropic:test-model) differs: The content of this message')
    expect(told).toContain(`message 2 (assistant)\n  made from ${answerId}`)
    expect(told).toContain('3 requests built again, 2 not as sent.')
  })

  it('60 V-1 V-2 verifies what a killed process sent, and what the next one sends', async () => {
    server.push(
      { toolCalls: [{ name: 'bash', input: { command: 'echo before' } }] },
      { text: 'This is cut off by', fault: { kind: 'hang', afterEvents: 4 } },
      { text: 'And on.' }
    )
    const killed = home.start(['run', '--workspace', workspaceId, '--approve', 'auto', '--prompt', 'Go.', '--json'])
    await killed.printed('This is')
    // While it streams: the answer under way is in partial.json.
    expect((await verify('--json')).last).toMatchObject({ requests: 5, differing: 0 })
    killed.kill('SIGKILL')
    await killed.finished
    expect((await verify('--json')).last).toMatchObject({ requests: 5, differing: 0 })
    await home.run(['run', '--workspace', workspaceId, '--prompt', 'Go on.', '--json'])
    const run = await verify('--json')
    expect(run.last).toMatchObject({ requests: 6, differing: 0, damagedLines: 0 })
    expect(run.events.slice(0, -1).map((event) => event['requestSequence'])).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('60 ends with 2 on wrong use', async () => {
    const nobody = await home.run(['replay-verify', '--workspace', 'nobody', '--json'])
    expect([nobody.code, nobody.last]).toMatchObject([2, { type: 'usage-error', reason: 'workspace' }])
    expect((await home.run(['replay-verify', '--json'])).code).toBe(2)
    expect((await verify('--repair')).code).toBe(2)
    expect((await verify('extra')).code).toBe(2)
  })
})
