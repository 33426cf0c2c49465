// Proves that a disk which fails at any call of a transition costs nothing: one boundary at most, no
// text lost, nothing run twice, and the next message works.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import { type FaultMode, observeFileSystem, type ObservedFileSystem } from '../history/testing/faulty-file-system'
import { inForm } from '../history/testing/long-form'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import type { TestApp } from '../testing/test-app'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
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
import { noticesOf } from './testing/oversize'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const STRIDE = inForm({ quick: 11, full: 7, long: 1 })
const MODES: readonly FaultMode[] = ['refused', 'answer-lost', 'half-done', 'no-more-writes', 'dead']

interface Scene {
  /** Figures of the first answer. */
  readonly inputTokens: number
  readonly isStep: boolean
}

const SCENES: Readonly<Record<string, Scene>> = {
  'a rollover in the middle of a turn': { inputTokens: 15_200, isStep: true },
  'a warning in the middle of a turn': { inputTokens: 9_500, isStep: true },
  'a rollover on send': { inputTokens: 15_200, isStep: false }
}

interface Struck {
  readonly made: BudgetRig
  readonly disk: ObservedFileSystem
  /** Calls from the moment that the first answer came in, or that the second message was sent, to the end. */
  readonly seen: number
}

const TEXTS = ['Do the work', 'And then']

/** Plays the scene on a disk that fails at its n-th call since then. */
async function struckAt({ inputTokens, isStep }: Scene, failAt: number, mode: FaultMode): Promise<Struck> {
  const disk = observeFileSystem()
  const arm = (): number => {
    if (failAt >= 0) disk.arm({ failAt, mode })
    return disk.calls.length
  }
  let before = 0
  const step = (): ScriptedTurn => {
    before = arm()
    return calls(inputTokens, bash('echo ran >> ran.txt'))
  }
  const made = await budgetRig(toClose, isStep ? [step] : [says('One.', inputTokens)], { fs: disk.fs })
  const { test } = made
  await work(test, 'Do the work')
  if (!isStep) {
    before = arm()
    await work(test, 'And then')
  }
  while (test.session.busy) await test.nextEnd()
  const seen = disk.calls.length - before
  disk.arm(null)
  return { made, disk, seen }
}

/** Each text is a row once, or waits once; in both places only until the next turn, where a disk did not say (`mayBeBoth`). */
function expectNoTextLost(test: TestApp, texts: readonly string[], mayBeBoth = false): void {
  const said = storedRows(test).flatMap((row) =>
    row.role === 'user' && row.metadata.machine === undefined ? [textOf(row)] : []
  )
  const waits = test.session.queue.entries.flatMap(({ text, source }) => (source === 'person' ? [text] : []))
  const all = mayBeBoth ? new Set([...said, ...waits]) : [...said, ...waits]
  expect([...all].toSorted()).toEqual([...texts].toSorted())
}

function ranIn({ project }: TestApp): number {
  const file = path.join(project, 'ran.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

/** What the person does after a fault. */
type Sequel = 'sends what waits' | 'sends something else first' | 'restarts'
const SEQUELS: readonly Sequel[] = ['sends what waits', 'sends something else first', 'restarts']

/** What must hold whatever failed, at once and after the next message; `where` names the fault. */
async function expectSound(
  { made }: Struck,
  { inputTokens, isStep }: Scene,
  where: string,
  sequel: Sequel
): Promise<void> {
  const texts = isStep ? TEXTS.slice(0, 1) : TEXTS
  expect(made.test.session.busy, where).toBe(false)
  expectNoTextLost(made.test, texts, true)
  for (const entry of made.test.session.queue.entries) expect(entry.held, where).toBe(true)
  const stays = noticesOf(made.test).some((message) => message.includes('so it goes on as it is'))
  const { server } = made
  if (sequel === 'restarts') await made.test.app.close()
  const requests = server.requests.length
  const { test } = sequel === 'restarts' ? await restarted(toClose, made) : made
  if (sequel === 'restarts') {
    expectNoTextLost(test, texts)
    expect(budgetProblemsOf(storedRows(test)), where).toEqual([])
    expect([test.session.busy, server.requests.length], where).toEqual([false, requests])
  }
  if (sequel !== 'sends something else first') await sendWaiting(test)
  expect(await work(test, 'Still there?'), where).toMatchObject({ outcome: 'completed' })
  expect(server.requests.length, where).toBeGreaterThan(requests)
  await sendWaiting(test)
  expectNoTextLost(test, [...texts, 'Still there?'])
  expect(test.session.queue.entries, where).toEqual([])
  const rows = storedRows(test)
  expect(budgetProblemsOf(rows), where).toEqual([])
  expect(countOf(rows, 'context-window-rollover'), where).toBeLessThanOrEqual(1)
  expect(countOf(rows, 'context-budget-warning'), where).toBeLessThanOrEqual(1)
  expect(countOf(rows, 'continue'), where).toBeLessThanOrEqual(1)
  // A command whose call could not be stored does not run; one that ran has its result.
  const results = rows.flatMap(toolPartsOf).filter(({ state }) => state === 'output-available')
  expect(ranIn(test), where).toBeLessThanOrEqual(1)
  expect(results.length, where).toBeLessThanOrEqual(ranIn(test))
  // What was owed is paid at the latest by the next send, but where the past could not be read back just then (G-3).
  const isMeasured = rows.some(({ metadata }) => metadata.contextUsage?.inputTokens === inputTokens)
  if (isMeasured && !stays && inputTokens > 15_000) expect(countOf(rows, 'context-window-rollover'), where).toBe(1)
  if (isMeasured && inputTokens < 15_000) expect(countOf(rows, 'context-budget-warning'), where).toBe(1)
  expect(server.problems, where).toEqual([])
}

/** What waits is the person's to send. */
async function sendWaiting(test: TestApp): Promise<void> {
  for (const { id } of test.session.queue.entries) {
    const from = test.events.length
    await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: id })
    await lastEnd(test, from)
  }
}

describe.each(Object.keys(SCENES))('X-3 R-4 %s', (name) => {
  const scene = SCENES[name] ?? { inputTokens: 0, isStep: false }

  it.each(MODES)(
    'loses nothing where the disk fails at any of its calls: %s',
    async (mode) => {
      const { seen } = await struckAt(scene, -1, mode)
      expect(seen).toBeGreaterThan(20)
      for (let failAt = 0; failAt < seen; failAt += STRIDE) {
        const struck = await struckAt(scene, failAt, mode)
        const sequel = SEQUELS[failAt % SEQUELS.length] ?? 'restarts'
        await expectSound(struck, scene, `${mode} at call ${failAt}, then the person ${sequel}`, sequel)
        for (const closable of toClose.splice(0).toReversed()) await closable.close()
      }
    },
    600_000
  )
})
