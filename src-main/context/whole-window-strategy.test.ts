import { describe, expect, it } from 'vitest'
import { invalidate } from '@common/budget/usage-ledger'
import type { UsageLedger } from '@common/budget/usage-ledger'
import type { Row, RowMetadata } from '@common/rows/row-schema'
import type { BeforeSend } from './context-strategy'
import type { PreparedRequest, RequestRejection } from './prepare-request'
import { wholeWindowStrategy } from './whole-window-strategy'

const MODEL = 'anthropic:sea-1'
const limits = { contextLimit: 10_000, maxOutputTokens: 2_000 }

function row(id: string, metadata: RowMetadata = {}): Row {
  return { id, role: 'user', parts: [{ type: 'text', text: id }], metadata }
}

const request: PreparedRequest = {
  kind: 'prepared',
  prompt: [],
  tools: [],
  modelRef: MODEL,
  callOptions: { prompt: [] },
  tokensAtMost: 10,
  counted: false
}
const tooLarge: RequestRejection = {
  kind: 'rejected',
  reason: 'too_large',
  modelRef: MODEL,
  estimate: 9_000,
  hardCeiling: 8_000,
  message: 'It is too long.'
}

function moment(fields: Partial<BeforeSend>): BeforeSend {
  return {
    windowId: 'w:0',
    windowRows: [],
    input: row('input'),
    model: MODEL,
    limits,
    ledger: invalidate('w:0', MODEL),
    prepare: async () => request,
    ...fields
  }
}

describe('the whole-window strategy', () => {
  it('P-5 sends exactly the request that it prepared, from the window and the input', async () => {
    const seen: string[][] = []
    const prepare = async (rows: readonly Row[]) => {
      seen.push(rows.map(({ id }) => id))
      return request
    }
    const input = row('input')
    const decision = await wholeWindowStrategy.beforeSend(moment({ windowRows: [row('a')], input, prepare }))
    expect(decision).toEqual({ kind: 'send', rows: [input], request })
    expect(seen).toEqual([['a', 'input']])
  })

  it('appends nothing for a turn that goes on without a new input', async () => {
    expect(await wholeWindowStrategy.beforeSend(moment({ windowRows: [row('a')], input: null }))).toEqual({
      kind: 'send',
      rows: [],
      request
    })
  })

  it('P-2 says of a message that fits no fresh window what makes it fit', async () => {
    const internal = row('lead-in', { machine: { type: 'context-window-lead-in' } })
    for (const windowRows of [[], [internal]]) {
      expect(await wholeWindowStrategy.beforeSend(moment({ windowRows, prepare: async () => tooLarge }))).toEqual({
        kind: 'blocked',
        block: {
          reason: 'fresh_request_too_large',
          message: 'It is too long. Shorten the message, remove attachments, or take a model with a larger window.'
        }
      })
    }
  })

  it('P-3 says of a full window that a new workspace is needed', async () => {
    const decision = await wholeWindowStrategy.beforeSend(
      moment({ windowRows: [row('old')], prepare: async () => tooLarge })
    )
    expect(decision).toEqual({
      kind: 'blocked',
      block: {
        reason: 'request_too_large',
        message: 'It is too long. Start a new workspace, or take a model with a larger window.'
      }
    })
  })

  it('P-3 does not call a request too long that could not be counted', async () => {
    const uncountable: RequestRejection = {
      ...tooLarge,
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
    const ledger: UsageLedger = {
      windowId: 'w:0',
      model: MODEL,
      measuredTokens: projected - 100,
      measuredAtSequence: 1,
      tailEstimate: 100
    }
    const step = { windowId: 'w:0', model: MODEL, limits, ledger, parts: [] }
    const decision = await wholeWindowStrategy.onStepSettled(step)
    expect(decision.kind).toBe(kind)
    if (decision.kind === 'block') {
      expect(decision).toMatchObject({ projected, hardCeiling: 8_000, block: { reason: 'request_too_large' } })
      expect(decision.block.message).toContain('every result is kept')
    }
  })

  it('G-2 decides nothing by an unknown limit or an unmeasured window', async () => {
    const ledger = { ...invalidate('w:0', MODEL), measuredTokens: 9_999_999 }
    const step = { windowId: 'w:0', model: MODEL, parts: [] }
    const unknown = { contextLimit: null, maxOutputTokens: null }
    expect(await wholeWindowStrategy.onStepSettled({ ...step, limits: unknown, ledger })).toEqual({ kind: 'continue' })
    expect(await wholeWindowStrategy.onStepSettled({ ...step, limits, ledger: invalidate('w:0', MODEL) })).toEqual({
      kind: 'continue'
    })
  })

  it('makes no room by itself when the provider says that a request is too long', async () => {
    const failure = {
      kind: 'context_exceeded',
      message: 'Too long.',
      statusCode: 400,
      retryAfterMs: null,
      retryable: false
    } as const
    expect(await wholeWindowStrategy.onOverflow(failure)).toEqual({ kind: 'fail' })
    expect(wholeWindowStrategy.describe()).toEqual({ verb: 'stops' })
  })
})
