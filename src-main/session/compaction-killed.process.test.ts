// Proves that a process killed between any two changes of the disk leaves the old window whole or the new one (C-1, C-2,
// H-14): no half of a summary is an answer, nothing resumes by itself, what was sent is built again, the next message works.
import { spawn } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import { toolPartsOf } from '@common/rows/row-schema'
import { replayOf } from '../context/testing/replay-of'
import { buildChild, type BuiltScript } from '../history/testing/build-child'
import { inForm } from '../history/testing/long-form'
import type { ScriptedTurn, SeenRequest } from '../provider/testing/scripted-turn'
import type { DyingLine } from '../testing/dying-child'
import type { TestApp } from '../testing/test-app'
import {
  bash,
  type BudgetRig,
  calls,
  countOf,
  lastEnd,
  restarted,
  says,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { afterTicks, seededRandom } from './testing/random'
import { compactionProblemsOf, LONG, ranIn, saidBy, summarisingRig } from './testing/summarising-rig'
import { closeAfterEach, closeThem } from '../testing/close-after-each'

let child: BuiltScript
beforeAll(async () => {
  child = await buildChild(new URL('../testing/dying-child.ts', import.meta.url))
}, 60_000)
afterAll(() => child.remove())

const toClose = closeAfterEach()
const closeAll = (): Promise<void> => closeThem(toClose)

/** Kills of a scene; `Infinity` for every moment that there is. */
const KILLS = inForm({ quick: 2, full: 8, long: Infinity })
/** Cuts of a new window's file; 1 for every byte. */
const CUT_STRIDE = inForm({ quick: 997, full: 53, long: 1 })

interface Scene {
  /** Of the answer before the process that dies. */
  readonly inputTokens: number
  /** The window that it finds began with a summary that carries a plan. */
  readonly isAfterSummary?: boolean
  /** Answers to it, but for those to a wish for a summary. */
  readonly steps: readonly ScriptedTurn[]
  readonly summary: string
  readonly text: string
  readonly summaries: number
}

const SCENES: Readonly<Record<string, Scene>> = {
  '/compact': { inputTokens: 3_000, steps: [], summary: 'SUMMARY', text: '/compact', summaries: 1 },
  'a compaction before a message': { inputTokens: 15_100, steps: [], summary: 'SUMMARY', text: 'Second', summaries: 1 },
  'a compaction in the middle of a task': {
    inputTokens: 3_000,
    steps: [calls(15_100, bash('echo ran >> ran.txt'))],
    summary: 'SUMMARY',
    text: 'Second',
    summaries: 1
  },
  'a compaction that fails, and says so on its row': {
    inputTokens: 15_100,
    steps: [],
    summary: '',
    text: 'Second',
    summaries: 0
  },
  'a message that leaves out what a summary carried': {
    inputTokens: 3_000,
    isAfterSummary: true,
    steps: [{ fault: { kind: 'context-exceeded' } }],
    summary: 'SUMMARY',
    text: 'Second',
    summaries: 1
  }
}

interface Run {
  readonly made: BudgetRig
  readonly lines: readonly DyingLine[]
  readonly complaints: string
}

const PLAN = 'The plan: mend the parser first.'

/** Plays the scene in another process, which dies right before change number `killAt` of the disk. */
async function killedAt(scene: Scene, killAt: number): Promise<Run> {
  const script = [says('One.', scene.inputTokens)]
  const answer = (request: SeenRequest): ScriptedTurn =>
    request.rawBody.includes('Summarise this conversation') ? says(scene.summary) : (script.shift() ?? says('Fine.'))
  const made = await summarisingRig(
    toClose,
    Array.from({ length: 30 }, () => answer)
  )
  const { test } = made
  await work(test, LONG)
  if (scene.isAfterSummary === true) {
    test.writeProject(`.tidemark/plans/${test.workspaceId}.md`, PLAN)
    await work(test, '/compact')
  }
  script.push(...scene.steps)
  await test.app.close()
  const started = spawn(process.execPath, [child.file, test.home, test.workspaceId, String(killAt), scene.text])
  let said = ''
  let complaints = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  started.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  await new Promise<void>((resolve) => started.once('close', () => resolve()))
  // A question that was never asked is not asked later.
  script.length = 0
  const lines = said
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as DyingLine)
  return { made, lines, complaints }
}

async function sendWaiting(test: TestApp): Promise<void> {
  for (const { id } of test.session.queue.entries) {
    const from = test.events.length
    await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: id })
    await lastEnd(test, from)
  }
}

async function expectRecovered({ made, lines, complaints }: Run, scene: Scene, where: string): Promise<void> {
  expect(complaints, where).toBe('')
  const { server } = made
  const requests = server.requests.length
  const { test } = await restarted(toClose, made)
  await afterTicks(20)
  const { status, queue } = await test.ask('workspace.open', { workspaceId: test.workspaceId })
  expect([status.phase, server.requests.length], where).toEqual(['idle', requests])
  expect(
    queue.every(({ source, held }) => source === 'person' && held),
    where
  ).toBe(true)
  const found = storedRows(test)
  expect(compactionProblemsOf(found), where).toEqual([])
  const told = lines.flatMap((line) => (line.kind === 'row' ? [line.id] : []))
  expect(
    found.map(({ id }) => id).filter((id) => told.includes(id)),
    where
  ).toEqual(told)
  const [summary] = found.filter((row) => rowKindOf(row) === 'compaction-summary')
  const context = summary?.metadata.postCompactionContext
  // The mark is on disk before a request leaves without what was carried.
  const sentWithout = server.requests.some(({ rawBody }) => rawBody.includes('SUMMARY') && !rawBody.includes(PLAN))
  if (scene.isAfterSummary === true && sentWithout) expect(context?.omittedFromRequest, where).toBeGreaterThan(0)
  await sendWaiting(test)
  expect(await work(test, 'Still there?'), where).toMatchObject({ outcome: 'completed' })
  const rows = storedRows(test)
  expect(compactionProblemsOf(rows), where).toEqual([])
  const said = saidBy(test, rows)
  const isTaken = lines.some(({ kind }) => kind === 'sent') && scene.text !== '/compact'
  const whole = scene.text === '/compact' ? [LONG, 'Still there?'] : [LONG, scene.text, 'Still there?']
  expect([whole, ...(isTaken ? [] : [[LONG, 'Still there?']])], where).toContainEqual(said)
  expect(countOf(rows, 'compaction-summary'), where).toBeLessThanOrEqual(scene.summaries)
  expect(countOf(rows, 'continue'), where).toBeLessThanOrEqual(1)
  for (const row of rows)
    if (textOf(row).includes('SUMM')) expect(row.metadata.contextBoundaryKind, where).toBe('compaction')
  const last = server.requests.at(-1)?.rawBody ?? ''
  if (scene.isAfterSummary === true) expect(last.includes(PLAN), where).toBe(context?.omittedFromRequest === undefined)
  const results = rows.flatMap(toolPartsOf).filter(({ state }) => state === 'output-available')
  expect(ranIn(test), where).toBeLessThanOrEqual(1)
  expect(results.length, where).toBeLessThanOrEqual(ranIn(test))
  expect(server.problems, where).toEqual([])
  const { verdicts } = await replayOf(test)
  expect(
    verdicts.filter(({ result }) => result !== 'identical'),
    where
  ).toEqual([])
}

describe.each(Object.keys(SCENES))('C-1 H-14 %s', (name) => {
  const scene = SCENES[name] ?? { inputTokens: 0, steps: [], summary: '', text: '', summaries: 0 }

  it('leaves the old window whole or the new one, wherever its process is killed', async () => {
    const whole = await killedAt(scene, 0)
    expect(whole.complaints).toBe('')
    const [over] = whole.lines.flatMap((line) => (line.kind === 'over' ? [line.changes] : []))
    expect(over).toBeGreaterThan(15)
    expect(countOf(storedRows(whole.made.test), 'compaction-summary')).toBe(scene.summaries)
    await closeAll()
    const moments = Array.from({ length: over ?? 0 }, (_, index) => index + 1)
    const random = seededRandom(50_102)
    while (moments.length > KILLS) moments.splice(Math.floor(random() * moments.length), 1)
    for (const killAt of moments) {
      await expectRecovered(await killedAt(scene, killAt), scene, `killed before change ${killAt}`)
      await closeAll()
    }
  }, 600_000)
})

describe('C-1 X-2 the file of a new window', () => {
  it('cut at any byte leaves the old window in force or is the new one, and the next message works', async () => {
    const made = await summarisingRig(toClose, [says('One.'), says('SUMMARY'), says('Two.')])
    await work(made.test, LONG)
    await work(made.test, '/compact')
    await work(made.test, 'Second')
    await made.test.app.close()
    const windows = path.join(made.test.home, 'workspaces', made.test.workspaceId, 'windows')
    const all = readdirSync(windows).map((file) => ({
      file: path.join(windows, file),
      bytes: readFileSync(path.join(windows, file))
    }))
    const newest = all.find(({ file }) => !file.endsWith('w-0.jsonl') && file.endsWith('.jsonl'))
    const length = newest?.bytes.length ?? 0
    expect(length).toBeGreaterThan(300)
    const lineEnd = newest?.bytes.indexOf(10) ?? 0
    for (let cut = 0; cut < length; cut += CUT_STRIDE) {
      for (const { file, bytes } of all) writeFileSync(file, file === newest?.file ? bytes.subarray(0, cut) : bytes)
      const { test } = await restarted(toClose, made)
      const isNew = cut >= lineEnd
      const rows = await test.rows()
      expect(
        rows.some((row) => rowKindOf(row) === 'compaction-summary'),
        `cut at ${cut}`
      ).toBe(isNew)
      expect(await work(test, `After ${cut}`), `cut at ${cut}`).toMatchObject({ outcome: 'completed' })
      const sent = made.server.requests.at(-1)?.rawBody ?? ''
      expect([sent.includes('Look at the parser'), sent.includes('SUMMARY')], `cut at ${cut}`).toEqual([!isNew, isNew])
      await test.app.close()
    }
    expect(made.server.problems).toEqual([])
  }, 600_000)
})
