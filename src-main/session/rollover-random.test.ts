// Proves over random work that no budget rule bends: a provider that says what it likes of sizes, results of any length,
// a person who sends, stops and goes on at any moment (R-6, P-3, M-4, S-10).
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { IMAGE_TOKEN_ESTIMATE } from '@common/constants'
import { isBoundary } from '@common/rows/boundaries'
import { toolPartsOf } from '@common/rows/row-schema'
import { inForm } from '../history/testing/long-form'
import type { ScriptedToolCall, ScriptedTurn } from '../provider/testing/scripted-turn'
import type { TestApp } from '../testing/test-app'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  says,
  sentTokens,
  SMALL_CEILING,
  storedRows,
  textOf,
  work
} from './testing/budget-rig'
import { wordsOf } from './testing/oversize'
import { afterTicks, seededRandom } from './testing/random'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const SEEDS = inForm({ quick: [71_001], full: range(71_001, 8), long: range(71_001, 120) })
const ACTIONS = inForm({ quick: 12, full: 24, long: 30 })
const RESULT_CHARS = [0, 40, 600, 5_000, 12_000, 31_000, 70_000]

const LIST = 'Which windows are there?'
const LISTING = calls(3_000, { name: 'session_history', input: { action: 'list_windows', limit: 50 }, id: 'list_1' })

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

/** What a run knows of itself. */
interface Play {
  readonly made: BudgetRig
  /** Every message that was taken. */
  readonly texts: string[]
}

function pick<T>(random: () => number, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}

function callOf(random: () => number, play: { calls: number }): ScriptedToolCall {
  const chars = pick(random, RESULT_CHARS)
  return bash(`echo call-${play.calls++} >> ran.txt; seq 1 20000 | head -c ${chars}`)
}

function anyAnswer(random: () => number, play: { calls: number }, rawBytes: number): ScriptedTurn {
  if (random() < 0.04) return { fault: { kind: 'context-exceeded' } }
  // About right mostly, far too much at times.
  const share = random() < 0.15 ? 1 + random() * 2 : 0.7 + random() * 0.5
  const inputTokens = Math.ceil((rawBytes / 4) * share)
  const usage = { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: Math.ceil(random() * 400) }
  const delivery = random() < 0.3 ? { pieceChars: 9, delayMs: 2 } : {}
  const text = 'words of the answer '.repeat(1 + Math.floor(random() * 40))
  if (random() < 0.45) return { text, usage, delivery }
  return {
    text,
    usage,
    delivery,
    toolCalls: Array.from({ length: 1 + Math.floor(random() * 3) }, () => callOf(random, play))
  }
}

async function act(random: () => number, { made, texts }: Play): Promise<void> {
  const { test } = made
  const { workspaceId } = test
  const dice = random()
  if (dice < 0.55) {
    const text = `message ${texts.length} ${random() < 0.2 ? wordsOf(Math.floor(random() * 6_000)) : ''}`
    const sent = await test.app.dispatch('turn.send', {
      workspaceId,
      text,
      attachments: [],
      mode: random() < 0.5 ? 'tool-end' : 'turn-end'
    })
    if (sent.ok) texts.push(text)
  } else if (dice < 0.67) await test.session.interrupt()
  else if (dice < 0.75) await test.app.dispatch('turn.retry', { workspaceId })
  else if (dice < 0.9) await sendHeld(test)
  else await idle(test)
  if (random() < 0.5) await afterTicks(Math.floor(random() * 200))
}

async function sendHeld({ session, app, workspaceId }: TestApp): Promise<void> {
  for (const { id, held } of session.queue.entries)
    if (held) await app.dispatch('queue.send', { workspaceId, entryId: id })
}

async function idle({ session }: TestApp): Promise<void> {
  while (session.busy || session.queue.entries.some(({ held }) => !held)) await afterTicks(5)
}

it.each(SEEDS)('R-6 P-3 M-4 S-10 bends no rule in random work of seed %i', async (seed) => {
  const random = seededRandom(seed)
  const play = { calls: 0, isOver: false }
  const answers = ({ rawBody }: { rawBody: string }): ScriptedTurn => {
    if (!play.isOver) return anyAnswer(random, play, Buffer.byteLength(rawBody))
    return rawBody.includes(LIST) && !rawBody.includes('list_1') ? LISTING : says('Fine.')
  }
  const made = await budgetRig(
    toClose,
    Array.from({ length: 3_000 }, () => answers)
  )
  const { test, server } = made
  const texts: string[] = []
  for (let action = 0; action < ACTIONS; action++) await act(random, { made, texts })
  play.isOver = true
  await idle(test)
  await sendHeld(test)
  await idle(test)
  await sendHeld(test)
  await idle(test)

  const rows = storedRows(test)
  expect(budgetProblemsOf(rows)).toEqual([])
  expect(server.problems).toEqual([])
  for (const request of server.requests)
    expect(await sentTokens(request, IMAGE_TOKEN_ESTIMATE), `request ${request.index}`).toBeLessThan(SMALL_CEILING)

  // Each message is a row or a capsule once, or waits; a copy for a fresh window names its original.
  const said = rows.flatMap((row) => {
    const isCapsule = row.metadata.machine?.type === 'rejected-input'
    if (isCapsule) return [JSON.stringify(row.metadata.machine?.['parts'])]
    return row.role === 'user' && row.metadata.machine === undefined && row.metadata.copyOf === undefined
      ? [textOf(row)]
      : []
  })
  const waits = test.session.queue.entries.map(({ text }) => text)
  for (const text of texts) {
    const places = [...said, ...waits].filter((place) => place === text || place.includes(JSON.stringify(text)))
    expect(places, text.slice(0, 20)).toHaveLength(1)
  }

  // Nothing ran twice, and each result that is stored was made.
  const file = path.join(test.project, 'ran.txt')
  const ran = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
  expect(new Set(ran).size).toBe(ran.length)
  const results = rows.flatMap(toolPartsOf).filter(({ state }) => state === 'output-available')
  expect(results.length).toBeLessThanOrEqual(ran.length)

  await expectEveryWindowListed(made)
})

/** The agent's own tool names every window that there is. */
async function expectEveryWindowListed({ test, server }: BudgetRig): Promise<void> {
  const first = await work(test, LIST)
  // Who counts too little may fill a window unseen: that turn ends with its results, the next one begins afresh (P-4).
  const end = first.reason === 'request_too_large' ? await work(test, LIST) : first
  expect(end).toMatchObject({ outcome: 'completed' })
  const rows = storedRows(test)
  const listed = rows.flatMap(toolPartsOf).findLast(({ toolName }) => toolName === 'session_history')
  const output = JSON.stringify(listed?.output)
  for (const id of ['w:0', ...rows.filter(isBoundary).map(({ metadata }) => `w:${metadata.historySequence}`)])
    expect(output).toContain(`"${id}"`)
  expect(server.problems).toEqual([])
}
