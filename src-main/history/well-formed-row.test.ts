import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Row } from '@common/rows/row-schema'
import { isWellFormedRow } from './well-formed-row'

/** A likely value or, now and then, another: near enough to a row that each check is met on both sides. */
const or = <T>(likely: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 30, arbitrary: likely },
    { weight: 1, arbitrary: fc.constantFrom(null, 0, '', 'x', true, [], {}, [1]) }
  )

const usage = fc.record({
  inputTokens: or(fc.integer()),
  cacheReadTokens: fc.integer(),
  cacheWriteTokens: fc.integer(),
  outputTokens: fc.integer(),
  reasoningTokens: or(fc.integer())
})
const metadata = fc.record(
  {
    historySequence: or(fc.integer()),
    timestamp: or(fc.double({ noNaN: true })),
    model: or(fc.string()),
    usage: or(usage),
    providerMetadata: or(fc.dictionary(fc.string(), or(fc.dictionary(fc.string(), fc.integer(), { maxKeys: 2 })))),
    synthetic: or(fc.boolean()),
    machine: or(fc.record({ type: or(fc.string()) })),
    contextBoundaryKind: or(fc.constantFrom('reset', 'compaction')),
    error: or(fc.record({ kind: or(fc.string()), message: fc.string() })),
    postCompactionContext: or(fc.record({ text: fc.string() })),
    unknownField: fc.constantFrom(null, 1, [2])
  },
  { requiredKeys: [] }
)
const row = fc.record({
  id: or(fc.string()),
  role: or(fc.constantFrom('user', 'assistant')),
  parts: or(
    fc.array(or(fc.record({ type: or(fc.constantFrom('text', 'dynamic-tool', 'hologram')), text: or(fc.string()) })))
  ),
  metadata: or(metadata)
})

test('a row that looks well formed is one that the schema accepts unchanged', () => {
  let wellFormed = 0
  fc.assert(
    fc.property(or(row), (value) => {
      const stored: unknown = JSON.parse(JSON.stringify(value))
      if (!isWellFormedRow(stored)) return
      wellFormed++
      expect(Row.parse(stored)).toEqual(stored)
    }),
    { seed: 5, numRuns: 1_500 }
  )
  expect(wellFormed).toBeGreaterThan(80)
})
