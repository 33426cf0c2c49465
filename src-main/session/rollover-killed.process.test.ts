// Proves that a process killed between any two changes of the disk leaves one of two states: the old window whole,
// or the fresh one with its boundary, lead-in and continuation. Nothing resumes by itself, and the next message works.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import { buildChild, type BuiltScript } from '../history/testing/build-child'
import { inForm } from '../history/testing/long-form'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import type { DyingLine } from '../testing/dying-child'
import type { TestApp } from '../testing/test-app'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  countOf,
  kindsOf,
  lastEnd,
  restarted,
  says,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { afterTicks, seededRandom } from './testing/random'
import { closeAfterEach, closeThem } from '../testing/close-after-each'

let child: BuiltScript
beforeAll(async () => {
  child = await buildChild(new URL('../testing/dying-child.ts', import.meta.url))
}, 60_000)
afterAll(() => child.remove())

const toClose = closeAfterEach()
const closeAll = (): Promise<void> => closeThem(toClose)

/** Kills of a scene; `Infinity` for every moment that there is. */
const KILLS = inForm({ quick: 2, full: 12, long: Infinity })

interface Scene {
  readonly texts: readonly string[]
  readonly answers: readonly ScriptedTurn[]
  readonly rollovers: number
  readonly warnings: number
}

const RUN = bash('echo ran >> ran.txt')
const SCENES: Readonly<Record<string, Scene>> = {
  'a rollover in the middle of a turn': {
    texts: ['Do the work'],
    answers: [calls(15_200, RUN)],
    rollovers: 1,
    warnings: 0
  },
  'a warning in the middle of a turn': {
    texts: ['Do the work'],
    answers: [calls(9_500, RUN)],
    rollovers: 0,
    warnings: 1
  },
  'a rollover on send': {
    texts: ['Do the work', 'And then'],
    answers: [calls(14_000, RUN), says('One.', 15_200)],
    rollovers: 1,
    warnings: 1
  }
}

interface Run {
  readonly made: BudgetRig
  readonly lines: readonly DyingLine[]
  readonly complaints: string
}

/** Plays the scene in another process, which dies right before change number `killAt` of the disk. */
async function killedAt({ texts, answers }: Scene, killAt: number): Promise<Run> {
  const made = await budgetRig(toClose, answers)
  const { test } = made
  await test.app.close()
  const started = spawn(process.execPath, [child.file, test.home, test.workspaceId, String(killAt), ...texts])
  let said = ''
  let complaints = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  started.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  await new Promise<void>((resolve) => started.once('close', () => resolve()))
  const lines = said
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as DyingLine)
  return { made, lines, complaints }
}

function ranIn({ project }: TestApp): number {
  const file = path.join(project, 'ran.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

/** Each text that was taken is a row once, or waits for the person once; each other one at most. */
function expectTexts(test: TestApp, { texts }: Scene, taken: readonly string[], where: string): void {
  const said = storedRows(test).flatMap((row) =>
    row.role === 'user' && row.metadata.machine === undefined ? [textOf(row)] : []
  )
  const waits = test.session.queue.entries.map(({ text, held }) => (held ? text : 'not held'))
  const all = [...said, ...waits].filter((text) => text !== 'Still there?')
  expect(new Set(all).size, where).toBe(all.length)
  expect(texts.slice(0, all.length), where).toEqual(all)
  expect(all.length, where).toBeGreaterThanOrEqual(taken.length)
}

async function expectRecovered({ made, lines, complaints }: Run, scene: Scene, where: string): Promise<void> {
  expect(complaints, where).toBe('')
  const { server } = made
  const requests = server.requests.length
  const { test } = await restarted(toClose, made)
  await afterTicks(20)
  // Paused: nothing resumes by itself.
  const { status, queue } = await test.ask('workspace.open', { workspaceId: test.workspaceId })
  expect([status.phase, server.requests.length], where).toEqual(['idle', requests])
  expect(
    queue.every(({ source }) => source === 'person'),
    where
  ).toBe(true)
  const taken = lines.flatMap((line) => (line.kind === 'sent' ? [line.text] : []))
  expectTexts(test, scene, taken, where)
  const found = storedRows(test)
  expect(budgetProblemsOf(found), where).toEqual([])
  const told = lines.flatMap((line) => (line.kind === 'row' ? [line.id] : []))
  expect(
    found.map(({ id }) => id).filter((id) => told.includes(id)),
    where
  ).toEqual(told)
  for (const entry of queue) {
    const from = test.events.length
    await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: entry.id })
    await lastEnd(test, from)
  }
  const from = test.events.length
  await work(test, 'Still there?')
  expect(await lastEnd(test, from), where).toMatchObject({ outcome: 'completed' })
  expectTexts(test, scene, scene.texts.slice(0, taken.length), where)
  const rows = storedRows(test)
  expect(budgetProblemsOf(rows), where).toEqual([])
  expect(countOf(rows, 'continue'), where).toBeLessThanOrEqual(2)
  expect(countOf(rows, 'context-window-rollover'), where).toBeLessThanOrEqual(Math.max(1, scene.rollovers))
  const results = rows.flatMap(toolPartsOf).filter(({ state }) => state === 'output-available')
  expect(ranIn(test), where).toBeLessThanOrEqual(1)
  expect(results.length, where).toBeLessThanOrEqual(ranIn(test))
  expect(server.problems, where).toEqual([])
}

describe.each(Object.keys(SCENES))('X-1 R-6 %s', (name) => {
  const scene = SCENES[name] ?? { texts: [], answers: [], rollovers: 0, warnings: 0 }

  it('leaves the old window whole or the fresh one, wherever its process is killed', async () => {
    const whole = await killedAt(scene, 0)
    expect(whole.complaints).toBe('')
    const [over] = whole.lines.flatMap((line) => (line.kind === 'over' ? [line.changes] : []))
    expect(over).toBeGreaterThan(30)
    const rows = storedRows(whole.made.test)
    expect(
      [countOf(rows, 'context-window-rollover'), countOf(rows, 'context-budget-warning')],
      kindsOf(rows).join()
    ).toEqual([scene.rollovers, scene.warnings])
    await closeAll()
    const moments = Array.from({ length: over ?? 0 }, (_, index) => index + 1)
    const random = seededRandom(20_611)
    while (moments.length > KILLS) moments.splice(Math.floor(random() * moments.length), 1)
    let killed = 0
    for (const killAt of moments) {
      const run = await killedAt(scene, killAt)
      if (run.lines.every(({ kind }) => kind !== 'over')) killed++
      await expectRecovered(run, scene, `killed before change ${killAt}`)
      await closeAll()
    }
    // Few of the last may be survived: how often the answer so far is saved depends on the time it takes.
    expect(killed).toBeGreaterThan(moments.length * 0.8)
  }, 900_000)
})
