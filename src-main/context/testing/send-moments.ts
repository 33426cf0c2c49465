// Owns moments before a send for tests of strategies: plain values, with a fresh window that fits unless told otherwise.
import { budgetPointsOf } from '@common/budget/budget-points'
import { invalidate } from '@common/budget/usage-ledger'
import type { Row, RowMetadata } from '@common/rows/row-schema'
import type { BeforeSend, SettledStep } from '../context-strategy'
import type { PreparedRequest, RequestRejection } from '../prepare-request'

export const MODEL = 'anthropic:sea-1'
export const LIMITS = { contextLimit: 10_000, maxOutputTokens: 2_000 }

/** A person's row whose text is its id. */
export function personRow(id: string, metadata: RowMetadata = {}): Row {
  return { id, role: 'user', parts: [{ type: 'text', text: id }], metadata }
}

/** A request of this size that fits. */
export function preparedRequest(tokensAtMost = 10, counted = false): PreparedRequest {
  return {
    kind: 'prepared',
    purpose: 'turn',
    prompt: [],
    tools: [],
    modelRef: MODEL,
    callOptions: { prompt: [] },
    tokensAtMost,
    counted
  }
}

export const TOO_LARGE: RequestRejection = {
  kind: 'rejected',
  reason: 'too_large',
  modelRef: MODEL,
  estimate: 9_000,
  hardCeiling: 8_000,
  message: 'It is too long.'
}

/** The moment before a message goes into an empty window of 10 000 tokens at the default threshold. */
export function sendMoment(fields: Partial<BeforeSend> = {}): BeforeSend {
  let ids = 0
  return {
    windowId: 'w:0',
    windowRows: [],
    input: personRow('input'),
    company: [],
    model: MODEL,
    limits: LIMITS,
    points: budgetPointsOf(LIMITS, 0.7),
    ledger: invalidate('w:0', MODEL),
    pending: null,
    handling: 'open',
    mayWriteNotes: true,
    nowMs: 1,
    newId: () => `new-${++ids}`,
    prepare: async () => preparedRequest(),
    count: async ({ tokensAtMost }) => tokensAtMost,
    countRows: async (rows) => rows.length,
    freshWindow: async () => ({ notesCarried: false, prepare: async () => preparedRequest() }),
    recovery: async () => ({ kind: 'possible' }),
    ...fields
  }
}

/** A settled step of a window of 10 000 tokens; measured at `projected`, all told. */
export function settledStep(projected: number | null, fields: Partial<SettledStep> = {}): SettledStep {
  return {
    windowId: 'w:0',
    model: MODEL,
    limits: LIMITS,
    points: budgetPointsOf(LIMITS, 0.7),
    ledger: { ...invalidate('w:0', MODEL), measuredTokens: projected, measuredAtSequence: 1 },
    parts: [],
    isWarned: false,
    stays: false,
    ...fields
  }
}
