// Proves the outcome of what is far too much: results of megabytes, screenshots by the dozen, texts beyond a window of
// 262 144 tokens, a switch to a smaller model. By the app's own count no request over a ceiling leaves.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { IMAGE_TOKEN_ESTIMATE } from '@common/constants'
import { toolPartsOf } from '@common/rows/row-schema'
import type { SeenRequest } from '../provider/testing/scripted-turn'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  countOf,
  restarted,
  says,
  sentTokens,
  SMALL_MODEL,
  storedRows,
  work
} from './testing/budget-rig'
import { expectBelow, expectUsable, type FileToSend, limitsOf, sendWith } from './testing/oversize'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

function sentBy({ server }: BudgetRig, index: number): SeenRequest {
  const request = server.requests[index]
  if (request === undefined) throw new Error(`there is no request ${index}`)
  return request
}

describe('P-4 a result that is too long', () => {
  it.each([
    ['a data URL', 'printf "data:image/png;base64,"; head -c 60000 /dev/urandom | base64 -w0'],
    ['JSON of nothing but punctuation', String.raw`printf '[[{},[]],%.0s' $(seq 4000)`],
    ['16 MB of words', 'yes "the tide comes in and goes out again" | head -c 16000000'],
    ['quotes and backslashes', String.raw`printf '"\\%.0s' $(seq 20000)`]
  ])('ends without a request over the ceiling, and the command has run once: %s', async (_name, command) => {
    const made = await budgetRig(toClose, [
      calls(6_000, bash(`echo once >> ran.txt; ${command}`)),
      says('Done.', 4_000)
    ])
    const { test, server } = made
    const end = await work(test, 'Do it')
    expect(['completed', 'context_budget_blocked']).toContain(end.outcome)
    expect(readFileSync(path.join(test.project, 'ran.txt'), 'utf8')).toBe('once\n')
    const rows = storedRows(test)
    expect(rows.flatMap(toolPartsOf)).toMatchObject([{ state: 'output-available' }])
    expect(budgetProblemsOf(rows)).toEqual([])
    await expectBelow(server, SMALL_MODEL)
    await expectUsable(made)
    await expectBelow(server, SMALL_MODEL)
  })

  it('goes on in a window of 131 072 tokens after 16 MB', async () => {
    const limits = limitsOf(131_072, 8_192)
    const made = await budgetRig(
      toClose,
      [calls(6_000, bash('seq 1 2200000 | head -c 16000000')), says('Done.', 20_000)],
      { limits }
    )
    expect(await work(made.test, 'Do it')).toMatchObject({ outcome: 'completed', requests: 2 })
    await expectBelow(made.server, limits)
    const [, answer] = storedRows(made.test)
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(80_000)
    await expectUsable(made)
  })
})

describe('pictures', () => {
  const picture = (index: number): FileToSend => ({
    filename: `shot-${index}.png`,
    mediaType: 'image/png',
    bytes: Buffer.concat([Buffer.from(`\x89PNG\r\n\x1a\n${index} `, 'latin1'), Buffer.alloc(800_000, index)])
  })
  const pictures = Array.from({ length: 42 }, (_, index) => picture(index))

  it('P-3 are charged their allowance: 42 screenshots of 34 MB fit 131 072 tokens', async () => {
    const limits = limitsOf(131_072, 8_192)
    const made = await budgetRig(toClose, [], { limits })
    expect(await sendWith(made.test, 'See', pictures)).toMatchObject({ outcome: 'completed' })
    expect(await sentTokens(sentBy(made, 0), IMAGE_TOKEN_ESTIMATE)).toBeGreaterThan(42 * IMAGE_TOKEN_ESTIMATE)
    await expectBelow(made.server, limits)
    await expectUsable(made)
  })

  it('P-2 are refused where their allowance does not fit, and sent again without them', async () => {
    const limits = limitsOf(40_000)
    const made = await budgetRig(toClose, [], { limits })
    expect(await sendWith(made.test, 'See', pictures)).toMatchObject({
      outcome: 'context_budget_blocked',
      reason: 'fresh_request_too_large',
      requests: 0
    })
    expect(made.server.requests).toEqual([])
    await expectUsable(made)
  })
})

describe('pictures that tools gave', () => {
  const SHOTS = 42

  /** A history of 42 calls, each with a screenshot of 0.7 MB in its result, as a tool or a server may give it. */
  async function withShots(contextLimit: number): Promise<BudgetRig> {
    const made = await budgetRig(toClose, [], { limits: limitsOf(contextLimit, 8_192) })
    const { test } = made
    const { folder } = test.session
    await test.app.close()
    const rows = [
      {
        id: 'asked',
        role: 'user',
        parts: [{ type: 'text', text: 'Look at all screens' }],
        metadata: { historySequence: 1 }
      }
    ]
    const lines = Array.from({ length: SHOTS }, (_, index) => {
      const data = Buffer.alloc(700_000, index).toString('base64')
      const output = { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data }] }
      const call = { type: 'dynamic-tool', toolCallId: `shot-${index}`, toolName: 'screenshot', input: {} }
      const parts = [{ ...call, state: 'output-available', output }]
      return JSON.stringify({ id: `shot-${index}`, role: 'assistant', parts, metadata: { historySequence: index + 2 } })
    })
    mkdirSync(path.join(folder, 'windows'), { recursive: true })
    writeFileSync(
      path.join(folder, 'windows', 'w-0.jsonl'),
      `${[...rows.map((row) => JSON.stringify(row)), ...lines].join('\n')}\n`
    )
    return restarted(toClose, made)
  }

  it('P-3 are charged their allowance and fit 131 072 tokens, of 29 MB', async () => {
    const made = await withShots(131_072)
    expect(await work(made.test, 'What did you see?')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(made.test), 'context-window-rollover')).toBe(0)
    expect(sentBy(made, 0).rawBody.length).toBeGreaterThan(SHOTS * 900_000)
    expect(await sentTokens(sentBy(made, 0), IMAGE_TOKEN_ESTIMATE)).toBeGreaterThan(SHOTS * IMAGE_TOKEN_ESTIMATE)
    await expectBelow(made.server, limitsOf(131_072, 8_192))
  })

  it('E-3 roll over where their allowance passes the ceiling, and stay in the sealed window', async () => {
    const made = await withShots(48_000)
    expect(await work(made.test, 'What did you see?')).toMatchObject({ outcome: 'completed' })
    const rows = storedRows(made.test)
    expect(countOf(rows, 'context-window-rollover')).toBe(1)
    expect(rows.flatMap(toolPartsOf)).toHaveLength(SHOTS)
    expect(sentBy(made, 0).rawBody.length).toBeLessThan(100_000)
    await expectUsable(made)
  })
})

describe('more than a window holds', () => {
  it('P-2 refuses 262 358 tokens at a limit of 262 144 without a request', async () => {
    const limits = limitsOf(262_144, 8_192)
    const made = await budgetRig(toClose, [], { limits })
    const file = { filename: 'log.txt', mediaType: 'text/plain', bytes: Buffer.from(' tide'.repeat(262_358)) }
    const end = await sendWith(made.test, 'Read this', [file])
    expect(end).toMatchObject({ outcome: 'context_budget_blocked', reason: 'fresh_request_too_large' })
    expect(made.server.requests).toEqual([])
    await expectUsable(made)
  })

  it('E-3 rolls over on a switch to a smaller model whose ceiling is passed, without a chance for notes', async () => {
    const small = { ...limitsOf(128_000, 8_192), id: 'small-model' }
    const made = await budgetRig(toClose, [], { limits: limitsOf(1_000_000, 8_192), others: [small] })
    const { test } = made
    const log = (index: number): FileToSend => ({
      filename: `${index}.log`,
      mediaType: 'text/plain',
      bytes: Buffer.from(` tide${index}`.repeat(50_000))
    })
    expect(await sendWith(test, 'Read', [0, 1, 2].map(log))).toMatchObject({ outcome: 'completed' })
    expect(await sentTokens(sentBy(made, 0), IMAGE_TOKEN_ESTIMATE)).toBeGreaterThan(300_000)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:small-model' })
    expect(await work(test, 'And now?')).toMatchObject({ outcome: 'completed' })
    const rows = storedRows(test)
    expect(rows[2]?.metadata.machine).toMatchObject({ reason: 'on-send', flushOpportunity: false, maxTokens: 128_000 })
    expect(await sentTokens(sentBy(made, 1), IMAGE_TOKEN_ESTIMATE)).toBeLessThan(20_000)
    await expectUsable(made)
  })
})
