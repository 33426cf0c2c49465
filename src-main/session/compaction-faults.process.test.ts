// Proves that a disk which fails at any call of a compaction, or of the amending that follows one that failed, costs
// nothing (C-1, C-2, X-3): one summary at most, the old window or the new one, nothing run twice, the next message works.
import { describe, expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import { type CallRecord, type FaultMode, observeFileSystem } from '../history/testing/faulty-file-system'
import { inForm } from '../history/testing/long-form'
import type { ScriptedTurn, SeenRequest } from '../provider/testing/scripted-turn'
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
import { compactionProblemsOf, LONG, ranIn, saidBy, summarisingRig } from './testing/summarising-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const STRIDE = inForm({ quick: 29, full: 17, long: 1 })
const MODES: readonly FaultMode[] = ['refused', 'answer-lost', 'half-done', 'no-more-writes', 'dead']

interface Scene {
  /** Of the answer before the disk fails. */
  readonly inputTokens: number
  /** Answers afterwards, but for those to a wish for a summary. */
  readonly steps: readonly ScriptedTurn[]
  readonly summary: ScriptedTurn
  readonly text: string
  /** The window that the message goes to began with a summary that carries a plan, and the provider refuses that (K-4). */
  readonly isTooLong?: boolean
}

const RUN = bash('echo ran >> ran.txt')
const SUMMARY = says('SUMMARY')
const SCENES: Readonly<Record<string, Scene>> = {
  '/compact': { inputTokens: 3_000, steps: [], summary: SUMMARY, text: '/compact' },
  'a compaction before a message': { inputTokens: 15_100, steps: [], summary: SUMMARY, text: 'Second' },
  'a compaction in the middle of a task': {
    inputTokens: 3_000,
    steps: [calls(15_100, RUN)],
    summary: SUMMARY,
    text: 'Second'
  },
  'a message that leaves out what a summary carried': {
    inputTokens: 3_000,
    steps: [],
    summary: SUMMARY,
    text: 'Second',
    isTooLong: true
  },
  'a compaction that fails': { inputTokens: 15_100, steps: [], summary: says('', 15_100), text: 'Second' }
}
const PLAN = 'The plan: mend the parser first.'
const compacts = (scene: Scene): boolean => scene.summary === SUMMARY

interface Struck {
  readonly made: BudgetRig
  readonly struck: CallRecord | null
  readonly seen: number
}

/** Plays the scene on a disk that fails at its n-th call from the moment of the message. */
async function struckAt(
  { inputTokens, steps, summary, text, isTooLong = false }: Scene,
  failAt: number,
  mode: FaultMode
): Promise<Struck> {
  const disk = observeFileSystem()
  const script = [says('One.', inputTokens), ...steps]
  const answer = ({ rawBody }: SeenRequest): ScriptedTurn => {
    if (rawBody.includes('Summarise this conversation')) return summary
    return isTooLong && rawBody.includes(PLAN)
      ? { fault: { kind: 'context-exceeded' } }
      : (script.shift() ?? says('Fine.'))
  }
  const made = await summarisingRig(
    toClose,
    Array.from({ length: 20 }, () => answer),
    { fs: disk.fs }
  )
  const { test } = made
  await work(test, LONG)
  if (isTooLong) {
    test.writeProject(`.tidemark/plans/${test.workspaceId}.md`, PLAN)
    await work(test, '/compact')
  }
  const start = disk.calls.length
  if (failAt >= 0) disk.arm({ failAt, mode })
  await work(test, text)
  while (test.session.busy) await test.nextEnd()
  const struck = disk.struck()
  disk.arm(null)
  return { made, struck, seen: disk.calls.length - start }
}

type Sequel = 'sends what waits' | 'restarts'

async function sendWaiting(test: TestApp): Promise<void> {
  for (const { id } of test.session.queue.entries) {
    const from = test.events.length
    await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: id })
    await lastEnd(test, from)
  }
}

async function expectSound({ made }: Struck, scene: Scene, where: string, sequel: Sequel): Promise<void> {
  const { server } = made
  const texts = [LONG, ...(scene.text === '/compact' ? [] : [scene.text])]
  expect(made.test.session.busy, where).toBe(false)
  if (sequel === 'restarts') await made.test.app.close()
  const { test } = sequel === 'restarts' ? await restarted(toClose, made) : made
  expect(compactionProblemsOf(storedRows(test)), where).toEqual([])
  // The mark is on disk before a request leaves without what was carried (K-4).
  const sentWithout = server.requests.some(({ rawBody }) => rawBody.includes('SUMMARY') && !rawBody.includes(PLAN))
  const isMarked = storedRows(test).some(
    ({ metadata }) => metadata.postCompactionContext?.omittedFromRequest !== undefined
  )
  if (scene.isTooLong === true && sentWithout) expect(isMarked, where).toBe(true)
  await sendWaiting(test)
  expect(await work(test, 'Still there?'), where).toMatchObject({ outcome: 'completed' })
  await sendWaiting(test)
  const rows = storedRows(test)
  expect(compactionProblemsOf(rows), where).toEqual([])
  const said = saidBy(test, rows)
  expect([...new Set(said)], where).toEqual([...texts, 'Still there?'])
  expect(new Set(said).size, where).toBe(said.length)
  expect(countOf(rows, 'compaction-summary'), where).toBeLessThanOrEqual(1)
  expect(countOf(rows, 'continue'), where).toBeLessThanOrEqual(1)
  // No half of a summary is an answer.
  for (const row of rows)
    if (textOf(row).includes('SUMM')) expect(row.metadata.contextBoundaryKind, where).toBe('compaction')
  const results = rows.flatMap(toolPartsOf).filter(({ state }) => state === 'output-available')
  expect(ranIn(test), where).toBeLessThanOrEqual(1)
  expect(results.length, where).toBeLessThanOrEqual(ranIn(test))
  expect(server.problems, where).toEqual([])
}

describe.each(Object.keys(SCENES))('C-1 X-3 %s', (name) => {
  const scene = SCENES[name] ?? { inputTokens: 0, steps: [], summary: SUMMARY, text: '' }

  it.each(MODES)('loses nothing where the disk fails at any of its calls: %s', async (mode) => {
    const { seen, made } = await struckAt(scene, -1, mode)
    expect(seen).toBeGreaterThan(20)
    expect(countOf(storedRows(made.test), 'compaction-summary')).toBe(compacts(scene) ? 1 : 0)
    for (let failAt = 0; failAt < seen; failAt += STRIDE) {
      const struck = await struckAt(scene, failAt, mode)
      // A lock that such a disk kept is this process's own: only its death frees it, which is another test.
      const sequel = failAt % 2 === 0 || mode === 'dead' || mode === 'no-more-writes' ? 'sends what waits' : 'restarts'
      await expectSound(struck, scene, `${mode} at call ${failAt} (${struck.struck?.name}), then ${sequel}`, sequel)
      for (const closable of toClose.splice(0).toReversed()) await closable.close()
    }
  })
})
