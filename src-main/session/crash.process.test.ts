// The whole app in another process, killed at any moment: what was told is stored, what was taken is stored or held,
// what was flushed is kept, and the conversation goes on.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isKnownPart, readRow } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { buildChild } from '../history/testing/build-child'
import type { BuiltScript } from '../history/testing/build-child'
import { isLong } from '../history/testing/long-form'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import type { ChildLine } from '../testing/session-child'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'
import { historyProblemsOf } from './testing/history-problems'
import { seededRandom } from './testing/random'
import { closeAfterEach } from '../testing/close-after-each'

const KILLS = isLong ? 300 : 14
const KILLS_OF_TWO = isLong ? 200 : 11

let child: BuiltScript
beforeAll(async () => {
  child = await buildChild(new URL('../testing/session-child.ts', import.meta.url))
}, 60_000)
afterAll(() => child.remove())

const toClose = closeAfterEach()

interface Running {
  readonly process: ChildProcess
  readonly lines: ChildLine[]
  readonly complaints: string[]
  readonly ended: Promise<void>
  /** Resolves with the first line of this kind, or when the process is over. */
  said(kind: ChildLine['kind']): Promise<void>
}

function startChild(test: TestApp, name: string, turns?: number): Running {
  const args = [child.file, test.home, test.workspaceId, name, ...(turns === undefined ? [] : [String(turns)])]
  const started = spawn(process.execPath, args)
  const lines: ChildLine[] = []
  const complaints: string[] = []
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const waiter of waiting) waiter()
  }
  let unfinished = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (unfinished + text).split('\n')
    unfinished = parts.pop() ?? ''
    lines.push(...parts.map((part) => JSON.parse(part) as ChildLine))
    wake()
  })
  started.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text))
  let isOver = false
  const ended = new Promise<void>((resolve) =>
    started.once('close', () => {
      isOver = true
      wake()
      resolve()
    })
  )
  const said = (kind: ChildLine['kind']): Promise<void> =>
    new Promise((resolve) => {
      const waiter = (): void => {
        if (!isOver && !lines.some((line) => line.kind === kind)) return
        waiting.delete(waiter)
        resolve()
      }
      waiting.add(waiter)
      waiter()
    })
  return { process: started, lines, complaints, ended, said }
}

/** Rows of every window, in order, as they are on disk; a torn last line is no row. */
function storedRows(test: TestApp): Row[] {
  const windows = path.join(test.home, 'workspaces', test.workspaceId, 'windows')
  return readdirSync(windows)
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted((a, b) => Number.parseInt(a.slice(2), 10) - Number.parseInt(b.slice(2), 10))
    .flatMap((file) => readFileSync(path.join(windows, file), 'utf8').split('\n'))
    .flatMap((line) => {
      const row = readRow(parsed(line))
      return row === null ? [] : [row]
    })
}

/** What partial.json holds, if it is there. */
function flushedText(test: TestApp): { id: string; text: string } | null {
  try {
    const file = path.join(test.home, 'workspaces', test.workspaceId, 'partial.json')
    const row = readRow(JSON.parse(readFileSync(file, 'utf8')))
    return row === null ? null : { id: row.id, text: textOf(row) }
  } catch {
    // Not there, or being replaced.
    return null
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return null
  }
}

function textOf(row: Row | undefined): string {
  return (row?.parts ?? []).map((part) => (isKnownPart(part) && part.type === 'text' ? part.text : '')).join('')
}

function anyAnswer(random: () => number): ScriptedTurn {
  const delivery = { pieceChars: 8, delayMs: Math.floor(random() * 12) }
  const thinking = random() < 0.3 ? { thinking: 'Let me think about that for a while.' } : {}
  const text = 'words and more words '.repeat(1 + Math.floor(random() * 12))
  if (random() < 0.4) {
    const toolCalls = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => ({
      name: 'bash',
      input: { command: `sleep 0.0${Math.floor(random() * 9)}; echo ${index}` }
    }))
    return { ...thinking, text, toolCalls, delivery }
  }
  return { ...thinking, text, delivery }
}

async function rig(seed: number): Promise<{ test: TestApp; server: ScriptedServer; random: () => number }> {
  const random = seededRandom(seed)
  const server = await startScriptedServer({ turns: () => anyAnswer(random) })
  toClose.push(server)
  // The fault under test is the killed process, so this one keeps out of the way until the end.
  const test = await startTestApp({
    providers: [scriptedEntry('anthropic', server.baseUrl)],
    model: 'anthropic:test-model'
  })
  toClose.push(test)
  await test.app.close()
  return { test, server, random }
}

/** All that was said by every process must be there in the end. */
async function expectNothingLost(
  { test, server }: { test: TestApp; server: ScriptedServer },
  runs: readonly Running[],
  flushed: readonly { id: string; text: string }[]
): Promise<void> {
  const again = await startTestApp({ again: test })
  toClose.push(again)
  const { queue, status } = await again.ask('workspace.open', { workspaceId: test.workspaceId })
  expect(status.phase).toBe('idle')
  const rows = storedRows(test)
  expect(historyProblemsOf(rows)).toEqual([])
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const { lines, complaints } of runs) {
    expect(complaints).toEqual([])
    const told = lines.flatMap((line) => (line.kind === 'row' ? [line] : []))
    expect(told.map((line) => byId.get(line.id)?.metadata.historySequence)).toEqual(told.map((line) => line.sequence))
    expect(told.map((line) => line.sequence)).toEqual(
      [...new Set(told.map((line) => line.sequence))].toSorted((a, b) => a - b)
    )
    for (const line of lines) {
      if (line.kind !== 'taken') continue
      const stored = textOf(byId.get(line.entryId)) === line.text
      const waits = queue.some((entry) => entry.id === line.entryId && entry.text === line.text && entry.held)
      expect({ text: line.text, stored, waits }).toEqual({ text: line.text, stored, waits: !stored })
    }
  }
  for (const { id, text } of flushed) expect(textOf(byId.get(id)).startsWith(text)).toBe(true)
  expect(server.problems).toEqual([])
  expect(await again.turn('Still there?')).toMatchObject({ outcome: 'completed' })
  expect(server.problems).toEqual([])
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs))
}

describe('a process that is killed', () => {
  it(`H-4 T-1 T-2 loses nothing in ${KILLS} kills at any moment`, async () => {
    const made = await rig(40_100)
    const runs: Running[] = []
    const flushed: { id: string; text: string }[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const run = startChild(made.test, `p${kill}`)
      runs.push(run)
      await run.said(made.random() < 0.2 ? 'ready' : 'taken')
      await pause(made.random() * 700)
      run.process.kill('SIGKILL')
      await run.ended
      const partial = flushedText(made.test)
      if (partial !== null) flushed.push(partial)
    }
    expect(runs.flatMap((run) => run.lines).filter((line) => line.kind === 'row').length).toBeGreaterThan(KILLS / 2)
    await expectNothingLost(made, runs, flushed)
  })

  it(`H-7 T-1 T-2 loses nothing beside another that goes on, in ${KILLS_OF_TWO} kills`, async () => {
    const made = await rig(40_200)
    const names = ['a', 'b']
    const running = names.map((name) => startChild(made.test, `${name}-0`))
    const runs = [...running]
    for (let kill = 1; kill <= KILLS_OF_TWO; kill++) {
      const index = made.random() < 0.5 ? 0 : 1
      const run = running[index]
      if (run === undefined) throw new Error('there are two')
      await run.said('taken')
      await pause(made.random() * 700)
      run.process.kill('SIGKILL')
      await run.ended
      const next = startChild(made.test, `${names[index] ?? ''}-${kill}`)
      running[index] = next
      runs.push(next)
    }
    await Promise.all(running.map((run) => run.said('ended')))
    for (const run of running) run.process.kill('SIGKILL')
    await Promise.all(running.map((run) => run.ended))
    await expectNothingLost(made, runs, [])
  })
})

describe('two processes on one workspace', () => {
  it('T-1 T-3 refuse each other’s turns in words, and tell each other’s rows', async () => {
    const { test, server } = await rig(40_300)
    const watching = await startTestApp({ again: test })
    toClose.push(watching)
    const run = startChild(test, 'other', 3)
    await run.said('row')
    const end = await watching.turn('Mine too')
    expect(end).toMatchObject({ outcome: 'failed', reason: 'turn_locked' })
    expect(end.message).toMatch(/^Another Tidemark \(process \d+ on .+\) runs a turn in this workspace\. Wait until/)
    await run.ended
    expect(run.complaints).toEqual([])
    const rows = storedRows(test)
    await watching.event('row-appended', (event) => event.row.id === rows.at(-1)?.id)
    const told = watching.events.flatMap((event) => (event.type === 'row-appended' ? [event.row] : []))
    expect(told).toEqual(rows)
    expect(watching.session.view.rows).toBe(rows.length)
    const [held] = watching.session.queue.entries
    expect(held).toMatchObject({ text: 'Mine too', held: true })
    const sent = watching.nextEnd()
    await watching.ask('queue.send', { workspaceId: test.workspaceId, entryId: held?.id ?? '' })
    expect(await sent).toMatchObject({ outcome: 'completed' })
    expect(historyProblemsOf(storedRows(test))).toEqual([])
    expect(server.problems).toEqual([])
  })
})
