import { describe, expect, it } from 'vitest'
import type { Row } from '@common/rows/row-schema'
import type { RequestRejection } from './prepare-request'
import { personRow as row, preparedRequest, sendMoment as moment, settledStep, TOO_LARGE } from './testing/send-moments'
import { wholeWindowStrategy } from './whole-window-strategy'

const request = preparedRequest()

describe('the whole-window strategy', () => {
  it('P-5 sends exactly the request that it prepared, from the window and the input', async () => {
    const seen: string[][] = []
    const prepare = async (rows: readonly Row[]) => {
      seen.push(rows.map(({ id }) => id))
      return request
    }
    const input = row('input')
    const decision = await wholeWindowStrategy.beforeSend(moment({ windowRows: [row('a')], input, prepare }))
    expect(decision).toEqual({ kind: 'send', rows: [input], request, stays: null })
    expect(seen).toEqual([['a', 'input']])
  })

  it('appends nothing for a turn that goes on without a new input', async () => {
    expect(await wholeWindowStrategy.beforeSend(moment({ windowRows: [row('a')], input: null }))).toEqual({
      kind: 'send',
      rows: [],
      request: expect.objectContaining({ kind: 'prepared' }),
      stays: null
    })
  })

  it('P-2 says of a message that fits no fresh window what makes it fit', async () => {
    const internal = row('lead-in', { machine: { type: 'context-window-lead-in' } })
    for (const windowRows of [[], [internal]]) {
      expect(await wholeWindowStrategy.beforeSend(moment({ windowRows, prepare: async () => TOO_LARGE }))).toEqual({
        kind: 'blocked',
        block: {
          reason: 'fresh_request_too_large',
          message: 'It is too long. Shorten the message, remove attachments, or take a model with a larger window.'
        }
      })
    }
  })

  it('P-3 says of a full window that a fresh one is needed', async () => {
    const decision = await wholeWindowStrategy.beforeSend(
      moment({ windowRows: [row('old')], prepare: async () => TOO_LARGE })
    )
    expect(decision).toEqual({
      kind: 'blocked',
      block: {
        reason: 'request_too_large',
        message: 'It is too long. Begin a fresh window with /clear --soft, or take a model with a larger window.'
      }
    })
  })

  it('P-3 does not call a request too long that could not be counted', async () => {
    const uncountable: RequestRejection = {
      ...TOO_LARGE,
      reason: 'uncountable',
      estimate: null,
      message: 'The tokenizer failed.'
    }
    expect(
      await wholeWindowStrategy.beforeSend(moment({ windowRows: [row('old')], prepare: async () => uncountable }))
    ).toMatchObject({ block: { message: 'The tokenizer failed. Send it again, or take another model.' } })
  })

  it.each([
    [7_999, 'continue'],
    [8_000, 'block']
  ])('E-2 M-1 answers a step that leaves %i of 8 000 tokens with %s', async (projected, kind) => {
    const decision = await wholeWindowStrategy.onStepSettled(settledStep(projected))
    expect(decision.kind).toBe(kind)
    if (decision.kind === 'block') {
      expect(decision).toMatchObject({ projected, hardCeiling: 8_000, block: { reason: 'request_too_large' } })
      expect(decision.block.message).toContain('every result is kept')
    }
  })

  it('G-2 decides nothing by an unknown limit or an unmeasured window', async () => {
    const unknown = { contextLimit: null, maxOutputTokens: null }
    const steps = [settledStep(9_999_999, { limits: unknown, points: null }), settledStep(null)]
    for (const step of steps) expect(await wholeWindowStrategy.onStepSettled(step)).toEqual({ kind: 'continue' })
  })

  it('makes no room by itself when the provider says that a request is too long', async () => {
    const failure = {
      kind: 'context_exceeded',
      message: 'Too long.',
      statusCode: 400,
      retryAfterMs: null,
      retryable: false
    } as const
    expect(await wholeWindowStrategy.onOverflow(moment(), failure)).toEqual({ kind: 'fail' })
    expect(wholeWindowStrategy.describe()).toEqual({ verb: 'stops' })
  })
})
