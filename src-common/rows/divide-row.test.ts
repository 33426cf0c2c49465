import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ROW_BYTES } from '@common/constants'
import { divideRow } from './divide-row'
import { isKnownPart, type NewRow, type RowPart } from './row-schema'
import { partBytes, rowBytes, shouldCloseRow } from './split-row'

const call = (id: string, bytes: number): RowPart => ({
  type: 'dynamic-tool',
  toolCallId: id,
  toolName: 'bash',
  state: 'output-available',
  input: { command: 'ls' },
  output: 'o'.repeat(bytes)
})
const answer = (parts: RowPart[]): NewRow => ({
  id: 'first',
  role: 'assistant',
  parts,
  metadata: { model: 'demo:m', interrupted: true }
})
const newIds = (): (() => string) => {
  let count = 0
  return () => `more-${count++}`
}

test('H-13 bytes of rows and parts are those of their JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (id, text) => {
      const row: NewRow = { id, role: 'user', parts: [{ type: 'text', text }], metadata: {} }
      expect(rowBytes(row)).toBe(Buffer.byteLength(JSON.stringify(row)))
      expect(partBytes({ type: 'text', text })).toBe(Buffer.byteLength(JSON.stringify({ type: 'text', text })) + 1)
    }),
    { seed: 4 }
  )
})

test('H-13 a row is closed before the part that would take it past 256 KiB, never while it is empty', () => {
  expect(shouldCloseRow(answer([]), 10 * MAX_ROW_BYTES)).toBe(false)
  const row = answer([call('a', 200_000)])
  expect(shouldCloseRow(row, 40_000)).toBe(false)
  expect(shouldCloseRow(row, 62_000)).toBe(true)
})

test('H-13 a short answer stays one row, as it is', () => {
  const row = answer([{ type: 'text', text: 'short' }])
  expect(divideRow(row, newIds())[0]).toBe(row)
})

test('H-13 a long answer becomes rows that name what they go on from; calls stay whole, texts join again', () => {
  const part = fc.oneof(
    fc.integer({ min: 0, max: 120_000 }).map((bytes) => call('c', bytes)),
    fc
      .integer({ min: 0, max: 400_000 })
      .map((length): RowPart => ({ type: 'text', text: 'é"\u{1d11e}'.repeat(length / 4) })),
    fc.integer({ min: 0, max: 300_000 }).map((length): RowPart => ({
      type: 'reasoning',
      text: 'r'.repeat(length),
      providerMetadata: { anthropic: { signature: 's' } }
    }))
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const row = answer(parts)
      const rows = divideRow(row, newIds())
      expect(rows[0]?.id).toBe('first')
      expect(rows.slice(1).map((each) => each.metadata.continues)).toEqual(rows.slice(0, -1).map((each) => each.id))
      for (const each of rows) expect(rowBytes(each)).toBeLessThanOrEqual(MAX_ROW_BYTES)
      expect(rows.filter((each) => each.metadata.interrupted)).toEqual([rows.at(-1)])
      expect(joined(rows.flatMap((each) => each.parts))).toEqual(joined(parts))
      expect(rows.flatMap((each) => each.parts).every(hasWholePairs)).toBe(true)
    }),
    { seed: 6, numRuns: 25 }
  )
})

/** Texts in a row become one, signatures the last one's. */
function joined(parts: readonly RowPart[]): RowPart[] {
  const whole: RowPart[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    const isText = isKnownPart(part) && (part.type === 'text' || part.type === 'reasoning')
    if (isText && last !== undefined && last.type === part.type && 'text' in last) {
      whole[whole.length - 1] = { ...part, text: `${String(last['text'])}${part.text}` }
    } else whole.push(part)
  }
  return whole
}

function hasWholePairs(part: RowPart): boolean {
  return !('text' in part) || !/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/.test(String(part['text']))
}
