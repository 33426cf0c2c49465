// Proves one clear outcome for each input that does not fit (P-1, P-2, P-3, P-4, P-8): no request over the ceiling
// leaves, by the app's own count, and the conversation goes on.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  calls,
  countOf,
  kindsOf,
  lastEnd,
  restarted,
  says,
  SMALL_MODEL,
  storedRows,
  work
} from './testing/budget-rig'
import { expectBelow, expectUsable, limitsOf, noticesOf, setTo, wordsOf } from './testing/oversize'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const INSTRUCTIONS = wordsOf(6_000)

describe('what is always sent', () => {
  it('P-2 above the rollover point: the window runs to its ceiling, told once, and there it rolls over', async () => {
    const limits = limitsOf(60_000)
    const made = await budgetRig(toClose, [says('One.', 31_000), says('Two.', 32_000)], { limits })
    const { test, server } = made
    test.writeProject('AGENTS.md', INSTRUCTIONS)
    await setTo(test, 'autoThreshold', 0.2)
    for (const text of ['First', 'Second', 'Third'])
      expect(await work(test, text)).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(0)
    expect(noticesOf(test).filter((message) => message.includes('goes on until it is full'))).toHaveLength(1)
    await expectBelow(server, limits)
    await expectUsable(made)
    // Full at last.
    for (let index = 0; index < 3; index++) await work(test, wordsOf(5_000))
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
    await expectBelow(server, limits)
  })

  it('P-2 above the ceiling: refused at once, with no request, and usable on a larger model', async () => {
    const limits = limitsOf(8_000)
    const larger = { ...limits, id: 'large-model', contextLimit: 200_000 }
    const made = await budgetRig(toClose, [], { limits, others: [larger] })
    const { test, server } = made
    test.writeProject('AGENTS.md', INSTRUCTIONS)
    const end = await work(test, 'Barnacles')
    expect(end).toMatchObject({ outcome: 'context_budget_blocked', reason: 'fresh_request_too_large', requests: 0 })
    expect(end.message).toMatch(/Shorten the message, remove attachments, or take a model with a larger window/)
    expect(await work(test, 'Again')).toMatchObject({ outcome: 'context_budget_blocked' })
    expect(kindsOf(storedRows(test))).toEqual(['rejected-input', 'rejected-input'])
    expect(server.requests).toEqual([])
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:large-model' })
    await expectUsable(made)
    expect(server.requests[0]?.rawBody.includes('Barnacles')).toBe(false)
  })
})

describe('a message that is too long', () => {
  it('P-3 P-8 is a capsule, can be edited and sent, and is never tried again', async () => {
    const made = await budgetRig(toClose, [])
    const { test, server } = made
    const long = wordsOf(12_000)
    expect(await work(test, long)).toMatchObject({
      outcome: 'context_budget_blocked',
      reason: 'fresh_request_too_large'
    })
    const [capsule] = storedRows(test)
    expect(kindsOf(storedRows(test))).toEqual(['rejected-input'])
    const { workspaceId } = test
    const from = test.events.length
    expect((await test.app.dispatch('turn.retry', { workspaceId })).ok).toBe(true)
    expect(await lastEnd(test, from)).toMatchObject({ outcome: 'failed', reason: 'nothing_to_send' })
    const edited = test.events.length
    await test.ask('row.edit', { workspaceId, rowId: capsule?.id ?? '', text: 'Short', confirmed: true })
    expect(await lastEnd(test, edited)).toMatchObject({ outcome: 'completed' })
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant'])
    expect(server.requests).toHaveLength(1)
    await expectBelow(server, SMALL_MODEL)
    await expectUsable(made)
  })

  it('P-8 is not tried again in its old conversation either, nor is what was said before it', async () => {
    const made = await budgetRig(toClose, [says('One.')])
    const { test, server } = made
    await work(test, 'First')
    expect(await work(test, wordsOf(12_000))).toMatchObject({ outcome: 'context_budget_blocked' })
    const { workspaceId } = test
    const from = test.events.length
    await test.ask('turn.retry', { workspaceId })
    expect(await lastEnd(test, from)).toMatchObject({ outcome: 'failed', reason: 'nothing_to_send' })
    expect(server.requests).toHaveLength(1)
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant', 'rejected-input'])
    await expectUsable(made)
  })

  it('is refused before the queue where it is only white', async () => {
    const made = await budgetRig(toClose, [])
    const { workspaceId } = made.test
    for (const text of ['', '   ', '\n\t\n', '\u00a0']) {
      const answer = await made.test.app.dispatch('turn.send', { workspaceId, text, attachments: [], mode: 'tool-end' })
      expect(answer).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    }
    expect(storedRows(made.test)).toEqual([])
    await expectUsable(made)
  })

  it('P-3 counts a text that looks like a data URL as text', async () => {
    const made = await budgetRig(toClose, [])
    const { test, server } = made
    const url = `data:image/png;base64,${Buffer.from(wordsOf(12_000)).toString('base64')}`
    expect(await work(test, url)).toMatchObject({ outcome: 'context_budget_blocked' })
    expect(server.requests).toEqual([])
    await expectUsable(made)
  })
})

describe('numbers at the edge', () => {
  it('G-2 decides nothing for a model whose limit is not known, and says so in the log once a send', async () => {
    const made = await budgetRig(toClose, [calls(900_000, bash('echo a')), says('One.', 900_000)], {
      limits: { id: 'nobody-knows' }
    })
    const { test } = made
    expect(await work(test, 'First')).toMatchObject({ outcome: 'completed', requests: 2 })
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant'])
    const log = readFileSync(path.join(test.home, 'logs', 'tidemark.log'), 'utf8')
    expect(log.split('context-limit-unknown')).toHaveLength(2)
    await expectUsable(made)
  })

  it('E-2 with automatic handling off warns and rolls over never, and blocks at the ceiling with the results kept', async () => {
    const made = await budgetRig(toClose, [calls(17_000, bash('echo a')), calls(17_980, bash('echo once >> ran.txt'))])
    const { test, server } = made
    await setTo(test, 'autoThreshold', 1)
    const end = await work(test, 'Go')
    expect(end).toMatchObject({ outcome: 'context_budget_blocked', reason: 'automatic_off', requests: 2 })
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual(['person', 'assistant'])
    expect(rows.flatMap(toolPartsOf).map(({ state }) => state)).toEqual(['output-available', 'output-available'])
    expect(test.session.queue.entries).toEqual([])
    expect(await work(test, 'More')).toMatchObject({ outcome: 'context_budget_blocked', reason: 'automatic_off' })
    expect(server.requests).toHaveLength(2)
    await setTo(test, 'autoThreshold', 0.7)
    expect(await work(test, 'Now')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
    await expectUsable(made)
  })
})

describe('G-1 what a send says of the experiment', () => {
  it.each([
    [true, false, 0],
    [false, true, 1]
  ] as const)('wins over the setting, for its Continue too: setting %s, send %s', async (setting, isOn, boundaries) => {
    const made = await budgetRig(toClose, [calls(15_200, bash('echo a')), says('Done.')])
    const { test } = made
    await setTo(test, 'experiments.tokenBudget', setting)
    const { workspaceId } = test
    const from = test.events.length
    const experiments = { tokenBudget: isOn }
    await test.ask('turn.send', { workspaceId, text: 'Go', attachments: [], mode: 'tool-end', experiments })
    expect(await lastEnd(test, from)).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(boundaries)
    expect(countOf(storedRows(test), 'context-window-lead-in')).toBe(boundaries)
  })
})

it('P-1 seals no window that holds nothing but the app’s own rows', async () => {
  const made = await budgetRig(toClose, [says('One.', 15_200), says('Two.', 15_300)])
  const { test } = made
  await work(test, 'First')
  await work(test, 'Second')
  const rows = storedRows(test)
  const windowFile = path.join(test.session.folder, 'windows', `w-${rows[2]?.metadata.historySequence}.jsonl`)
  await test.app.close()
  const lines = readFileSync(windowFile, 'utf8').split('\n')
  rmSync(path.join(test.session.folder, 'append-receipt.json'))
  writeFileSync(windowFile, `${lines.slice(0, 2).join('\n')}\n`)
  const again = await restarted(toClose, made)
  expect(await work(again.test, ' tide'.repeat(13_200))).toMatchObject({ outcome: 'completed' })
  const after = storedRows(again.test)
  expect(kindsOf(after).slice(2)).toEqual(['context-window-rollover', 'context-window-lead-in', 'person', 'assistant'])
  expect(budgetProblemsOf(after, { isCut: true })).toEqual([])
})
