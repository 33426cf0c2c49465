// What can go wrong around a turn: files that are gone or damaged, a full disk, a stop at any moment. After each the
// session is idle, its history is consistent, what a person typed is somewhere, and the next turn works.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestContext } from 'vitest'
import type { EventBatch } from '@common/contract/events'
import type { SessionPhase } from '@common/contract/views'
import { isKnownPart, toolPartsOf } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { isLong } from '../history/testing/long-form'
import { createManualClock } from '../provider/testing/manual-clock'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedTurn, TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import type { TestApp, TestAppOptions } from '../testing/test-app'
import { historyProblemsOf } from './testing/history-problems'
import { afterTicks, seededRandom } from './testing/random'

const CYCLES = isLong ? 600 : 100

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

interface Rig {
  readonly server: ScriptedServer
  readonly test: TestApp
}

/** The server answers what `turns` say, then plain texts for ever. */
async function rig(turns: readonly TurnSource[], options: TestAppOptions = {}): Promise<Rig> {
  const script = [...turns]
  const server = await startScriptedServer({
    turns: async (request) => {
      const source = script.shift() ?? { text: 'Fine.' }
      return typeof source === 'function' ? source(request) : source
    }
  })
  cleanUps.push(() => server.close())
  const test = await startTestApp({
    providers: [scriptedEntry('anthropic', server.baseUrl)],
    model: 'anthropic:test-model',
    ...options
  })
  cleanUps.push(() => test.close())
  return { server, test }
}

function textOf(row: Row | undefined): string {
  return (row?.parts ?? []).map((part) => (isKnownPart(part) && part.type === 'text' ? part.text : '')).join('')
}

function sendTo(workspaceId: string): object {
  return { workspaceId, text: 'Anyone?', attachments: [], mode: 'turn-end' }
}

/** Idle, consistent, and one more turn completes. */
async function expectUsable({ test, server }: Rig): Promise<void> {
  expect(test.session.view.phase).toBe('idle')
  expect(historyProblemsOf(await test.rows())).toEqual([])
  const end = await test.turn('Still there?')
  expect({ outcome: end.outcome, message: end.message, problems: server.problems }).toEqual({
    outcome: 'completed',
    message: null,
    problems: []
  })
  expect(historyProblemsOf(await test.rows())).toEqual([])
}

/** The file of an open workspace. */
function fileOf(test: TestApp, ...names: string[]): string {
  return path.join(test.session.folder, ...names)
}

describe('files that are gone or damaged', () => {
  it('W-0 builds a system text anew whose file was deleted', async () => {
    const made = await rig([])
    const { test, server } = made
    await test.turn('One')
    const partNames = (): string[] => readdirSync(fileOf(test, 'request-parts')).toSorted()
    const parts = partNames()
    rmSync(fileOf(test, 'request-parts'), { recursive: true })
    await expectUsable(made)
    expect(server.requests[1]?.body['system']).toEqual(server.requests[0]?.body['system'])
    expect(partNames()).toEqual(parts)
  })

  it('W-0 sends without a frozen system text where it cannot be stored', async () => {
    const made = await rig([])
    writeFileSync(fileOf(made.test, 'request-parts'), 'a file where the folder should be')
    await expectUsable(made)
  })

  it('H-13 tells the model of an attachment whose file was deleted', async () => {
    const made = await rig([])
    const { test, server } = made
    const { workspaceId } = test
    const bytes = new Uint8Array([1, 2, 3])
    const added = await test.ask('attachment.add', { workspaceId, filename: 'a.png', mediaType: 'image/png', bytes })
    const end = test.nextEnd()
    await test.ask('turn.send', { workspaceId, text: 'See', attachments: [added.attachment], mode: 'turn-end' })
    await end
    expect(server.requests[0]?.rawBody).toContain('"media_type":"image/png"')
    rmSync(fileOf(test, 'attachments'), { recursive: true })
    await expectUsable(made)
    expect(server.requests[1]?.rawBody).toContain('The attachment a.png is no longer on disk.')
    mkdirSync(fileOf(test, 'attachments', added.attachment.sha256), { recursive: true })
    await expectUsable(made)
  })

  it('T-2 opens with a queue file that does not parse, says so once, and queues on', async () => {
    const { test, server } = await rig([])
    await test.turn('One')
    await test.app.close()
    writeFileSync(path.join(test.home, 'workspaces', test.workspaceId, 'queue.json'), Buffer.from([0, 159, 146, 150]))
    const again = await startTestApp({ again: test })
    cleanUps.push(() => again.close())
    const snapshot = await again.ask('workspace.open', { workspaceId: test.workspaceId })
    expect(snapshot.notices.map((notice) => notice.message)).toEqual([
      expect.stringMatching(/queue .* does not parse; a copy is kept/)
    ])
    await expectUsable({ test: again, server })
  })

  it('00 opens with a workspace.json that does not parse, and works once it knows its folder and model again', async () => {
    const { test, server } = await rig([])
    await test.turn('One')
    await test.app.close()
    writeFileSync(path.join(test.home, 'workspaces', test.workspaceId, 'workspace.json'), Buffer.from([0, 255, 254]))
    const again = await startTestApp({ again: test })
    cleanUps.push(() => again.close())
    const { workspaceId } = test
    const snapshot = await again.ask('workspace.open', { workspaceId })
    expect(snapshot.workspace.title).toBe('Recovered workspace')
    expect(snapshot.notices).toHaveLength(1)
    expect(await again.turn('Lost?')).toMatchObject({ outcome: 'failed', reason: 'project' })
    const model = 'anthropic:test-model'
    await again.ask('workspace.update', { workspaceId, projectPath: test.project, model })
    const queued = again.session.queue.entries
    expect(queued.map((entry) => [entry.text, entry.held])).toEqual([['Lost?', true]])
    await expectUsable({ test: again, server })
    expect((await again.rows()).map(textOf)).toContain('One')
  })

  it('T-1 finishes a turn whose project folder is deleted under it, and says so at the next', async () => {
    // Beside the project, since a folder cannot be renamed onto another disk.
    const goneFrom = (project: string): string => `${project}-gone`
    const made = await rig([
      () => {
        renameSync(made.test.project, goneFrom(made.test.project))
        return { toolCalls: ['bash', 'glob', 'file_read'].map((name) => ({ name, input: inputOf(name) })) }
      },
      { text: 'It is gone.' }
    ])
    expect(await made.test.turn('Look around')).toMatchObject({ outcome: 'completed', requests: 2 })
    const calls = (await made.test.rows()).flatMap(toolPartsOf)
    expect(calls.map((call) => call.state)).toEqual(['output-error', 'output-error', 'output-error'])
    const end = await made.test.turn('And now?')
    expect(end).toMatchObject({ outcome: 'failed', reason: 'project', requests: 0 })
    expect(end.message).toContain(made.test.project)
    expect(made.test.session.queue.entries.map((entry) => [entry.text, entry.held])).toEqual([['And now?', true]])
    renameSync(goneFrom(made.test.project), made.test.project)
    await expectUsable(made)
  })

  it('A-1 says that an agent is gone whose file was removed, and keeps the message', async () => {
    const made = await rig([])
    const { test } = made
    const { workspaceId } = test
    const file = path.join(test.home, 'agents', 'sailor.md')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '---\nname: Sailor\ndescription: sails\nbase: exec\n---\nYou sail.\n')
    await test.ask('workspace.update', { workspaceId, agentId: 'sailor' })
    expect(await test.turn('Ahoy')).toMatchObject({ outcome: 'completed' })
    rmSync(file)
    const end = await test.turn('Ahoy again')
    expect(end).toMatchObject({ outcome: 'failed', reason: 'agent', message: expect.stringContaining('sailor') })
    await test.ask('workspace.update', { workspaceId, agentId: 'exec' })
    const [held] = test.session.queue.entries
    expect(held).toMatchObject({ text: 'Ahoy again', held: true })
    const sent = test.nextEnd()
    await test.ask('queue.send', { workspaceId, entryId: held?.id ?? '' })
    expect(await sent).toMatchObject({ outcome: 'completed' })
    await expectUsable(made)
  })

  it('T-1 goes on when the clock jumps back', async () => {
    const clock = createManualClock(undefined, 20_000)
    const jump = async (): Promise<ScriptedTurn> => {
      await clock.advance(-3_600_000)
      return { text: 'An hour ago.', toolCalls: [{ name: 'glob', input: { pattern: '*' } }] }
    }
    const made = await rig([jump, { text: 'Now.' }], { clock })
    expect(await made.test.turn('What time is it?')).toMatchObject({ outcome: 'completed' })
    const rows = await made.test.rows()
    expect(rows.at(-1)?.metadata.durationMs).toBeGreaterThanOrEqual(0)
    await expectUsable(made)
  })
})

function inputOf(toolName: string): object {
  if (toolName === 'bash') return { command: 'ls' }
  return toolName === 'glob' ? { pattern: '*' } : { path: 'a.txt' }
}

describe('a queue file that cannot be written', () => {
  /** Acts between the queue and the append, where the key is looked up; that turn finds `key`. */
  function sabotageOf(act: () => void, key: string | undefined) {
    let state: 'off' | 'armed' | 'done' = 'off'
    const environment = { PATH: process.env['PATH'] ?? '' }
    Object.defineProperty(environment, 'FAULT_KEY', {
      enumerable: true,
      get() {
        if (state === 'armed') act()
        if (state === 'armed') state = 'done'
        return state === 'off' ? 'a-key-of-some-length' : key
      }
    })
    return { environment, arm: () => (state = 'armed'), end: () => (state = 'off') }
  }

  it('T-2 does not send a message again whose row is stored', async () => {
    const sabotage = sabotageOf(() => blockFile(fileOf(made.test, 'queue.json')), 'a-key-of-some-length')
    const made = await rigWithEnvironment(sabotage.environment)
    await made.test.turn('One')
    sabotage.arm()
    expect(await made.test.turn('Two')).toMatchObject({ outcome: 'completed' })
    expect((await made.test.rows()).filter((row) => row.role === 'user').map(textOf)).toEqual(['One', 'Two'])
    expect(made.test.session.queue.entries).toEqual([])
    rmSync(fileOf(made.test, 'queue.json'), { recursive: true })
    await expectUsable(made)
  })

  it('T-2 holds back the message of a failed turn, without trying it again and again', async () => {
    const sabotage = sabotageOf(() => blockFile(fileOf(made.test, 'queue.json')), undefined)
    const made = await rigWithEnvironment(sabotage.environment)
    await made.test.turn('One')
    sabotage.arm()
    expect(await made.test.turn('Two')).toMatchObject({ outcome: 'failed', reason: 'auth' })
    await made.test.event(
      'status-changed',
      (event) => event.status.lastProblem !== null && event.status.phase === 'idle'
    )
    expect(made.test.session.busy).toBe(false)
    expect(made.test.session.queue.entries.map((entry) => [entry.text, entry.held])).toEqual([['Two', true]])
    expect((await made.test.rows()).map(textOf)).toEqual(['One', 'Fine.'])
    sabotage.end()
    rmSync(fileOf(made.test, 'queue.json'), { recursive: true })
    await expectUsable(made)
  })

  async function rigWithEnvironment(environment: Record<string, string>): Promise<Rig> {
    const server = await startScriptedServer({ turns: () => ({ text: 'Fine.' }) })
    cleanUps.push(() => server.close())
    const { apiKey: _key, ...entry } = scriptedEntry('anthropic', server.baseUrl)
    const test = await startTestApp({
      providers: [{ ...entry, apiKeyEnv: 'FAULT_KEY' }],
      model: 'anthropic:test-model',
      environment
    })
    cleanUps.push(() => test.close())
    return { server, test }
  }
})

/** A folder in its place: no write goes through, for root neither. */
function blockFile(file: string): void {
  rmSync(file, { force: true, recursive: true })
  mkdirSync(file)
}

describe('a disk that is full', () => {
  const SIZE_KIB = 2_048
  /** More than the pages that are freed and filled beside it. */
  const LONG_ANSWER = 'words of the answer '.repeat(3_000)

  function smallDisk({ skip }: TestContext): string {
    const disk = mkdtempSync(path.join(tmpdir(), 'tidemark-disk-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_KIB}k`, 'tmpfs', disk], { encoding: 'utf8' })
    cleanUps.push(() => rmSync(disk, { recursive: true, force: true }))
    if (mounted.status !== 0) skip(`this machine mounts no tmpfs for us: ${mounted.stderr ?? mounted.error}`)
    cleanUps.push(() => spawnSync('umount', ['-l', disk]))
    return disk
  }

  /** Leaves so many bytes free; answers what makes room again. */
  function fill(disk: string, freeBytes: number): () => void {
    const { bavail, bsize } = statfsSync(disk)
    const file = path.join(disk, 'filler')
    writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes), 1))
    return () => rmSync(file)
  }

  it('T-2 does not take a message that cannot be kept, and says so', async (context) => {
    const disk = smallDisk(context)
    const made = await rig([], { within: disk })
    await made.test.turn('One')
    const free = fill(disk, 0)
    await expect(made.test.send('Two')).rejects.toThrow(/disk is full. Free some space/)
    free()
    await expectUsable(made)
    expect((await made.test.rows()).map(textOf)).not.toContain('Two')
  })

  it('H-1 T-2 ends the turn with one sentence when its message cannot be stored, and keeps the message', async (context) => {
    const disk = smallDisk(context)
    const made = await rig([], { within: disk })
    await made.test.turn('One')
    // Room for the queue's copy of it, not for the row.
    const long = 'a long message '.repeat(4_000)
    const free = fill(disk, Buffer.byteLength(long) + 24_576)
    const end = await made.test.turn(long)
    expect(end).toMatchObject({ outcome: 'failed', reason: 'history', requests: 0 })
    expect(end.message).toMatch(/disk is full/)
    expect(made.test.session.queue.entries.map((entry) => [entry.text === long, entry.held])).toEqual([[true, true]])
    expect((await made.test.rows()).map(textOf)).toEqual(['One', 'Fine.'])
    free()
    const sent = made.test.nextEnd()
    const [held] = made.test.session.queue.entries
    await made.test.ask('queue.send', { workspaceId: made.test.workspaceId, entryId: held?.id ?? '' })
    expect(await sent).toMatchObject({ outcome: 'completed' })
    expect((await made.test.rows()).filter((row) => textOf(row) === long)).toHaveLength(1)
    await expectUsable(made)
  })

  it('T-4 H-4 keeps an answer that cannot be stored and stores it once there is room', async (context) => {
    const disk = smallDisk(context)
    let free = (): void => undefined
    const made = await rig(
      [
        () => {
          free = fill(disk, 0)
          return { text: LONG_ANSWER, delivery: { pieceChars: 10_000 } }
        }
      ],
      { within: disk }
    )
    const end = await made.test.turn('Tell me')
    expect(end).toMatchObject({ outcome: 'failed', reason: 'history', message: expect.stringMatching(/disk is full/) })
    free()
    await expectUsable(made)
    const kept = (await made.test.rows()).filter((row) => row.role === 'assistant').map(textOf)
    expect(kept).toEqual([LONG_ANSWER, 'Fine.'])
  })

  it('T-4 H-4 keeps such an answer also when the app closes before the next turn', async (context) => {
    const disk = smallDisk(context)
    let free = (): void => undefined
    const answer = (): ScriptedTurn => {
      free = fill(disk, 0)
      return { text: LONG_ANSWER, delivery: { pieceChars: 10_000 } }
    }
    const { test, server } = await rig([answer], { within: disk })
    expect(await test.turn('Tell me')).toMatchObject({ outcome: 'failed', reason: 'history' })
    free()
    await test.app.close()
    const again = await startTestApp({ again: test })
    cleanUps.push(() => again.close())
    expect((await again.rows()).map(textOf)).toEqual(['Tell me', LONG_ANSWER])
    await expectUsable({ test: again, server })
  })
})

describe('T-1 a stop at any moment', () => {
  const command = (text: string): ScriptedTurn => ({
    text: 'I run it.',
    toolCalls: [{ name: 'bash', input: { command: text } }]
  })
  const question: ScriptedTurn = { toolCalls: [{ name: 'ask_user', input: { question: 'Which tide?' } }] }
  const slow: ScriptedTurn = { text: 'slow words '.repeat(200), delivery: { pieceChars: 11, delayMs: 20 } }

  interface Moment {
    readonly turns: readonly TurnSource[]
    readonly options?: TestAppOptions
    reached(test: TestApp): Promise<unknown>
  }
  const MOMENTS: Readonly<Record<string, Moment>> = {
    'at once': { turns: [], reached: async () => undefined },
    'while the answer streams': { turns: [slow], reached: (test) => test.event('text-delta') },
    'while a tool runs': { turns: [command('echo on; sleep 30')], reached: (test) => test.event('tool-output') },
    'while an approval waits': {
      turns: [command('echo on')],
      options: { approvalMode: 'ask' },
      reached: (test) => test.event('approvals-changed', (event) => event.approvals.length === 1)
    },
    'while a question waits': {
      turns: [question],
      reached: (test) => test.event('questions-changed', (event) => event.questions.length === 1)
    },
    'while a retry waits': {
      turns: [{ fault: { kind: 'rate-limit', retryAfter: '60' } }],
      reached: (test) => test.event('status-changed', (event) => event.status.retry !== null)
    }
  }

  it.each(Object.keys(MOMENTS))('interrupts %s and goes on', async (name) => {
    const {
      turns,
      options = {},
      reached
    } = MOMENTS[name] ?? MOMENTS['at once'] ?? { turns: [], reached: async () => 0 }
    const made = await rig(turns, options)
    const { test } = made
    const end = test.nextEnd()
    await test.send('Go')
    await reached(test)
    await test.session.interrupt()
    expect(test.session.view.phase).toBe('idle')
    expect(test.session.view.waiting).toBe(false)
    expect(await end).toMatchObject({ outcome: 'interrupted', message: null })
    const said = (await test.rows()).filter((row) => row.role === 'user').map(textOf)
    const waits = test.session.queue.entries.map((entry) => entry.text)
    expect([...said, ...waits]).toEqual(['Go'])
    await expectUsable(made)
  })

  it.each(Object.keys(MOMENTS))('closes %s, and finds everything when it opens again', async (name) => {
    const {
      turns,
      options = {},
      reached
    } = MOMENTS[name] ?? MOMENTS['at once'] ?? { turns: [], reached: async () => 0 }
    const { test, server } = await rig(turns, options)
    await test.send('Go')
    await test.send('And then', 'turn-end')
    await reached(test)
    await test.app.close()
    expect(existsSync(fileOf(test, 'turn.lock'))).toBe(false)
    const again = await startTestApp({ again: test })
    cleanUps.push(() => again.close())
    const { queue, status } = await again.ask('workspace.open', { workspaceId: test.workspaceId })
    expect(status.phase).toBe('idle')
    const said = (await again.rows()).filter((row) => row.role === 'user').map(textOf)
    expect([...said, ...queue.map((entry) => entry.text)]).toEqual(['Go', 'And then'])
    expect(queue.every((entry) => entry.held)).toBe(true)
    await expectUsable({ test: again, server })
  })

  const PHASES: readonly SessionPhase[] = ['preparing', 'streaming', 'settling']

  /** Sends two messages and calls `stop` the moment the first turn is in this phase; resolves when `stop` is over. */
  async function stopAt(phase: SessionPhase, stop: (test: TestApp) => Promise<void>): Promise<Rig> {
    let reached: (() => void) | null = null
    const publish = (batch: EventBatch): void => {
      if (batch.channel !== 'app') return
      const isReached = batch.events.some(
        (event) => event.type === 'workspace-changed' && event.workspace.phase === phase
      )
      if (isReached) reached?.()
    }
    const made = await rig([{ text: 'One.' }], { publish })
    const stopped = new Promise<void>((resolve) => {
      reached = () => {
        reached = null
        // After the move that tells of it is over.
        queueMicrotask(() => void stop(made.test).then(resolve))
      }
    })
    await Promise.all([made.test.send('Go'), made.test.send('And then', 'turn-end')])
    await stopped
    return made
  }

  it.each(PHASES)('interrupts the moment it is %s, and what waits in the queue does not start', async (phase) => {
    const made = await stopAt(phase, (test) => test.session.interrupt())
    const { test } = made
    expect(test.session.view.phase).toBe('idle')
    const said = (await test.rows()).filter((row) => row.role === 'user').map(textOf)
    const waits = test.session.queue.entries.map((entry) => [entry.text, entry.held])
    expect(new Set([...said, ...waits.map(([text]) => text)])).toEqual(new Set(['Go', 'And then']))
    expect(said.length + waits.length).toBe(2)
    expect(waits).toContainEqual(['And then', true])
    await expectUsable(made)
  })

  it.each(PHASES)('closes the moment it is %s, and finds everything when it opens again', async (phase) => {
    const { test, server } = await stopAt(phase, (running) => running.app.close())
    const again = await startTestApp({ again: test })
    cleanUps.push(() => again.close())
    const said = (await again.rows()).filter((row) => row.role === 'user').map(textOf)
    const waits = again.session.queue.entries.map((entry) => entry.text)
    expect(new Set([...said, ...waits])).toEqual(new Set(['Go', 'And then']))
    expect(said.length + waits.length).toBe(2)
    await expectUsable({ test: again, server })
  })

  it('deletes a workspace in mid-turn, with what was said in the trash', async () => {
    const { test } = await rig([slow])
    const end = test.nextEnd()
    await test.send('Go')
    await test.event('text-delta')
    await test.ask('workspace.delete', { workspaceId: test.workspaceId })
    expect(await end).toMatchObject({ outcome: 'interrupted' })
    expect(existsSync(test.session.folder)).toBe(false)
    const [kept] = readdirSync(path.join(test.home, 'trash'))
    const window = readFileSync(path.join(test.home, 'trash', kept ?? '', 'windows', 'w-0.jsonl'), 'utf8')
    expect(window).toContain('Go')
    expect(window).toContain('slow words')
    expect(await test.app.dispatch('turn.send', sendTo(test.workspaceId))).toMatchObject({ ok: false })
  })

  it(`T-2 stores or holds each of ${CYCLES} messages once, however quickly they are sent and stopped`, async () => {
    const random = seededRandom(20_260)
    const made = await rig([])
    const { test } = made
    const texts: string[] = []
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const text = `message ${cycle}`
      texts.push(text)
      await test.send(text, random() < 0.5 ? 'tool-end' : 'turn-end')
      if (random() < 0.3) continue
      const wait = Math.floor(random() * 4)
      await afterTicks(wait)
      if (random() < 0.1) await new Promise((resolve) => setTimeout(resolve, random() * 12))
      const stopping = test.session.interrupt()
      if (random() < 0.5) await stopping
      // The queue takes fifty; a person would send or remove what is held.
      for (const entry of test.session.queue.entries) {
        if (!entry.held || random() < 0.5) continue
        await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: entry.id }).catch(() => undefined)
      }
    }
    await test.session.interrupt()
    await idle(test)
    const rows = await test.rows()
    expect(historyProblemsOf(rows)).toEqual([])
    const said = rows.filter((row) => row.role === 'user').map(textOf)
    const waits = test.session.queue.entries.map((entry) => entry.text)
    expect([...said, ...waits].toSorted()).toEqual(texts.toSorted())
    expect(test.session.queue.entries.filter((entry) => !entry.held)).toEqual([])
    expect(made.server.problems).toEqual([])
    await expectUsable(made)
  })
})

describe('T-2 a message that comes or goes while a turn ends', () => {
  /** Calls `act` so many ticks after each turn began to settle. */
  function atEachEnd(act: (test: TestApp) => void, ticks: () => number) {
    const publish = (batch: EventBatch): void => {
      const isEnd =
        batch.channel === 'app' &&
        batch.events.some((event) => event.type === 'workspace-changed' && event.workspace.phase === 'settling')
      if (isEnd) void afterTicks(ticks()).then(() => made !== null && !isOver && act(made.test))
    }
    let made: Rig | null = null
    let isOver = false
    return { publish, use: (rig: Rig) => (made = rig), stop: () => (isOver = true) }
  }

  it('is sent or held, and never waits for nothing', async () => {
    const late: Promise<unknown>[] = []
    let count = 0
    const ends = atEachEnd(
      (test) => {
        late.push(test.send(`late ${late.length}`, 'turn-end'))
      },
      () => count++ % 8
    )
    const made = await rig([], { publish: ends.publish })
    ends.use(made)
    for (let cycle = 0; cycle < 20; cycle++) {
      await made.test.send(`message ${cycle}`)
      await made.test.session.interrupt()
    }
    ends.stop()
    await Promise.all(late)
    await idle(made.test)
    expect(made.test.session.queue.entries.filter((entry) => !entry.held)).toEqual([])
    const said = (await made.test.rows()).filter((row) => row.role === 'user').map(textOf)
    const all = [...said, ...made.test.session.queue.entries.map((entry) => entry.text)]
    expect(all).toHaveLength(20 + late.length)
    expect(new Set(all).size).toBe(all.length)
    await expectUsable(made)
  })

  it('leaves no turn in the middle that stopped for it', async () => {
    let count = 0
    const work = async (): Promise<ScriptedTurn> => {
      await made.test.send('Wait', 'tool-end')
      return { toolCalls: [{ name: 'glob', input: { pattern: '*' } }] }
    }
    const ends = atEachEnd(
      ({ session }) => {
        for (const { id } of session.queue.entries) void session.queue.remove(id)
      },
      () => count++ % 6
    )
    const made: Rig = await rig(Array.from({ length: 12 }, () => [work, { text: 'The work is done.' }]).flat(), {
      publish: ends.publish
    })
    ends.use(made)
    for (let cycle = 0; cycle < 12; cycle++) {
      await made.test.send('Work')
      await idle(made.test)
      expect(textOf((await made.test.rows()).at(-1))).not.toBe('')
    }
    await expectUsable(made)
  })
})

/** Resolves when no turn runs and none is about to start. */
async function idle(test: TestApp): Promise<void> {
  while (test.session.busy) await test.nextEnd()
}

describe('answers of a person', () => {
  it('A-3 count once: a second answer, a wrong id and one after the end are refused', async () => {
    const made = await rig([{ toolCalls: [{ name: 'bash', input: { command: 'echo once >> ran.txt' } }] }], {
      approvalMode: 'ask'
    })
    const { test } = made
    const { workspaceId } = test
    const end = test.turn('Run it')
    const asked = await test.event('approvals-changed', (event) => event.approvals.length === 1)
    const approvalId = asked.approvals[0]?.approvalId ?? ''
    const answer = { decision: 'once' } as const
    const answerWith = (id: string) => test.app.dispatch('approval.answer', { workspaceId, approvalId: id, answer })
    for (const wrong of ['', 'nobody', '__proto__', `${approvalId} `])
      expect(await answerWith(wrong)).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    const both = await Promise.all([answerWith(approvalId), answerWith(approvalId)])
    expect(both.filter((each) => each.ok)).toHaveLength(1)
    expect(await end).toMatchObject({ outcome: 'completed' })
    expect(await answerWith(approvalId)).toMatchObject({ ok: false })
    expect(readdirSync(test.project)).toEqual(['ran.txt'])
    const calls = (await test.rows()).flatMap(toolPartsOf)
    expect(calls.map((call) => call.state)).toEqual(['output-available'])
    await expectUsable(made)
  })
})
