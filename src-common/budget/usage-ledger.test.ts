import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row, RowMetadata, RowPart, StepPart } from '../rows/row-schema'
import { divideRow } from '../rows/divide-row'
import { arbitraryRows } from '../testing/arbitrary-rows'
import { invalidate, ledgerFromRows, projectedTokens, recordStep, stepPartsUpTo } from './usage-ledger'

const MODEL = 'anthropic:sea-1'

function step(requestSequence: number, inputTokens: number, fields: Partial<StepPart> = {}): StepPart {
  return {
    type: 'step',
    requestSequence,
    model: MODEL,
    usage: { inputTokens, cacheReadTokens: 100, cacheWriteTokens: 10, outputTokens: 50, reasoningTokens: 20 },
    ...fields
  }
}

function call(output: string): RowPart {
  return {
    type: 'dynamic-tool',
    toolCallId: 'c',
    toolName: 'bash',
    state: 'output-available',
    input: { command: 'ls' },
    output
  }
}

function answer(parts: RowPart[], metadata: RowMetadata = {}, role: Row['role'] = 'assistant'): Row {
  return { id: 'a', role, parts, metadata }
}

describe('the usage ledger', () => {
  it('E-1 E-3 anchors on what the provider measured and adds the output and the results since', () => {
    const parts = [{ type: 'text', text: 'looking' }, call('x'.repeat(398)), step(3, 1_000)]
    const ledger = recordStep('w:0', step(3, 1_000), parts)
    expect(ledger).toEqual({
      windowId: 'w:0',
      model: MODEL,
      measuredTokens: 1_110,
      measuredAtSequence: 3,
      tailEstimate: 150
    })
    expect(projectedTokens(ledger)).toBe(1_260)
  })

  it('knows nothing once invalidated', () => {
    expect(projectedTokens(invalidate('w:7', MODEL))).toBeNull()
  })

  it('E-3 reads the newest step again after a restart, with the results of that step alone', () => {
    const rows = [
      answer([call('old'), step(1, 500), call('x'.repeat(38)), step(2, 900)]),
      answer([{ type: 'text', text: 'a question' }], {}, 'user')
    ]
    expect(ledgerFromRows('w:0', MODEL, rows)).toEqual(
      recordStep('w:0', step(2, 900), [call('x'.repeat(38)), step(2, 900)])
    )
  })

  it('E-3 passes over an answer that was cut before its first step', () => {
    const cut = answer([{ type: 'text', text: 'half a sen' }], { interrupted: true })
    expect(ledgerFromRows('w:0', MODEL, [answer([step(1, 500)]), cut]).measuredAtSequence).toBe(1)
  })

  it('E-3 takes nothing from another model, not even an older step of this one', () => {
    const rows = [answer([step(1, 500)]), answer([step(2, 600, { model: 'openai:foam' })])]
    expect(ledgerFromRows('w:0', MODEL, rows)).toEqual(invalidate('w:0', MODEL))
  })

  it('E-3 takes no step without figures for a measurement', () => {
    const nothing = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0 }
    expect(ledgerFromRows('w:0', MODEL, [answer([step(1, 0, { usage: nothing })])])).toEqual(invalidate('w:0', MODEL))
  })

  it.each<[string, RowMetadata]>([
    ['a compaction summary', { contextBoundaryKind: 'compaction' }],
    ['a plain reset', { contextBoundaryKind: 'reset' }],
    ['a rejected input', { machine: { type: 'rejected-input' } }],
    ['a machine row of a newer version', { machine: { type: 'from-the-future' } }]
  ])('E-3 never takes %s for the last answer', (_name, metadata) => {
    expect(ledgerFromRows('w:9', MODEL, [answer([step(8, 70_000)], metadata)])).toEqual(invalidate('w:9', MODEL))
  })

  it('K-4 E-3 does not count figures of requests that had what is left out now', () => {
    const context = { text: 'x', tokens: 1, skillNames: [], builtAtMs: 1, omittedFromRequest: 5 }
    const boundary = answer([], { contextBoundaryKind: 'compaction', postCompactionContext: context })
    expect(ledgerFromRows('w:3', MODEL, [boundary, answer([step(4, 900)])])).toEqual(invalidate('w:3', MODEL))
    expect(ledgerFromRows('w:3', MODEL, [boundary, answer([step(5, 900)])]).measuredAtSequence).toBe(5)
  })

  it('survives a step part that holds no figures', () => {
    const rows = [answer([step(1, 500)]), answer([{ type: 'step', model: MODEL, requestSequence: 2 }])]
    expect(ledgerFromRows('w:0', MODEL, rows).measuredAtSequence).toBe(1)
  })

  it('E-3 gives from history what the step gave, for any answer', () => {
    fc.assert(
      fc.property(arbitraryRows(6), (rows) => {
        const ledger = ledgerFromRows('w:0', MODEL, rows)
        if (ledger.measuredTokens === null) {
          expect(ledger).toEqual(invalidate('w:0', MODEL))
          return
        }
        const told = rows.flatMap((row) =>
          row.parts.flatMap((part, index) =>
            part.type === 'step' && part['usage'] !== undefined
              ? [recordStep('w:0', part as StepPart, stepPartsUpTo(row.parts, index))]
              : []
          )
        )
        expect(told).toContainEqual(ledger)
        expect(projectedTokens(ledger)).toBeGreaterThanOrEqual(ledger.measuredTokens)
      }),
      { seed: 2005, numRuns: 300 }
    )
  })
})

describe('stepPartsUpTo', () => {
  it('gives the parts between the step before and this one, itself included', () => {
    const parts = [call('a'), step(1, 1), call('b'), call('c'), step(2, 2), call('d')]
    expect(stepPartsUpTo(parts, 1)).toEqual(parts.slice(0, 2))
    expect(stepPartsUpTo(parts, 4)).toEqual(parts.slice(2, 5))
  })
})

it('E-3 H-13 takes the results of a step from all rows of a divided answer, the same as at the step itself', () => {
  const usage = { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10, reasoningTokens: 0 }
  const calls = Array.from({ length: 10 }, (_, index) => ({
    type: 'dynamic-tool' as const,
    toolCallId: `c${index}`,
    toolName: 'file_read',
    state: 'output-available' as const,
    input: {},
    output: 'x'.repeat(32_000)
  }))
  const step = { type: 'step' as const, requestSequence: 1, model: 'a:b', usage }
  const answer: Row = { id: 'r', role: 'assistant', parts: [...calls, step], metadata: {} }
  let ids = 0
  const rows = divideRow(answer, () => `n${ids++}`)
  expect(rows.length).toBeGreaterThan(1)
  expect(ledgerFromRows('w:0', 'a:b', rows)).toEqual(recordStep('w:0', step, answer.parts))
})

it('E-1 measures nothing by a step whose provider counted nothing', () => {
  const usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  const step = { type: 'step' as const, requestSequence: 1, model: 'a:b', usage }
  expect(projectedTokens(recordStep('w:0', step, [step]))).toBeNull()
})
