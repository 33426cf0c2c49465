import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from '@common/rows/row-schema'
import { numberRow } from './number-row'

const fields = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'machine')),
  fc.jsonValue()
)

test('every field of a row is in its line, whatever its name, and the sequence comes last', () => {
  fc.assert(
    fc.property(fields, fields, (unknownFields, metadata) => {
      const text = JSON.stringify({ ...unknownFields, id: 'r', role: 'user', parts: [], metadata })
      const row = JSON.parse(text) as Row
      const line = JSON.stringify(numberRow(row, 7, 1_000))
      expect(JSON.parse(line)).toEqual({
        ...(JSON.parse(text) as object),
        metadata: {
          ...(JSON.parse(JSON.stringify(metadata)) as object),
          historySequence: 7,
          timestamp: row.metadata.timestamp ?? 1_000
        }
      })
      expect(line.endsWith('"historySequence":7}}')).toBe(true)
    }),
    { seed: 8, numRuns: 300 }
  )
})
