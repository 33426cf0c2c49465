// Proves over random work that no rule bends where everything is mixed (C-1, C-2, K-4, R-6, P-3, V-2, H-6): sends under
// either strategy, summaries that come and that do not, edits, resets, other models, stops and restarts.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hardCeilingOf } from '@common/budget/budget-points'
import { IMAGE_TOKEN_ESTIMATE } from '@common/constants'
import { isBoundary } from '@common/rows/boundaries'
import { rowKindOf } from '@common/rows/row-kinds'
import { toolPartsOf } from '@common/rows/row-schema'
import { envelopesOf, placeOf, replayOf } from '../context/testing/replay-of'
import { inForm } from '../history/testing/long-form'
import type { ScriptedTurn, SeenRequest } from '../provider/testing/scripted-turn'
import {
  bash,
  budgetProblemsOf,
  type BudgetRig,
  calls,
  restarted,
  says,
  sentTokens,
  SMALL_MODEL,
  storedRows,
  textOf
} from './testing/budget-rig'
import { LONG, summarisingRig, compactionProblemsOf } from './testing/summarising-rig'
import { wordsOf } from './testing/oversize'
import { afterTicks, seededRandom } from './testing/random'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const SEEDS = inForm({ quick: [50_901], full: range(50_901, 8), long: range(50_901, 120) })
const ACTIONS = inForm({ quick: 14, full: 30, long: 40 })
const RESULT_CHARS = [0, 40, 600, 5_000, 12_000, 31_000]
const OTHER_MODEL = { id: 'other-model', contextLimit: 14_000, maxOutputTokens: 1_000 }

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

function pick<T>(random: () => number, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}

/** What a run knows of itself. */
interface Play {
  readonly random: () => number
  made: BudgetRig
  /** Every message that was taken. */
  readonly texts: string[]
  calls: number
  isOver: boolean
}

const SUMMARIES: readonly ScriptedTurn[] = [
  says(''),
  { thinking: 'So it was.' },
  says(LONG.repeat(20)),
  { ...says('SUMMARY that ends in the'), cutAtLimit: true },
  { fault: { kind: 'context-exceeded' } },
  { fault: { kind: 'auth' } },
  { ...says('SUMMARY that breaks'), fault: { kind: 'cut', afterEvents: 4 } },
  calls(3_000, bash('echo summary >> ran.txt'))
]

function answerTo({ rawBody }: SeenRequest, play: Play): ScriptedTurn {
  const { random } = play
  if (rawBody.includes('Summarise this conversation'))
    return random() < 0.7 ? says(`SUMMARY ${LONG.slice(0, random() * 1_500)}`) : pick(random, SUMMARIES)
  if (play.isOver) return says('Fine.')
  if (random() < (rawBody.includes('PLAN') ? 0.12 : 0.03)) return { fault: { kind: 'context-exceeded' } }
  const share = random() < 0.2 ? 1 + random() * 2 : 0.7 + random() * 0.5
  const inputTokens = Math.ceil((Buffer.byteLength(rawBody) / 4) * share)
  const usage = { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: Math.ceil(random() * 400) }
  const thinking = random() < 0.4 ? { thinking: 'Let me think of it.' } : {}
  const answer = { ...thinking, text: 'words of the answer '.repeat(1 + Math.floor(random() * 40)), usage }
  if (random() < 0.5) return answer
  const run = () => bash(`echo call-${play.calls++} >> ran.txt; seq 1 20000 | head -c ${pick(random, RESULT_CHARS)}`)
  return { ...answer, toolCalls: Array.from({ length: 1 + Math.floor(random() * 3) }, run) }
}

async function act(play: Play): Promise<void> {
  const { random, texts } = play
  const { test } = play.made
  const { workspaceId } = test
  const said = `message ${texts.length} ${random() < 0.2 ? wordsOf(Math.floor(random() * 3_000)) : ''}`
  const dice = random()
  if (dice < 0.5) {
    const experiments = { tokenBudget: random() < 0.2 }
    const mode = random() < 0.5 ? 'tool-end' : 'turn-end'
    const sent = await test.app.dispatch('turn.send', { workspaceId, text: said, attachments: [], mode, experiments })
    if (sent.ok) texts.push(said)
  } else if (dice < 0.6) await command(play, random() < 0.8 ? '/compact' : '/clear --soft')
  else if (dice < 0.66) await test.session.interrupt()
  else if (dice < 0.7) await test.app.dispatch('turn.retry', { workspaceId })
  else if (dice < 0.76) await sendHeld(play)
  else if (dice < 0.81) {
    const rows = storedRows(test).filter((row) => rowKindOf(row) === 'person')
    const rowId = rows.length === 0 ? 'none' : pick(random, rows.slice(-4)).id
    const edited = await test.app.dispatch('row.edit', { workspaceId, rowId, text: said, confirmed: true })
    if (edited.ok) texts.push(said)
  } else if (dice < 0.86) {
    const model = `anthropic:${random() < 0.6 ? SMALL_MODEL.id : OTHER_MODEL.id}`
    await test.app.dispatch('workspace.update', { workspaceId, model })
  } else if (dice < 0.9) test.writeProject(`.tidemark/plans/${workspaceId}.md`, `PLAN ${wordsOf(random() * 900)}`)
  else if (dice < 0.94) {
    await idle(play)
    await test.app.close()
    play.made = await restarted(toClose, play.made)
  } else await idle(play)
  if (random() < 0.6) await idle(play)
  else await afterTicks(Math.floor(random() * 100))
}

async function command(play: Play, text: string): Promise<void> {
  const { test } = play.made
  await idle(play)
  await test.app.dispatch('turn.send', { workspaceId: test.workspaceId, text, attachments: [], mode: 'tool-end' })
}

async function sendHeld({ made: { test } }: Play): Promise<void> {
  for (const { id, held } of test.session.queue.entries)
    if (held) await test.app.dispatch('queue.send', { workspaceId: test.workspaceId, entryId: id })
}

async function idle({ made: { test } }: Play): Promise<void> {
  while (test.session.busy || test.session.queue.entries.some(({ held }) => !held)) await afterTicks(5)
}

/** Some text in so many files of the workspace; a JSON line holds it as it is. */
const holds = (text: string, ...files: readonly string[]): boolean =>
  files.some((file) => existsSync(file) && readFileSync(file, 'utf8').includes(text))

it.each(SEEDS)('C-1 C-2 K-4 R-6 P-3 V-2 bends no rule in random work of seed %i', async (seed) => {
  const random = seededRandom(seed)
  const answers = (request: SeenRequest): ScriptedTurn => answerTo(request, play)
  const script = Array.from({ length: 3_000 }, () => answers)
  const made = await summarisingRig(toClose, script, { others: [OTHER_MODEL] })
  const play: Play = { random, made, texts: [], calls: 0, isOver: false }
  const { server } = made
  for (let action = 0; action < ACTIONS; action++) await act(play)
  play.isOver = true
  for (let round = 0; round < 3; round++) {
    await idle(play)
    await sendHeld(play)
  }
  await idle(play)
  const { test } = play.made

  const rows = storedRows(test)
  expect([...budgetProblemsOf(rows, { isCut: true }), ...compactionProblemsOf(rows)]).toEqual([])
  expect(server.problems).toEqual([])

  // Never a request over the ceiling of its model; all of them are built again from the files alone.
  for (const request of server.requests) {
    const limits = request.body['model'] === OTHER_MODEL.id ? OTHER_MODEL : SMALL_MODEL
    const ceiling = hardCeilingOf(limits) ?? 0
    expect(await sentTokens(request, IMAGE_TOKEN_ESTIMATE), `request ${request.index}`).toBeLessThan(ceiling)
  }
  const { verdicts, summary } = await replayOf(test)
  expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
  expect(summary.requests).toBe(server.requests.length)
  const sequences = envelopesOf(test).map(({ requestSequence }) => requestSequence)
  expect(sequences).toEqual(server.requests.map((_, index) => index + 1))

  // Every message is in a row, in one that an edit cut, or waits.
  const place = placeOf(test)
  const windows = ['w-0', ...rows.filter(isBoundary).map(({ metadata }) => `w-${metadata.historySequence}`)]
  const files = [...windows.map((window) => path.join(place.windows, `${window}.jsonl`)), place.cutRows]
  const waits = test.session.queue.entries.map(({ text }) => text)
  for (const text of play.texts)
    expect(waits.includes(text) || holds(JSON.stringify(text), ...files), text.slice(0, 20)).toBe(true)
  for (const text of play.texts)
    expect(rows.filter((row) => textOf(row) === text && row.metadata.copyOf === undefined).length).toBeLessThan(2)

  // Nothing ran twice, and each window is what was noted of it.
  const ran = path.join(test.project, 'ran.txt')
  const lines = existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines).not.toContain('summary')
  const results = rows.flatMap(toolPartsOf).filter(({ state }) => state === 'output-available')
  expect(results.length).toBeLessThanOrEqual(lines.length)
  const listed = await test.session.store.listWindows()
  for (const { windowId } of listed.ok ? listed.value : []) {
    const verdict = await test.session.store.verifyWindow(windowId)
    expect(verdict).toMatchObject({ ok: true, value: { kind: 'verified' } })
  }
})
