import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '@common/models/model-info'
import type { Row } from '@common/rows/row-schema'
import { summariseStrategy } from '../context/summarise-strategy'
import { usageFromPage } from './last-usage'

const INFO: ModelInfo = {
  ref: 'p:m',
  providerId: 'p',
  modelId: 'm',
  name: 'm',
  contextLimit: 200_000,
  maxOutputTokens: 8_000,
  price: null,
  encoding: 'o200k_base',
  encodingEstimated: false,
  vision: false,
  thinkingLevels: ['off'],
  fallbacks: [],
  available: true
}

function usage(inputTokens: number) {
  return { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
}

function answer(inputTokens: number, metadata: Row['metadata'] = {}): Row {
  const step = { type: 'step' as const, requestSequence: 1, model: INFO.ref, usage: usage(inputTokens) }
  return { id: `a${inputTokens}`, role: 'assistant', parts: [step], metadata }
}

const person: Row = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'hello' }], metadata: {} }
const boundary: Row = { id: 'b', role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'reset' } }
/** Parsing it would throw. */
const UNREAD = '{"id":"old", this is never parsed'

function told(...rows: readonly (Row | string)[]) {
  const lines = rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')
  return usageFromPage(lines, {
    windowId: 'w:0',
    info: INFO,
    measuredFrom: 0,
    points: null,
    strategy: summariseStrategy
  })
}

describe('usageFromPage', () => {
  it('E-3: tells the newest step of the window and its figure', () => {
    const view = told(answer(10), person, answer(20, { contextUsage: usage(21) }), person)
    expect([view?.contextTokens, view?.lastUsage]).toEqual([20, usage(21)])
  })

  it('F-15: parses no line behind what it tells', () => {
    expect(told(UNREAD, answer(20, { contextUsage: usage(21) }), person)?.contextTokens).toBe(20)
    expect(told(UNREAD, answer(20), person)?.lastUsage).toBeNull()
    expect(told(UNREAD, boundary, person)).toBeNull()
  })

  it('takes the figure of an older row where the newest step has none', () => {
    expect(told(answer(10, { contextUsage: usage(11) }), person, answer(20))?.lastUsage).toEqual(usage(11))
  })

  it('claims nothing from behind the window’s boundary', () => {
    expect(told(answer(10, { contextUsage: usage(11) }), boundary, person)).toBeNull()
    expect(told(answer(10, { contextUsage: usage(11) }), boundary, answer(20))?.lastUsage).toBeNull()
  })
})
