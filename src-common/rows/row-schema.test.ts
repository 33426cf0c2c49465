// What a row on disk may hold, and how tolerantly it is read: nothing unknown is dropped, nothing damaged throws.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryPart, arbitraryRows } from '../testing/arbitrary-rows'
import { rowKindOf } from './row-kinds'
import { isKnownPart, KnownPart, readRow, Row, toolPartsOf } from './row-schema'
import type { RowPart } from './row-schema'

function reread(row: unknown): Row {
  const read = readRow(JSON.parse(JSON.stringify(row)))
  if (read === null) throw new Error('that is no row')
  return read
}

describe('readRow', () => {
  it('00 keeps unknown fields, parts and machine types on the way from JSON to JSON', () => {
    const newer = {
      id: 'r1',
      role: 'user',
      parts: [
        { type: 'text', text: 'hello', mood: 'calm' },
        { type: 'hologram', frames: [1, 2] },
        {
          type: 'dynamic-tool',
          toolCallId: 'c',
          toolName: 'bash',
          state: 'output-streaming',
          input: {},
          progress: 0.5
        }
      ],
      metadata: {
        historySequence: 7,
        machine: { type: 'from-the-future', payload: { nested: [true] } },
        futureField: { a: 1 }
      },
      futureTopLevel: [1, 2, 3]
    }
    expect(reread(newer)).toEqual(newer)
    expect(rowKindOf(reread(newer))).toBe('unknown')
  })

  it('00 gives any row back as it was', () => {
    fc.assert(
      fc.property(arbitraryRows(4), (rows) => {
        for (const row of rows) expect(reread(row)).toEqual(JSON.parse(JSON.stringify(row)))
      }),
      { seed: 1202, numRuns: 300 }
    )
  })

  it('S-3 puts the machine note before the boundary kind, whatever order the file had', () => {
    const row = reread({
      id: 'b',
      role: 'assistant',
      parts: [],
      metadata: { contextBoundaryKind: 'reset', machine: { type: 'context-window-rollover' } }
    })
    const text = JSON.stringify(row)
    expect(text.indexOf('"machine"')).toBeLessThan(text.indexOf('"contextBoundaryKind"'))
  })

  it('reads a row of an unknown role as a machine row, so that it starts no turn', () => {
    const row = reread({ id: 'r', role: 'critic', parts: [{ type: 'text', text: 'hm' }], metadata: {}, extra: 1 })
    expect(row).toMatchObject({ id: 'r', role: 'assistant', extra: 1, parts: [{ type: 'text', text: 'hm' }] })
    expect(rowKindOf(row)).toBe('unknown')
  })

  it('keeps the sequence of a row whose metadata is otherwise damaged', () => {
    const row = reread({ id: 'r', role: 'user', parts: [], metadata: { historySequence: 9, usage: 'lots' } })
    expect(row.metadata).toEqual({ historySequence: 9, synthetic: true, machine: { type: 'unreadable-row' } })
  })

  it.each([
    ['no parts', { id: 'r', role: 'user', metadata: {} }],
    ['parts that are no list', { id: 'r', role: 'user', parts: 'text', metadata: {} }],
    ['no metadata', { id: 'r', role: 'user', parts: [] }]
  ])('reads a row with %s as a row without them', (_name, value) => {
    expect(reread(value)).toMatchObject({ id: 'r', role: 'user', parts: [] })
    expect(rowKindOf(reread(value))).toBe('person')
  })

  it('passes over parts that have no type', () => {
    const row = reread({ id: 'r', role: 'user', parts: [null, 5, {}, { type: 'text', text: 'a' }], metadata: {} })
    expect(row.parts).toEqual([{ type: 'text', text: 'a' }])
  })

  it.each([null, undefined, 5, 'row', [], {}, { id: '' }, { id: 7 }, { role: 'user', parts: [] }])(
    'says that %j is no row',
    (value) => expect(readRow(value)).toBeNull()
  )

  it('answers for any JSON value and gives every row the same reading twice', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ id: fc.string(), role: fc.jsonValue(), parts: fc.jsonValue(), metadata: fc.jsonValue() })
        ),
        (value) => {
          const row = readRow(value)
          if (row === null) return
          expect(Row.safeParse(row).success).toBe(true)
          expect(readRow(row)).toEqual(row)
          rowKindOf(row)
        }
      ),
      { seed: 1203, numRuns: 500 }
    )
  })
})

describe('isKnownPart', () => {
  it('takes every part of this version', () => {
    const parts: RowPart[] = [
      { type: 'text', text: '' },
      { type: 'reasoning', text: 'so', providerMetadata: { anthropic: { signature: 's' } } },
      {
        type: 'step',
        requestSequence: 1,
        model: 'demo:tide-1',
        usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 }
      },
      { type: 'dynamic-tool', toolCallId: 'c', toolName: 'bash', state: 'interrupted', input: null },
      { type: 'file', mediaType: 'image/png', url: 'attachment:x' }
    ]
    for (const part of parts) expect(isKnownPart(part), part.type).toBe(true)
  })

  it.each<RowPart>([
    { type: 'hologram' },
    { type: 'constructor' },
    { type: 'text' },
    { type: 'text', text: null },
    { type: 'text', text: 'a', providerMetadata: null },
    { type: 'reasoning', text: ['a'] },
    { type: 'step', requestSequence: 1, model: 'demo:tide-1' },
    { type: 'step', requestSequence: 1, model: 'demo:tide-1', usage: { inputTokens: 5 } },
    { type: 'dynamic-tool', toolCallId: 'c', toolName: 'bash', state: 'output-streaming', input: {} },
    { type: 'dynamic-tool', toolCallId: 5, toolName: 'bash', state: 'interrupted', input: {} },
    { type: 'dynamic-tool', toolCallId: 'c', toolName: 'bash', state: 'output-error', input: {}, errorText: {} },
    { type: 'file', mediaType: 'image/png' }
  ])('counts %j as unknown, since nothing can use it', (part) => {
    expect(isKnownPart(part)).toBe(false)
    expect(toolPartsOf({ id: 'r', role: 'assistant', parts: [part], metadata: {} })).toEqual([])
  })

  it('agrees with the schema on every part that the schema takes', () => {
    fc.assert(
      fc.property(arbitraryPart, (part) => {
        expect(isKnownPart(part)).toBe(KnownPart.safeParse(part).success)
      }),
      { seed: 1204, numRuns: 500 }
    )
  })
})
