// Proves compactions among rollovers, resets, forks, edits, restarts and other models (C-1, C-2, R-4, R-5, V-2): each
// window sends what is its own, and every request is built again identically.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import { toolPartsOf } from '@common/rows/row-schema'
import { envelopesOf, placeOf, replayOf } from '../context/testing/replay-of'
import { createManualClock } from '../provider/testing/manual-clock'
import type { SeenRequest } from '../provider/testing/scripted-turn'
import type { TestApp, TurnEnded } from '../testing/test-app'
import {
  bash,
  type BudgetRig,
  budgetProblemsOf,
  calls,
  kindsOf,
  lastEnd,
  restarted,
  says,
  SMALL_MODEL,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { setTo, wordsOf } from './testing/oversize'
import { compactionProblemsOf, LONG, ranIn, summarisingRig } from './testing/summarising-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const PLAN = 'The plan: mend the parser first.'
const writePlan = (test: TestApp, plan = PLAN): string =>
  test.writeProject(`.tidemark/plans/${test.workspaceId}.md`, plan)

/** Sends with the experiment on for this message alone (G-1). */
async function rollOver(test: TestApp, text: string): Promise<TurnEnded> {
  const from = test.events.length
  const experiments = { tokenBudget: true }
  await test.ask('turn.send', { workspaceId: test.workspaceId, text, attachments: [], mode: 'tool-end', experiments })
  return lastEnd(test, from)
}

async function expectSound({ test, server }: BudgetRig): Promise<void> {
  const rows = storedRows(test)
  expect([...budgetProblemsOf(rows), ...compactionProblemsOf(rows), ...server.problems]).toEqual([])
  const { verdicts, summary } = await replayOf(test)
  expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
  expect(summary).toEqual({ requests: envelopesOf(test).length, differing: 0, damagedLines: 0 })
}

/** Which of these texts a request holds. */
const holds = (request: SeenRequest | undefined, ...texts: readonly string[]): string[] =>
  texts.filter((text) => request?.rawBody.includes(text))

describe('C-1 R-5 compactions and rollovers after each other', () => {
  it('summarises a window that began with a rollover: its lead-in and what came after, never what it sealed', async () => {
    const made = await summarisingRig(toClose, [says('One.', 15_200), says('Two.'), says('SUMMARY'), says('Three.')])
    const { test, server } = made
    await work(test, 'The first request')
    await rollOver(test, LONG)
    await work(test, '/compact')
    await work(test, 'Third')
    expect(kindsOf(storedRows(test)).slice(2)).toEqual([
      'context-window-rollover',
      'context-window-lead-in',
      'person',
      'assistant',
      'compaction-request',
      'compaction-summary',
      'person',
      'assistant'
    ])
    expect(holds(server.requests[2], 'One.', 'Look at the parser', 'fresh context window', 'Summarise this')).toEqual([
      'Look at the parser',
      'Summarise this'
    ])
    expect(holds(server.requests[3], 'SUMMARY', 'Third', 'Look at the parser')).toEqual(['SUMMARY', 'Third'])
    await expectSound(made)
  })

  it('R-4 K-2 a rollover leaves summary and header behind, and they stay to be found', async () => {
    const find = { name: 'session_history', input: { action: 'search', query: 'SUMMARY' } }
    const turns = [says('One.'), says('SUMMARY of one'), says('Two.', 15_200), calls(3_000, find), says('Three.')]
    const made = await summarisingRig(toClose, turns)
    const { test, server } = made
    writePlan(test)
    await work(test, LONG)
    await work(test, '/compact')
    const { currentWindowId } = test.session.store
    await work(test, 'Second')
    expect(holds(server.requests[2], 'SUMMARY of one', PLAN)).toHaveLength(2)
    await rollOver(test, 'Third')
    expect(holds(server.requests[3], 'SUMMARY of one', PLAN, currentWindowId)).toEqual([currentWindowId])
    const [boundary, , , answer] = await test.rows()
    expect(boundary && rowKindOf(boundary)).toBe('context-window-rollover')
    expect(boundary?.metadata).not.toHaveProperty('postCompactionContext')
    const [call] = answer === undefined ? [] : toolPartsOf(answer)
    const found = { window_id: currentWindowId, snippet: 'SUMMARY of one' }
    expect(call).toMatchObject({ state: 'output-available', output: { items: [found] } })
    await expectSound(made)
  })

  it('C-1 R-8 /compact under a token budget clears what was owed and claimed; the next window is warned anew', async () => {
    const turns = [
      calls(9_500, bash('echo ran >> ran.txt')),
      says('One.', 10_000),
      says('SUMMARY'),
      says('Two.', 9_500),
      says('Three.')
    ]
    const made = await summarisingRig(toClose, turns)
    const { test } = made
    await setTo(test, 'experiments.tokenBudget', true)
    await work(test, LONG)
    await work(test, '/compact')
    await work(test, 'Second')
    await work(test, 'Third')
    expect(kindsOf(storedRows(test)).filter((kind) => kind !== 'person' && kind !== 'assistant')).toEqual([
      'context-budget-warning',
      'continue',
      'compaction-request',
      'compaction-summary',
      'context-budget-warning'
    ])
    expect(ranIn(test)).toBe(1)
    await expectSound(made)
  })

  it('C-1 /clear --soft leaves summary and header behind, and there is nothing to summarise then', async () => {
    const made = await summarisingRig(toClose, [says('One.'), says('SUMMARY'), says('Two.')])
    const { test, server } = made
    writePlan(test)
    await work(test, LONG)
    await work(test, '/compact')
    await test.send('/clear --soft')
    expect(await work(test, '/compact')).toMatchObject({ outcome: 'failed', reason: 'nothing_to_compact', requests: 0 })
    await work(test, 'Second')
    expect(holds(server.requests[2], 'SUMMARY', PLAN, 'Second')).toEqual(['Second'])
    await expectSound(made)
  })

  it('C-1 K-1 a summary of a summary is asked for with both, the old header too, and carries a new one', async () => {
    const made = await summarisingRig(toClose, [
      says('One.'),
      says(`SUMMARY ${LONG}`),
      says('Two.'),
      says('SECOND'),
      says('Three.')
    ])
    const { test, server } = made
    const file = writePlan(test)
    await work(test, LONG.repeat(3))
    await work(test, '/compact')
    writeFileSync(file, 'Another plan.')
    await work(test, 'Second')
    await work(test, '/compact')
    await work(test, 'Third')
    expect(holds(server.requests[3], 'SUMMARY', PLAN, 'Summarise this')).toHaveLength(3)
    expect(holds(server.requests[4], 'SUMMARY', PLAN, 'SECOND', 'Another plan.')).toEqual(['SECOND', 'Another plan.'])
    await expectSound(made)
  })
})

describe('C-1 P-3 another model between', () => {
  const others = [{ id: 'tiny', contextLimit: 10_000, maxOutputTokens: 1_000 }]

  it('trims to the ceiling of the model that is asked, and says how much', async () => {
    const made = await summarisingRig(toClose, [says('One.'), says('Two.'), says('SUMMARY'), says('Three.')], {
      others
    })
    const { test, server } = made
    await work(test, `OLDEST ${wordsOf(2_500)}`)
    await work(test, `NEWEST ${LONG}`)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:tiny' })
    expect(await work(test, '/compact')).toMatchObject({ outcome: 'completed' })
    expect(holds(server.requests[2], 'OLDEST', 'NEWEST')).toEqual(['NEWEST'])
    expect((await test.rows())[0]?.metadata.compaction).toMatchObject({ trimmedRows: 1 })
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'completed' })
    await expectSound(made)
  })

  it('compacts on send what the next model has no room for, and sends the message', async () => {
    const made = await summarisingRig(toClose, [says('One.'), says('Two.'), says('SUMMARY'), says('Three.')], {
      others
    })
    const { test, server } = made
    await work(test, `OLDEST ${wordsOf(2_500)}`)
    await work(test, `NEWEST ${LONG}`)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:tiny' })
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'completed', requests: 2 })
    expect(holds(server.requests[3], 'SUMMARY', 'Third', 'NEWEST')).toEqual(['SUMMARY', 'Third'])
    await expectSound(made)
  })

  it('cuts results to their heads where not even the newest answer has room, and the work goes on', async () => {
    const turns = [calls(3_000, bash('seq 1 4000'), bash('echo short')), says('One.'), says('SUMMARY'), says('Two.')]
    const made = await summarisingRig(toClose, turns, { others })
    const { test, server } = made
    await work(test, LONG)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:tiny' })
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed', requests: 2 })
    expect(holds(server.requests[2], 'Cut here: the result', 'short', '3999')).toEqual([
      'Cut here: the result',
      'short'
    ])
    expect(holds(server.requests[3], 'SUMMARY', 'Second')).toHaveLength(2)
    // The history has the whole.
    expect(JSON.stringify(storedRows(test)[1])).toContain('3999')
    await expectSound(made)
  })

  it('names the ways out where the newest words alone are too long, and the window is as it was', async () => {
    const made = await summarisingRig(toClose, [says(wordsOf(3_000)), says('Two.')], { others })
    const { test } = made
    await work(test, LONG)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:tiny' })
    const end = await work(test, '/compact')
    expect(end).toMatchObject({ outcome: 'failed', reason: 'request_too_large', requests: 0 })
    expect(end.message).toContain('/clear --soft')
    expect(storedRows(test)).toHaveLength(2)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: `anthropic:${SMALL_MODEL.id}` })
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed' })
    await expectSound(made)
  })
})

/** Two windows by summaries, one by a rollover, a context left out, an edit, a stop, a fork and a restart. */
async function longLife(): Promise<BudgetRig> {
  const tooLong = { fault: { kind: 'context-exceeded' } } as const
  const turns = [
    calls(3_000, bash('echo ran >> ran.txt'), bash('echo two')),
    says('One.', 15_100),
    says('SUMMARY one'),
    says('Two.'),
    tooLong,
    says('Three.', 15_200),
    says('Four.'),
    says('SUMMARY two'),
    says('Five.'),
    says('Six.'),
    says('', 3_000),
    says('Seven.')
  ]
  const made = await summarisingRig(toClose, turns, { clock: createManualClock(undefined, 20_000) })
  const { test } = made
  writePlan(test)
  await work(test, LONG)
  // Compacted before it is sent.
  await work(test, 'Second')
  // Sent without the header once the provider refuses it.
  await work(test, 'Third')
  expect((await test.rows())[0]?.metadata.postCompactionContext?.omittedFromRequest).toBeGreaterThan(0)
  await rollOver(test, `Fourth ${LONG}`)
  await work(test, '/compact')
  await work(test, 'Fifth')
  const fifth = (await test.rows()).findLast(({ role }) => role === 'user')
  const from = test.events.length
  await test.ask('row.edit', { workspaceId: test.workspaceId, rowId: fifth?.id ?? '', text: 'Fifth anew' })
  await lastEnd(test, from)
  expect(await work(test, '/compact')).toMatchObject({ outcome: 'failed' })
  await test.app.close()
  const again = await restarted(toClose, made)
  await work(again.test, 'Sixth')
  return again
}

describe('V-2 H-6 a long life with compactions', () => {
  it('is built again identically, each request, and so is that of a fork', async () => {
    const made = await longLife()
    await expectSound(made)
    const { test } = made
    expect(new Set(envelopesOf(test).map(({ windowId }) => windowId)).size).toBe(4)
    const first = storedRows(test).find((row) => rowKindOf(row) === 'compaction-summary')
    const { workspace } = await test.ask('row.fork', {
      workspaceId: test.workspaceId,
      rowId: first?.id ?? '',
      inclusive: true
    })
    await test.app.close()
    const fork = await restarted(toClose, { ...made, test: { ...test, workspaceId: workspace.workspaceId } })
    await work(fork.test, 'In the fork')
    // A fork back before the mark keeps the header out (K-4).
    expect(holds(made.server.requests.at(-1), 'SUMMARY one', PLAN)).toEqual(['SUMMARY one'])
    await expectSound(fork)
  })

  it('names the message of a byte that reached a request, and by Verify a byte that did not', async () => {
    const made = await longLife()
    const { test } = made
    const windowId =
      storedRows(test).flatMap((row) =>
        textOf(row) === 'SUMMARY one' ? [`w:${row.metadata.historySequence}`] : []
      )[0] ?? ''
    await test.app.close()
    const file = path.join(placeOf(test).windows, `${windowId.replace(':', '-')}.jsonl`)
    const before = readFileSync(file, 'utf8')
    const change = async (from: string, to: string) => {
      expect(before.split(from).length).toBeGreaterThan(1)
      writeFileSync(file, before.replace(from, to))
      const { verdicts } = await replayOf(test)
      const again = await restarted(toClose, made)
      const verdict = await again.test.session.store.verifyWindow(windowId)
      await again.test.app.close()
      writeFileSync(file, before)
      const differing = verdicts.filter(({ result }) => result === 'differs')
      return { differing, verified: verdict.ok ? verdict.value : null }
    }
    const summary = await change('SUMMARY one', 'SUMMERY one')
    expect(summary.differing.length).toBeGreaterThan(1)
    for (const { firstDifference, windowId: where } of summary.differing) {
      expect(where).toBe(windowId)
      expect(firstDifference).toMatchObject({ part: 'message', index: 0 })
    }
    expect(summary.verified).toMatchObject({ kind: 'differs', difference: { line: 1 } })
    // The header reached the requests before the mark alone.
    const header = await change('mend the parser', 'mind the parser')
    const marked = before.match(/"omittedFromRequest":(\d+)/)?.[1]
    expect(header.differing.length).toBeGreaterThan(0)
    for (const { requestSequence } of header.differing) expect(requestSequence).toBeLessThan(Number(marked))
    // Figures are in no request.
    const figures = await change('"beforeTokens":', '"beforeTokens":1')
    expect(figures.differing).toEqual([])
    expect(figures.verified).toMatchObject({ kind: 'differs', difference: { line: 1, what: 'changed' } })
  })
})
