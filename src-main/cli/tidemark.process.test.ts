import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readRow } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { isLong } from '../history/testing/long-form'
import { scriptedEntry, TEST_API_KEY } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource, WireProtocol } from '../provider/testing/scripted-turn'
import { commandHome } from './testing/run-tidemark'
import type { CommandHome, FinishedRun } from './testing/run-tidemark'

/** As the real endpoint says it, with a wait that a test can afford. */
const overload = {
  kind: 'http',
  status: 529,
  body: JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  headers: { 'retry-after-ms': '1' }
} as const

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

function newHome(): CommandHome {
  const home = commandHome()
  cleanUps.push(() => home.remove())
  return home
}

async function rig(
  turns: readonly TurnSource[],
  protocol: WireProtocol = 'anthropic',
  model = {}
): Promise<{ home: CommandHome; server: ScriptedServer; model: string }> {
  const server = await startScriptedServer({ turns })
  cleanUps.push(() => server.close())
  const home = newHome()
  const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
  home.setProviders(scriptedEntry(protocol, baseUrl, { id: 'test-model', ...model }))
  return { home, server, model: `${protocol}:test-model` }
}

/** Rows of every window of a workspace, in order, straight from the files. */
function storedRows(home: CommandHome, run: FinishedRun): Row[] {
  const windows = path.join(home.home, 'workspaces', String(run.last['workspaceId']), 'windows')
  return readdirSync(windows)
    .toSorted()
    .flatMap((file) => readFileSync(path.join(windows, file), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .flatMap((line) => {
      const row = readRow(JSON.parse(line))
      return row === null ? [] : [row]
    })
}

describe('tidemark run', () => {
  it('60 prints one event a line and ends with the outcome', async () => {
    const { home, model } = await rig([
      { text: 'I look.', toolCalls: [{ name: 'bash', input: { command: 'echo tide' } }] },
      { text: 'It says tide.' }
    ])
    const run = await home.ask('What does it say?', '--model', model)
    expect(run.code).toBe(0)
    expect(run.last).toMatchObject({
      type: 'turn-ended',
      outcome: 'completed',
      reason: null,
      message: null,
      windowId: 'w:0',
      requests: 2
    })
    expect(
      run.events
        .filter((event) => event.type === 'text-delta')
        .map((event) => event['text'])
        .join('')
    ).toContain('It says tide.')
    expect(run.events).toContainEqual(
      expect.objectContaining({ type: 'tool-settled', toolName: 'bash', state: 'output-available' })
    )
    expect(run.events).toContainEqual(expect.objectContaining({ type: 'usage', requestSequence: 1 }))
    expect(run.events.find((event) => event.type === 'row-appended')).toMatchObject({
      workspaceId: run.last['workspaceId']
    })
    expect(storedRows(home, run).map((row) => row.role)).toEqual(['user', 'assistant'])
  })

  it('60 prints readable text without --json and nothing but the result on stdout', async () => {
    const { home, model } = await rig([{ text: 'Plain words.' }])
    const run = await home.run([
      'run',
      '--project',
      home.project,
      '--approve',
      'auto',
      '--model',
      model,
      '--prompt',
      'Hi'
    ])
    expect(run.stdout.trim()).toBe('Plain words.')
  })

  it('60 goes on in a workspace that it made before', async () => {
    const { home, model, server } = await rig([{ text: 'one' }, { text: 'two' }])
    const first = await home.ask('First', '--model', model)
    const second = await home.run([
      'run',
      '--workspace',
      String(first.last['workspaceId']),
      '--prompt',
      'Second',
      '--json'
    ])
    expect(second.last).toMatchObject({ outcome: 'completed', workspaceId: first.last['workspaceId'] })
    expect(server.requests[1]?.rawBody).toContain('First')
    expect(server.problems).toEqual([])
  })

  it('60 reads the prompt from standard input and attaches files, relative to the caller', async () => {
    const { home, model, server } = await rig([{ text: 'seen' }])
    writeFileSync(path.join(home.project, 'note.txt'), 'an attached line')
    const run = await home.run(
      ['run', '--project', '.', '--model', model, '--prompt-file', '-', '--attach', 'note.txt', '--json'],
      { stdin: 'From a pipe', environment: { INIT_CWD: home.project } }
    )
    expect(run.last).toMatchObject({ outcome: 'completed' })
    expect(server.requests[0]?.rawBody).toContain('From a pipe')
    expect(server.requests[0]?.rawBody).toContain('an attached line')
  })

  it('A-3 denies what would ask when nobody can answer, and says so', async () => {
    const { home, model } = await rig([
      { toolCalls: [{ name: 'bash', input: { command: 'touch made.txt' } }] },
      { text: 'No.' }
    ])
    const run = await home.run(['run', '--project', home.project, '--model', model, '--prompt', 'Make it', '--json'])
    expect(run.last).toMatchObject({ outcome: 'completed' })
    expect(run.events).toContainEqual(expect.objectContaining({ type: 'tool-settled', state: 'output-denied' }))
    expect(run.stderr).toContain('--approve')
    expect(existsSync(path.join(home.project, 'made.txt'))).toBe(false)
  })

  it('A-3 never waits for an answer that nobody can give, with text output too', async () => {
    const { home, model } = await rig([
      { toolCalls: [{ name: 'bash', input: { command: 'touch made.txt' } }] },
      { text: 'It was denied.' }
    ])
    const run = await home.run(['run', '--project', home.project, '--model', model, '--prompt', 'Make it'])
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('It was denied.')
  })

  const protocols: readonly WireProtocol[] = ['anthropic', 'chat', 'responses']
  for (const protocol of protocols) {
    it(`L-1 keeps the history consistent over ${protocol} with slow answers cut in mid-character`, async () => {
      const text = 'Grüße, 世界 🌊 — '.repeat(12)
      const { home, model, server } = await rig(
        [
          {
            text,
            toolCalls: [{ name: 'bash', input: { command: 'printf ü' } }],
            delivery: { bytesPerWrite: 3, pieceChars: 2 }
          },
          { text: 'done', delivery: { delayMs: 15 } }
        ],
        protocol
      )
      const run = await home.ask('Umlauts?', '--model', model)
      expect(run.last).toMatchObject({ outcome: 'completed', requests: 2 })
      expect(JSON.stringify(storedRows(home, run)[1]?.parts)).toContain(text)
      expect(server.problems).toEqual([])
    })

    const faults: readonly [string, TurnSource[], string | null, number, number][] = [
      ['429 with retry-after', [{ fault: { kind: 'rate-limit', retryAfter: '0' } }, { text: 'ok' }], null, 0, 2],
      ['a wrong key', [{ fault: { kind: 'auth' } }], 'auth', 1, 1],
      ['an overload that lasts', Array.from({ length: 4 }, () => ({ fault: overload })), 'overloaded', 1, 4],
      [
        'a connection dropped after some text',
        [{ text: 'half of it '.repeat(300), fault: { kind: 'drop', afterBytes: 4_000 } }],
        'network',
        1,
        1
      ],
      [
        'a malformed event',
        [{ text: 'a b c d e f g h', fault: { kind: 'malformed-event', afterEvents: 5 } }],
        'malformed_stream',
        1,
        1
      ],
      ['too long a request', [{ fault: { kind: 'context-exceeded' } }], 'context_exceeded', 1, 1],
      ['an empty answer', [{ text: '' }], null, 0, 1]
    ]
    for (const [name, turns, reason, code, requests] of faults) {
      it(`T-4 60 ends ${name} over ${protocol} with the right outcome and a history that goes on`, async () => {
        const { home, model, server } = await rig([...turns, { text: 'after' }], protocol)
        const run = await home.ask('Go', '--model', model)
        expect(run.code).toBe(code)
        expect(run.last).toMatchObject({
          type: 'turn-ended',
          outcome: code === 0 ? 'completed' : 'failed',
          reason,
          requests
        })
        const next = await home.run(['run', '--workspace', String(run.last['workspaceId']), '--prompt', 'On', '--json'])
        expect(next.last).toMatchObject({ outcome: 'completed' })
        expect(server.problems).toEqual([])
      })
    }
  }

  it.runIf(isLong)('T-4 tries a dropped connection four times', async () => {
    const { home, model } = await rig(Array.from({ length: 4 }, () => ({ fault: { kind: 'drop' } as const })))
    const run = await home.ask('Go', '--model', model)
    expect(run.last).toMatchObject({ outcome: 'failed', reason: 'network', requests: 4 })
  })

  it('P-2 60 exits with 3 when the message fits no fresh window', async () => {
    const { home, model, server } = await rig([], 'anthropic', { contextLimit: 6_000, maxOutputTokens: 1_000 })
    const run = await home.ask('words and words '.repeat(4_000), '--model', model)
    expect(run.code).toBe(3)
    expect(run.last).toMatchObject({
      outcome: 'context_budget_blocked',
      reason: 'fresh_request_too_large',
      requests: 0
    })
    expect(server.requests).toHaveLength(0)
  })

  const signals: readonly [NodeJS.Signals, number][] = [
    ['SIGINT', 130],
    ['SIGTERM', 143]
  ]
  for (const [signal, code] of signals) {
    it(`60 ends the turn cleanly on ${signal} and exits with ${code}`, async () => {
      const { home, model, server } = await rig([
        { text: 'word '.repeat(400), delivery: { pieceChars: 5, delayMs: 20 } },
        { text: 'after' }
      ])
      const running = home.start(['run', '--project', home.project, '--model', model, '--prompt', 'Talk', '--json'])
      await running.printed('text-delta')
      running.kill(signal)
      const run = await running.finished
      expect(run.code).toBe(code)
      expect(run.last).toMatchObject({ type: 'turn-ended', outcome: 'interrupted' })
      expect(storedRows(home, run)[1]?.metadata.interrupted).toBe(true)
      const next = await home.run(['run', '--workspace', String(run.last['workspaceId']), '--prompt', 'On', '--json'])
      expect(next.last).toMatchObject({ outcome: 'completed' })
      expect(server.problems).toEqual([])
    })
  }

  it('H-4 has one copy of the answer and pairs its call after kill -9 in mid-tool', async () => {
    const { home, model, server } = await rig([
      // Spelled so that only its output says "ready": the call itself is on stdout before it is stored.
      { text: 'Before the crash.', toolCalls: [{ name: 'bash', input: { command: 'echo rea""dy; sleep 30' } }] },
      { text: 'after' }
    ])
    const running = home.start([
      'run',
      '--project',
      home.project,
      '--approve',
      'auto',
      '--model',
      model,
      '--prompt',
      'Crash',
      '--json'
    ])
    await running.printed('ready')
    running.kill('SIGKILL')
    const crashed = await running.finished
    expect(crashed.signal).toBe('SIGKILL')
    const workspaceId = String(crashed.events.find((event) => event.type === 'row-appended')?.['workspaceId'])
    const next = await home.run(['run', '--workspace', workspaceId, '--prompt', 'On', '--json'])
    expect(next.last).toMatchObject({ outcome: 'completed' })
    const rows = storedRows(home, next)
    expect(rows.map((row) => row.role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(rows[1]?.parts).toContainEqual(expect.objectContaining({ type: 'dynamic-tool', state: 'interrupted' }))
    expect(server.problems).toEqual([])
  })

  it('T-1 refuses a second process in the same workspace and leaves the first alone', async () => {
    const { home, model } = await rig([
      { text: 'one' },
      { text: 'word '.repeat(80), delivery: { pieceChars: 5, delayMs: 20 } }
    ])
    const first = await home.ask('Begin', '--model', model)
    const workspace = ['--workspace', String(first.last['workspaceId'])]
    const running = home.start(['run', ...workspace, '--prompt', 'Slow', '--json'])
    await running.printed('text-delta')
    const second = await home.run(['run', ...workspace, '--prompt', 'Me too', '--json'])
    expect(second.code).toBe(1)
    expect(second.last).toMatchObject({ outcome: 'failed', reason: 'turn_locked' })
    expect((await running.finished).last).toMatchObject({ outcome: 'completed' })
    expect(storedRows(home, first).map((row) => row.metadata.historySequence)).toEqual([1, 2, 3, 4])
  })

  it('L-1 keeps the key out of everything but providers.json', async () => {
    const { home, model } = await rig([
      { toolCalls: [{ name: 'bash', input: { command: 'env' } }] },
      {
        fault: {
          kind: 'http',
          status: 401,
          body: JSON.stringify({ error: { type: 'authentication_error', message: `bad key ${TEST_API_KEY}` } })
        }
      }
    ])
    const run = await home.ask('Show', '--model', model)
    expect(run.last).toMatchObject({ outcome: 'failed', reason: 'auth' })
    expect(run.stdout + run.stderr).not.toContain(TEST_API_KEY)
    const holding = filesUnder(home.home).filter((file) => readFileSync(file).includes(TEST_API_KEY))
    expect(holding.map((file) => path.basename(file))).toEqual(['providers.json'])
  })
})

describe('wrong use', () => {
  const cases: readonly [string, (home: CommandHome) => string[], string][] = [
    ['an unknown command', () => ['dance'], 'command'],
    ['an unknown flag', (home) => ['run', '--project', home.project, '--fast', '--prompt', 'x'], 'flag'],
    ['no prompt', (home) => ['run', '--project', home.project], 'prompt'],
    ['a missing project folder', () => ['run', '--project', '/no/such/folder', '--prompt', 'x'], 'project'],
    [
      'a project that is a file',
      (home) => ['run', '--project', path.join(home.home, 'config.json'), '--prompt', 'x'],
      'project'
    ],
    [
      'an unknown provider',
      (home) => ['run', '--project', home.project, '--model', 'nobody:x', '--prompt', 'x'],
      'model'
    ],
    [
      'an unknown demo model',
      (home) => ['run', '--project', home.project, '--model', 'demo:nope', '--prompt', 'x'],
      'model'
    ],
    ['an unknown agent', (home) => ['run', '--project', home.project, '--agent', 'nobody', '--prompt', 'x'], 'agent'],
    ['an unknown workspace', () => ['run', '--workspace', 'none', '--prompt', 'x'], 'workspace'],
    ['a workspace that is a path', () => ['export', '--workspace', '../..', '--format', 'jsonl'], 'workspace'],
    [
      'an unreadable prompt file',
      (home) => ['run', '--project', home.project, '--prompt-file', '/no/such'],
      'prompt-file'
    ],
    [
      'an unreadable attachment',
      (home) => ['run', '--project', home.project, '--prompt', 'x', '--attach', '/no/such'],
      'attach'
    ],
    ['an unknown export format', () => ['export', '--workspace', 'x', '--format', 'pdf'], 'format'],
    ['an unreadable import', (home) => ['import', '--format', 'pi', '/no/such', '--project', home.project], 'file'],
    ['an unknown setting', () => ['settings', 'get', 'no.such.key'], 'setting']
  ]
  for (const [name, args, reason] of cases) {
    it(`60 answers ${name} with a usage error and exit 2`, async () => {
      const home = newHome()
      writeFileSync(path.join(home.home, 'config.json'), '{}')
      const run = await home.run([...args(home), '--json'])
      expect(run.code).toBe(2)
      expect(run.last).toMatchObject({ type: 'usage-error', reason, message: expect.stringMatching(/\S/) })
      expect(
        existsSync(path.join(home.home, 'workspaces')) ? readdirSync(path.join(home.home, 'workspaces')) : []
      ).toHaveLength(reason === 'model' || reason === 'agent' ? 1 : 0)
    })
  }
})

describe('damaged homes', () => {
  it('names a broken config.json by line and column, keeps it and uses defaults', async () => {
    const home = newHome()
    const broken = '{\n  "defaultModel": "demo:tide-1",\n  "theme": dark\n}\n'
    writeFileSync(path.join(home.home, 'config.json'), broken)
    const run = await home.run(['settings', 'get', 'theme', '--json'])
    expect(run.last).toMatchObject({ type: 'setting', value: 'system' })
    expect(run.stderr).toMatch(/config\.json.*line 3.*column/s)
    await home.run(['settings', 'set', 'theme', 'light', '--json'])
    expect(readFileSync(path.join(home.home, 'config.json'), 'utf8')).toBe(broken)
  })

  it('names a broken providers.json and still runs on the demo model', async () => {
    const home = newHome()
    writeFileSync(path.join(home.home, 'providers.json'), '{ "providers": [ ')
    const run = await home.ask('hello')
    expect(run.last).toMatchObject({ outcome: 'completed' })
    expect(run.stderr).toMatch(/providers\.json.*line 1/s)
  })

  it('H-3 opens a history with torn, binary, 20 MB and newer lines, and loses nothing', async () => {
    const { home, model, server } = await rig([{ text: 'one' }, { text: 'two' }])
    const first = await home.ask('First', '--model', model)
    const file = path.join(home.home, 'workspaces', String(first.last['workspaceId']), 'windows', 'w-0.jsonl')
    const newer = JSON.stringify({
      id: 'newer',
      role: 'critic',
      parts: [{ type: 'hologram', data: 1 }],
      metadata: { historySequence: 3 },
      rowVersion: 9
    })
    const junk = Buffer.concat([
      Buffer.from('{"id":"torn","role":"us\n'),
      Buffer.from([0, 255, 254, 10, 13, 10]),
      Buffer.from(
        `{"id":"huge","role":"user","parts":[{"type":"text","text":"${'x'.repeat(20_000_000)}"}],"metadata":{}}\n${newer}\n`
      )
    ])
    writeFileSync(file, Buffer.concat([readFileSync(file), junk]))
    const next = await home.run([
      'run',
      '--workspace',
      String(first.last['workspaceId']),
      '--prompt',
      'Second',
      '--json'
    ])
    expect(next.last).toMatchObject({ outcome: 'completed' })
    expect(next.events).toContainEqual(expect.objectContaining({ type: 'row-appended' }))
    const after = readFileSync(file)
    expect(after.includes(junk)).toBe(true)
    expect(server.problems).toEqual([])
    const exported = await home.run(['export', '--workspace', String(first.last['workspaceId']), '--format', 'jsonl'])
    expect(exported.stdout).toContain('hologram')
    expect(exported.stderr).toContain('damaged')
  })

  const canMount =
    process.getuid?.() === 0 && process.platform === 'linux' && spawnSync('mount', ['--version']).status === 0
  it.skipIf(!canMount)('tells a full disk in one sentence and keeps what was accepted', async (context) => {
    const outer = newHome()
    const disk = path.join(outer.base, 'disk')
    mkdirSync(disk)
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', disk]).status !== 0)
      return context.skip('tmpfs cannot be mounted here')
    cleanUps.push(() => spawnSync('umount', [disk]))
    const server = await startScriptedServer({
      turns: [{ text: 'fits' }, { text: 'x'.repeat(400_000), delivery: { pieceChars: 50_000 } }, { text: 'again' }]
    })
    cleanUps.push(() => server.close())
    const home = commandHome(disk)
    home.setProviders(scriptedEntry('anthropic', server.baseUrl))
    const first = await home.ask('Small', '--model', 'anthropic:test-model')
    expect(first.last).toMatchObject({ outcome: 'completed' })
    writeFileSync(path.join(disk, 'filler'), Buffer.alloc(Math.max(0, 600_000 - usedBytes(disk) - 120_000)))
    const workspace = ['--workspace', String(first.last['workspaceId'])]
    const second = await home.run(['run', ...workspace, '--prompt', 'Big', '--json'])
    expect(second.code).toBe(1)
    expect(second.last).toMatchObject({ outcome: 'failed', reason: 'history' })
    expect(String(second.last['message'])).toContain('disk is full')
    rmSync(path.join(disk, 'filler'))
    const third = await home.run(['run', ...workspace, '--prompt', 'Again', '--json'])
    expect(third.last).toMatchObject({ outcome: 'completed' })
    const rows = storedRows(home, first)
    expect(rows.slice(0, 3).map((row) => row.role)).toEqual(['user', 'assistant', 'user'])
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
  })
})

describe('import and export', () => {
  it('H-11 brings the recorded session in and out again with every message intact', async () => {
    const home = newHome()
    const fixture = path.resolve(import.meta.dirname, '../history/testing/fixtures/pi-large-session.jsonl')
    const imported = await home.run(['import', '--format', 'pi', fixture, '--project', home.project, '--json'])
    expect(imported.code).toBe(0)
    expect(imported.last).toMatchObject({ type: 'imported', skipped: 0 })
    const workspaceId = String(imported.last['workspaceId'])
    const exported = await home.run([
      'export',
      '--workspace',
      workspaceId,
      '--format',
      'jsonl',
      '--out',
      'session.jsonl',
      '--json'
    ])
    expect(exported.last).toMatchObject({ type: 'exported', rows: imported.last['rows'] })
    const again = await home.run([
      'import',
      '--format',
      'tidemark',
      'session.jsonl',
      '--project',
      home.project,
      '--json'
    ])
    expect(again.last).toMatchObject({ type: 'imported', rows: imported.last['rows'], skipped: 0 })
    const second = await home.run(['export', '--workspace', String(again.last['workspaceId']), '--format', 'jsonl'])
    expect(second.stdout).toBe(readFileSync(path.join(home.home, 'session.jsonl'), 'utf8'))
    const listed = await home.run(['workspaces', '--json'])
    expect(listed.events).toHaveLength(2)
    expect(listed.events[0]).toMatchObject({
      title: expect.stringMatching(/\S/),
      projectPath: home.project,
      rows: imported.last['rows']
    })
  })
})

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name)
    return entry.isDirectory() ? filesUnder(full) : [full]
  })
}

function usedBytes(folder: string): number {
  return filesUnder(folder).reduce((sum, file) => sum + Math.ceil(statSync(file).size / 4_096) * 4_096, 0)
}
