import { describe, expect, it } from 'vitest'
import { NO_USAGE } from '@common/budget/usage'
import type { Row } from '@common/rows/row-schema'
import type { BeforeSend } from './context-strategy'
import { summariseStrategy } from './summarise-strategy'
import { MODEL, personRow, preparedRequest, sendMoment, settledStep, TOO_LARGE } from './testing/send-moments'

const POINTS = { hardCeiling: 8_000, rolloverPoint: 7_500, warningPoint: 5_000 }
const OFF = { hardCeiling: 8_000, rolloverPoint: null, warningPoint: null }
const earlier = [personRow('earlier'), { id: 'answer', role: 'assistant', parts: [], metadata: {} } satisfies Row]

function measured(tokens: number): Pick<BeforeSend, 'ledger' | 'countRows'> {
  return {
    ledger: { windowId: 'w:0', model: 'm', measuredTokens: tokens, measuredAtSequence: 1, tailEstimate: 0 },
    countRows: async () => 0
  }
}
const ask = (fields: Partial<BeforeSend>) =>
  summariseStrategy.beforeSend(sendMoment({ points: POINTS, windowRows: earlier, ...fields }))
/** The message alone fits, what stands before it does not. */
const tooLarge = {
  prepare: async (rows: readonly Row[]) =>
    rows.some(({ id }) => id === 'input') && rows.length === 1 ? preparedRequest() : TOO_LARGE
}
const neverFits = { prepare: async () => TOO_LARGE }

describe('before a send', () => {
  it('P-5 sends exactly what it prepared, company first, and warns nobody', async () => {
    const seen: string[][] = []
    const company = [personRow('snapshot')]
    const prepare = async (rows: readonly Row[]) => {
      seen.push(rows.map(({ id }) => id))
      return preparedRequest()
    }
    const decision = await ask({ company, prepare, ...measured(7_499) })
    expect(decision).toMatchObject({ kind: 'send', rows: [{ id: 'snapshot' }, { id: 'input' }], stays: null })
    expect(seen).toEqual([['earlier', 'answer', 'snapshot', 'input']])
    expect(await ask({ input: null, ...measured(1) })).toMatchObject({ kind: 'send', rows: [] })
  })

  it.each([
    ['at the threshold', measured(7_500), { kind: 'compact' }],
    ['where the assembled request is over', { ...measured(10), ...tooLarge }, { kind: 'compact' }],
    ['not twice in a turn', { ...measured(7_500), handling: 'tried' as const }, { kind: 'send' }],
    [
      'not again below the ceiling once it failed',
      { ...measured(7_500), handling: 'stays' as const },
      { kind: 'send' }
    ],
    ['again at the ceiling', { ...measured(7_500), ...tooLarge, handling: 'stays' as const }, { kind: 'compact' }]
  ])('C-2 compacts %s', async (_name, fields, expected) => {
    expect(await ask(fields)).toMatchObject(expected)
  })

  it.each([
    ['that filled it', 7_700, [], 'send'],
    ['that filled it, whatever was said behind it', 7_700, ['a', 'b'], 'send'],
    ['that left room for what was said behind it', 7_502, ['a', 'b', 'c'], 'compact'],
    ['of another model', 7_700, [], 'compact', 'another:model'],
    ['that nobody measured', 0, [], 'compact']
  ])(
    'C-2 asks for one more summary behind one %s only where it helps',
    async (_name, inputTokens, between, kind, model = MODEL) => {
      const usage = { ...NO_USAGE, inputTokens }
      const windowRows: Row[] = [
        { id: 'summary', role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'compaction' } },
        ...between.map((id) => personRow(id)),
        {
          id: 'answer',
          role: 'assistant',
          parts: [{ type: 'step', requestSequence: 2, model, usage, finishReason: 'stop' }],
          metadata: {}
        }
      ]
      const decision = await ask({ windowRows, ...measured(7_800), countRows: async (rows) => rows.length })
      expect(decision).toMatchObject({ kind })
      if (decision.kind === 'send') expect(decision.stays?.why).toContain('goes on as it is')
      // At the ceiling it is tried all the same.
      expect(await ask({ windowRows, ...measured(7_800), ...tooLarge })).toEqual({ kind: 'compact' })
    }
  )

  it('P-1 compacts no window that holds nothing but the input', async () => {
    for (const windowRows of [[], [personRow('input')]]) {
      expect(await ask({ windowRows, ...measured(9_000) })).toMatchObject({ kind: 'send' })
      expect(await ask({ windowRows, ...measured(10), ...neverFits })).toEqual({
        kind: 'blocked',
        block: {
          reason: 'fresh_request_too_large',
          message: 'It is too long. Shorten the message, remove attachments, or take a model with a larger window.'
        }
      })
    }
  })

  it('P-2 C-2 compacts nothing for a message that fits no window of the model', async () => {
    const block = { reason: 'fresh_request_too_large' }
    for (const tokens of [10, 7_500])
      expect(await ask({ ...measured(tokens), ...neverFits })).toMatchObject({ kind: 'blocked', block })
  })

  it('C-2 is blocked where a summary did not help, and says what to do', async () => {
    expect(await ask({ ...measured(10), ...tooLarge, handling: 'tried' })).toEqual({
      kind: 'blocked',
      block: {
        reason: 'request_too_large',
        message:
          'It is too long. A summary made no room. Begin a fresh window with /clear --soft, or take a model with a larger one.'
      }
    })
  })

  it('G-2 with automatic off is blocked at the ceiling alone, by projection and as assembled', async () => {
    const off = { kind: 'blocked', block: { reason: 'automatic_off', message: expect.stringContaining('/compact') } }
    expect(await ask({ points: OFF, ...measured(7_999) })).toMatchObject({ kind: 'send' })
    expect(await ask({ points: OFF, ...measured(8_000) })).toMatchObject(off)
    expect(await ask({ points: OFF, ...measured(10), ...tooLarge })).toMatchObject(off)
  })

  it('P-3 summarises nothing for a request that could not be counted', async () => {
    const prepare = async () => ({ ...TOO_LARGE, reason: 'uncountable', estimate: null }) as const
    expect(await ask({ prepare, ...measured(10) })).toMatchObject({
      kind: 'blocked',
      block: { reason: 'request_too_large', message: expect.stringContaining('another model') }
    })
  })
})

describe('after a settled step', () => {
  it.each([
    [7_499, {}, 'continue'],
    [7_500, {}, 'compact'],
    [7_500, { stays: true }, 'continue'],
    [9_999, { points: null }, 'continue'],
    [7_999, { points: OFF }, 'continue'],
    [8_000, { points: OFF }, 'block']
  ])('C-2 M-1 with %i tokens and %o: %s', async (projected, fields, kind) => {
    const decision = await summariseStrategy.onStepSettled(settledStep(projected, { points: POINTS, ...fields }))
    expect(decision.kind).toBe(kind)
  })

  it('G-2 decides nothing of a window that was not measured', async () => {
    expect(await summariseStrategy.onStepSettled(settledStep(null, { points: POINTS }))).toEqual({ kind: 'continue' })
  })
})
