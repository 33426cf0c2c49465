import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import { commandHome } from './testing/run-tidemark'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

describe('60 tidemark run --memory', () => {
  it('Y-2 switches memory for this run alone, in a workspace that has it too', async () => {
    const write = { name: 'memory', input: { command: 'create', path: '/memories/workspace/a.md', file_text: 'x' } }
    const server = await startScriptedServer({
      turns: [
        { text: 'Hi.' },
        { toolCalls: [write] },
        { text: 'I cannot.' },
        { toolCalls: [write] },
        { text: 'No.' },
        { text: 'Hi.' }
      ]
    })
    cleanUps.push(() => server.close())
    const home = commandHome()
    cleanUps.push(() => home.remove())
    home.setProviders(scriptedEntry('anthropic', server.baseUrl, { id: 'test-model' }))
    const folder = path.join(home.home, 'memories/global')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'style.md'), 'Be brief.\n')
    writeFileSync(path.join(folder, '.memory-index.json'), '{"memories":{"style.md":{"pinned":true}}}')

    const first = await home.ask('Begin', '--model', 'anthropic:test-model')
    const workspace = String(first.last['workspaceId'])
    for (const flags of [['--memory', 'off'], ['--memory', 'read-only'], []]) {
      const run = await home.run(['run', '--workspace', workspace, '--prompt', 'On', '--json', ...flags])
      expect(run.last).toMatchObject({ outcome: 'completed' })
      const settled = run.events.find(({ type }) => type === 'tool-settled')
      expect(settled?.['state']).toBe(flags.length > 0 ? 'output-denied' : undefined)
    }
    const systems = server.requests.map(({ body }) => JSON.stringify(body['system']))
    expect(systems.map((system) => [system.includes('Be brief.'), system.includes('read-only')])).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [true, true],
      [true, true],
      [true, false]
    ])
    expect(systems[5]).toBe(systems[0])
    expect(existsSync(path.join(home.home, 'workspaces', workspace, 'memories'))).toBe(false)
    const config = path.join(home.home, 'config.json')
    expect(existsSync(config) ? readFileSync(config, 'utf8') : '').not.toContain('memory')
  })
})
