import { describe, expect, it } from 'vitest'
import type { Row } from '@common/rows/row-schema'
import { boundaryNatureOf } from '@common/rows/rollover-row'
import { rowKindOf } from '@common/rows/row-kinds'
import type { BeforeSend, Recovery } from './context-strategy'
import type { PreparedRequest, RequestRejection } from './prepare-request'
import { personRow, preparedRequest, sendMoment, settledStep, TOO_LARGE } from './testing/send-moments'
import { tokenBudgetStrategy } from './token-budget-strategy'

/** Limit 10 000, ceiling 8 000, rollover point 7 500, no warning band but where a test says so. */
const BAND = { hardCeiling: 8_000, rolloverPoint: 7_500, warningPoint: 5_000 }
const OFF = { hardCeiling: 8_000, rolloverPoint: null, warningPoint: null }
const answer: Row = { id: 'answer', role: 'assistant', parts: [{ type: 'text', text: 'Done.' }], metadata: {} }
const earlier = [personRow('earlier'), answer]
const failure = {
  kind: 'context_exceeded',
  message: 'Too long.',
  statusCode: 400,
  retryAfterMs: null,
  retryable: false
} as const

function measured(tokens: number): Pick<BeforeSend, 'ledger' | 'countRows'> {
  return {
    ledger: { windowId: 'w:0', model: 'm', measuredTokens: tokens, measuredAtSequence: 1, tailEstimate: 0 },
    countRows: async () => 0
  }
}

function fresh(answer: PreparedRequest | RequestRejection, seen?: Row[][]): Pick<BeforeSend, 'freshWindow'> {
  const prepare = async (rows: readonly Row[]) => {
    seen?.push([...rows])
    return answer
  }
  return { freshWindow: async () => ({ notesCarried: true, prepare }) }
}

const recovery = (answer: Recovery): Pick<BeforeSend, 'recovery'> => ({ recovery: async () => answer })
const ask = (fields: Partial<BeforeSend>) => tokenBudgetStrategy.beforeSend(sendMoment({ points: BAND, ...fields }))
const kinds = (rows: readonly Row[]): string[] => rows.map(rowKindOf)

describe('before a send', () => {
  it('P-5 sends in place below every point, exactly what it prepared', async () => {
    const decision = await ask({ windowRows: earlier, ...measured(4_999) })
    expect(decision).toMatchObject({ kind: 'send', rows: [{ id: 'input' }], stays: null })
  })

  it('E-3 W-1 M-4 puts a warning before the input, tied to it, once a window', async () => {
    const decision = await ask({ windowRows: earlier, ...measured(5_000) })
    if (decision.kind !== 'send') throw new Error(decision.kind)
    const [warning, input] = decision.rows
    expect(kinds(decision.rows)).toEqual(['context-budget-warning', 'person'])
    expect(warning?.metadata.machine).toMatchObject({ contextTokens: 5_000, maxTokens: 10_000 })
    expect(input?.metadata.warningId).toBe(warning?.metadata.machine?.['warningId'])
    const warned = [...earlier, ...decision.rows]
    expect(await ask({ windowRows: warned, ...measured(5_000) })).toMatchObject({ rows: [{ id: 'input' }] })
  })

  it('M-4 writes the warning that a settled step asked for, under its id, and no second one', async () => {
    const pending = { kind: 'warning', warningId: 'w1' } as const
    const decision = await ask({ windowRows: earlier, pending, ...measured(1_000) })
    if (decision.kind !== 'send') throw new Error(decision.kind)
    expect(decision.rows[0]?.metadata.machine?.['warningId']).toBe('w1')
    const warned = [...earlier, ...decision.rows]
    expect(await ask({ windowRows: warned, pending, ...measured(1_000) })).toMatchObject({ rows: [{ id: 'input' }] })
  })

  it('R-1 R-2 rolls over at the point: boundary, lead-in, company and input in one batch', async () => {
    const seen: Row[][] = []
    const company: Row[] = [
      { ...personRow('notice'), metadata: { machine: { type: 'file-change-notice' } } },
      { ...personRow('snapshot'), metadata: { machine: { type: 'prelude' } } }
    ]
    const decision = await ask({ windowRows: earlier, company, ...measured(7_500), ...fresh(preparedRequest(), seen) })
    if (decision.kind !== 'rollover') throw new Error(decision.kind)
    // In a fresh window no file was seen that could have changed (O-4).
    expect(kinds(decision.rows)).toEqual(['context-window-rollover', 'context-window-lead-in', 'prelude', 'person'])
    expect(seen).toEqual([decision.rows])
    const [boundary, leadIn, , input] = decision.rows
    expect(boundaryNatureOf(boundary)).toBe('rollover')
    expect(boundary?.metadata.machine).toMatchObject({
      reason: 'on-send',
      flushOpportunity: true,
      contextTokens: 7_500,
      maxTokens: 10_000,
      notesCarried: true
    })
    const rolloverId = boundary?.metadata.machine?.['rolloverId']
    expect(leadIn?.metadata).toMatchObject({
      uiVisible: false,
      machine: { rolloverId, request: { messageId: 'input' } }
    })
    expect(input?.metadata.rolloverId).toBe(rolloverId)
  })

  it('M-3 pays the rollover that a settled step latched, under its id, whatever is sent', async () => {
    const pending = { kind: 'rollover', rolloverId: 'r1', flushOpportunity: false } as const
    const decision = await ask({ windowRows: earlier, pending, ...measured(100) })
    if (decision.kind !== 'rollover') throw new Error(decision.kind)
    expect(decision.rows[0]?.metadata.machine).toMatchObject({
      rolloverId: 'r1',
      reason: 'mid-stream',
      flushOpportunity: false
    })
  })

  it('M-3 goes on with a Continue where there is no input', async () => {
    const pending = { kind: 'rollover', rolloverId: 'r1', flushOpportunity: true } as const
    const decision = await ask({ windowRows: earlier, pending, input: null, ...measured(100) })
    expect(decision.kind === 'rollover' && kinds(decision.rows)).toEqual([
      'context-window-rollover',
      'context-window-lead-in',
      'continue'
    ])
  })

  it.each([
    ['an empty window', []],
    ['boundary and lead-in', [{ ...personRow('l'), metadata: { machine: { type: 'context-window-lead-in' } } }]],
    ['the input itself, failed before', [personRow('input')]],
    ['a copy of the input', [personRow('c', { copyOf: 'input' })]]
  ])('P-1 seals no window that is fresh: %s', async (_name, windowRows) => {
    expect(await ask({ windowRows, ...measured(9_000) })).toMatchObject({ kind: 'send' })
    expect(await ask({ windowRows, prepare: async () => TOO_LARGE })).toMatchObject({
      kind: 'blocked',
      block: { reason: 'fresh_request_too_large' }
    })
  })

  it('R-2 takes a message that nothing answered into the fresh window whole, not as a Continue', async () => {
    const windowRows: Row[] = [
      ...earlier,
      { ...personRow('asked-file-1'), metadata: { machine: { type: 'prelude' } } },
      personRow('asked'),
      { id: 'failed', role: 'assistant', parts: [], metadata: { error: { kind: 'auth', message: 'No.' } } }
    ]
    const decision = await ask({ windowRows, input: null, ...measured(7_500) })
    if (decision.kind !== 'rollover') throw new Error(decision.kind)
    expect(decision.rows.slice(2).map(({ metadata }) => metadata.copyOf)).toEqual(['asked-file-1', 'asked'])
    expect(decision.rows.at(-1)?.parts).toEqual([{ type: 'text', text: 'asked' }])
  })

  it('P-1 counts no answer that failed before it said anything', async () => {
    const windowRows: Row[] = [
      personRow('c', { copyOf: 'input' }),
      { id: 'failed', role: 'assistant', parts: [], metadata: { error: { kind: 'context_exceeded', message: 'No.' } } }
    ]
    expect(await ask({ windowRows, ...measured(9_000) })).toMatchObject({ kind: 'send' })
  })

  it('R-7 goes on in a window that what is always sent has crowded, instead of rolling over without end', async () => {
    const usage = { inputTokens: 3_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 9, reasoningTokens: 0 }
    const step = { type: 'step', requestSequence: 1, model: 'm', usage }
    const boundary: Row = {
      id: 'b',
      role: 'assistant',
      parts: [],
      metadata: { machine: { type: 'context-window-rollover' }, contextBoundaryKind: 'reset' }
    }
    const windowRows: Row[] = [boundary, { id: 'a', role: 'assistant', parts: [step], metadata: {} }]
    const goOn: Row = { ...personRow('go-on'), metadata: { machine: { type: 'continue' } } }
    const crowded = { windowRows, ...measured(7_500), ...fresh(preparedRequest(6_000, true)) }
    expect(await ask({ ...crowded, input: goOn })).toMatchObject({ stays: { why: expect.stringContaining('small') } })
    expect(await ask(crowded)).toMatchObject({ kind: 'rollover' })
    const roomy = { ...crowded, input: goOn, ...fresh(preparedRequest(3_000, true)) }
    expect(await ask(roomy)).toMatchObject({ kind: 'rollover' })
    // By the provider's own count it is crowded all the same.
    const counted = { ...step, usage: { ...usage, inputTokens: 7_000 } }
    const other: Row[] = [boundary, { id: 'a', role: 'assistant', parts: [counted], metadata: {} }]
    expect(await ask({ ...roomy, windowRows: other })).toMatchObject({ kind: 'send' })
  })

  it('W-1 names what the next request will hold, and warns of nothing that it does not know', async () => {
    const pending = { kind: 'warning', warningId: 'w1' } as const
    const counted = { prepare: async () => preparedRequest(6_000, true) }
    const decision = await ask({ windowRows: earlier, pending, ...counted })
    expect(decision.kind === 'send' && decision.rows[0]?.metadata.machine?.['contextTokens']).toBe(6_000)
    const unknown = { prepare: async () => preparedRequest(7_000, false), count: async () => null }
    expect(await ask({ windowRows: earlier, pending, ...unknown })).toMatchObject({ rows: [{ id: 'input' }] })
  })

  it('G-3 is blocked before anything is sealed where the agent may not read its past', async () => {
    const denied = recovery({ kind: 'denied', message: 'No.' })
    expect(await ask({ windowRows: earlier, ...measured(7_500), ...denied })).toEqual({
      kind: 'blocked',
      block: { reason: 'history_access', message: 'No.' }
    })
    expect(await ask({ windowRows: [], ...measured(7_500), ...denied })).toMatchObject({ kind: 'send' })
  })

  it('stays where the history cannot be read, says why, and is blocked only at the ceiling', async () => {
    const unreadable = recovery({ kind: 'unreadable', message: 'Disk.' })
    const moment = { windowRows: earlier, ...measured(7_600), ...unreadable }
    expect(await ask(moment)).toMatchObject({ kind: 'send', stays: { why: expect.stringContaining('Disk.') } })
    expect(await ask({ ...moment, prepare: async () => TOO_LARGE })).toMatchObject({
      kind: 'blocked',
      block: { reason: 'history_access' }
    })
  })

  it('P-2 stays where a fresh request would be at the rollover point, and rolls over at the ceiling', async () => {
    const moment = { windowRows: earlier, ...measured(7_600), ...fresh(preparedRequest(7_500, true)) }
    expect(await ask(moment)).toMatchObject({ kind: 'send', stays: { why: expect.stringContaining('threshold') } })
    expect(await ask({ ...moment, prepare: async () => TOO_LARGE })).toMatchObject({ kind: 'rollover' })
  })

  it('P-2 counts a fresh request that its bytes do not settle', async () => {
    const moment = { windowRows: earlier, ...measured(7_600), ...fresh(preparedRequest(7_900, false)) }
    expect(await ask({ ...moment, count: async () => 2_000 })).toMatchObject({ kind: 'rollover' })
    expect(await ask({ ...moment, count: async () => 7_500 })).toMatchObject({ kind: 'send' })
  })

  it('P-2 blocks a message that fits no fresh window, with the old one untouched', async () => {
    const moment = { windowRows: earlier, ...measured(9_000), ...fresh(TOO_LARGE), prepare: async () => TOO_LARGE }
    expect(await ask(moment)).toMatchObject({ kind: 'blocked', block: { reason: 'fresh_request_too_large' } })
  })

  it('P-3 makes one emergency rollover where the assembled request is over, though the projection was not', async () => {
    const decision = await ask({ windowRows: earlier, ...measured(100), prepare: async () => TOO_LARGE })
    expect(decision.kind === 'rollover' && decision.rows[0]?.metadata.machine).toMatchObject({
      reason: 'context-exceeded',
      flushOpportunity: false,
      contextTokens: TOO_LARGE.estimate
    })
  })

  it('P-3 rolls nothing over for a request that could not be counted', async () => {
    const uncountable = { ...TOO_LARGE, reason: 'uncountable', estimate: null } as const
    expect(await ask({ windowRows: earlier, ...measured(100), prepare: async () => uncountable })).toMatchObject({
      kind: 'blocked',
      block: { reason: 'request_too_large', message: expect.stringContaining('another model') }
    })
  })

  it('G-2 with automatic off neither warns nor rolls over, and blocks at the ceiling', async () => {
    const moment = { windowRows: earlier, points: OFF }
    expect(await ask({ ...moment, ...measured(7_999) })).toMatchObject({ kind: 'send', rows: [{ id: 'input' }] })
    const over = { kind: 'blocked', block: { reason: 'automatic_off' } }
    expect(await ask({ ...moment, ...measured(8_000) })).toMatchObject(over)
    expect(await ask({ ...moment, ...measured(10), prepare: async () => TOO_LARGE })).toMatchObject(over)
    const pending = { kind: 'rollover', rolloverId: 'r', flushOpportunity: true } as const
    expect(await ask({ ...moment, pending, ...measured(10) })).toMatchObject({ kind: 'send' })
  })

  it('G-2 decides nothing by an unknown limit', async () => {
    const unknown = { points: null, limits: { contextLimit: null, maxOutputTokens: null } }
    expect(await ask({ windowRows: earlier, ...unknown, ...measured(9_999_999) })).toMatchObject({ kind: 'send' })
  })

  it('E-3 counts the window where nothing was measured', async () => {
    const prepare = async () => preparedRequest(9_000, false)
    expect(await ask({ windowRows: earlier, prepare, count: async () => 7_500 })).toMatchObject({ kind: 'rollover' })
    expect(await ask({ windowRows: earlier, prepare, count: async () => 4_999 })).toMatchObject({ kind: 'send' })
  })

  it('R-7 says that the limit is too small after one answer of one step', async () => {
    const step = { type: 'step', requestSequence: 1, model: 'm', usage: {} }
    const told = async (parts: Row['parts']) => {
      const windowRows: Row[] = [personRow('a'), { id: 'b', role: 'assistant', parts, metadata: {} }]
      const decision = await ask({ windowRows, ...measured(7_500) })
      return decision.kind === 'rollover' ? decision.told : decision.kind
    }
    expect(await told([step])).toContain('too small')
    expect(await told([step, step])).toBeNull()
  })
})

describe('after a settled step', () => {
  const decide = (projected: number, fields = {}) =>
    tokenBudgetStrategy.onStepSettled(settledStep(projected, { points: BAND, ...fields }))

  it.each([
    [4_999, {}, { kind: 'continue' }],
    [5_000, {}, { kind: 'warn' }],
    [5_000, { isWarned: true }, { kind: 'continue' }],
    [7_500, {}, { kind: 'rollover', flushOpportunity: true }],
    [8_000, {}, { kind: 'rollover', flushOpportunity: false }],
    [7_999, { points: OFF }, { kind: 'continue' }],
    [8_000, { points: OFF }, { kind: 'block', block: { reason: 'automatic_off' } }],
    // A window that cannot roll over runs to its ceiling (P-2).
    [7_600, { stays: true }, { kind: 'continue' }]
  ])('M-1 M-5 with %i tokens and %o', async (projected, fields, expected) => {
    expect(await decide(projected, fields)).toMatchObject(expected)
  })
})

describe('a request that the provider finds too long', () => {
  const overflow = (fields: Partial<BeforeSend>) =>
    tokenBudgetStrategy.onOverflow(sendMoment({ points: BAND, windowRows: earlier, ...fields }), failure)

  it('P-7 goes once more in a fresh window, as copies that name their originals', async () => {
    const company: Row[] = [{ ...personRow('snapshot'), metadata: { machine: { type: 'prelude' } } }]
    const input = personRow('input', { historySequence: 9, warningId: 'w' })
    const decision = await overflow({ company, input })
    if (decision.kind !== 'rollover') throw new Error(decision.kind)
    const [boundary, , snapshot, copy] = decision.rows
    expect(boundary?.metadata.machine).toMatchObject({ reason: 'context-exceeded', flushOpportunity: false })
    expect([snapshot?.metadata.copyOf, copy?.metadata.copyOf]).toEqual(['snapshot', 'input'])
    expect(copy?.metadata).not.toHaveProperty('historySequence')
    expect(copy?.metadata).not.toHaveProperty('warningId')
    expect(new Set(decision.rows.map(({ id }) => id)).size).toBe(4)
  })

  it.each([
    ['in a fresh window', { windowRows: [] }],
    ['in a fresh window that holds its first copy', { windowRows: [], input: personRow('c', { copyOf: 'input' }) }],
    ['with automatic off', { points: OFF }],
    ['with an unknown limit', { points: null }],
    ['without access to the history', recovery({ kind: 'denied', message: 'No.' })],
    ['where the fresh request does not fit', fresh(TOO_LARGE)]
  ])('P-7 stands %s', async (_name, fields) => {
    expect(await overflow(fields)).toEqual({ kind: 'fail' })
  })
})
