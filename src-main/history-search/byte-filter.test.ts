import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteFilter, createPlainFilter } from './byte-filter'
import { type BytePattern, exactPattern } from './byte-pattern'
import { inForm } from '../history/testing/long-form'

const filters = { vector: createByteFilter(), plain: createPlainFilter() }

/** Few different bytes, so that marks agree often and patterns overlap. */
const byte = fc.oneof(fc.constantFrom(0x61, 0x41, 0x62, 0x42, 0x5c, 0x75, 0x20), fc.integer({ min: 0, max: 255 }))
const pattern: fc.Arbitrary<BytePattern> = fc
  .array(fc.tuple(byte, byte), { minLength: 1, maxLength: 9 })
  .map((pairs) => ({
    bytes: Uint8Array.from(pairs, ([one]) => one),
    alternatives: Uint8Array.from(pairs, ([, two]) => two)
  }))

function naive(bytes: Uint8Array, patterns: readonly BytePattern[], wanted: number): number {
  let bits = 0
  for (const [at, each] of patterns.entries()) {
    if ((wanted & (1 << at)) === 0) continue
    for (let from = 0; from + each.bytes.length <= bytes.length; from++)
      if (each.bytes.every((one, index) => [one, each.alternatives[index]].includes(bytes[from + index])))
        bits |= 1 << at
  }
  return bits
}

test('S-6 the byte filter finds what a naive search finds, and nothing that is not there', () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 8 }),
      fc.uint8Array({ maxLength: 90 }),
      fc.array(fc.tuple(fc.nat(7), fc.nat(80)), { maxLength: 2 }),
      fc.nat(40),
      fc.integer({ min: 0, max: 255 }),
      (patterns, noise, planted, offset, wanted) => {
        const bytes = Uint8Array.from(noise)
        for (const [which, at] of planted) {
          const chosen = patterns[which % patterns.length]
          if (chosen !== undefined && at + chosen.bytes.length <= bytes.length) bytes.set(chosen.alternatives, at)
        }
        const truth = naive(bytes, patterns, wanted)
        for (const filter of Object.values(filters)) {
          filter.setPatterns(patterns)
          filter.buffer.fill(0x61, 0, 200)
          filter.buffer.set(bytes, offset)
          const found = filter.find(offset, offset + bytes.length, wanted)
          // Any one of those that are there.
          expect(found & truth).toBe(found)
          expect(found === 0).toBe(truth === 0)
        }
      }
    ),
    { seed: 60, numRuns: inForm({ quick: 500, full: 2_500, long: 200_000 }) }
  )
})

test('S-6 a pattern is found at every place of a long line, the very last byte included', () => {
  const { vector } = filters
  vector.setPatterns([exactPattern('needle')])
  for (let length = 6; length < 120; length++) {
    for (let at = 0; at + 6 <= length; at++) {
      vector.buffer.fill(0x20, 0, 200)
      vector.buffer.write('needle', at)
      expect(vector.find(0, length, 1)).toBe(1)
      expect(vector.find(0, at + 5, 1)).toBe(0)
      expect(vector.find(at + 1, length, 1)).toBe(0)
    }
  }
})

test('S-6 this machine has the vector filter', () => {
  expect(createByteFilter().find.name).toBe('find')
  expect(createByteFilter().buffer.buffer.byteLength).toBe(25 * 65_536)
})

test('a filter refuses what it cannot hold', () => {
  for (const filter of Object.values(filters)) {
    expect(() => filter.setPatterns(Array.from({ length: 9 }, () => exactPattern('x')))).toThrow(RangeError)
    expect(() => filter.setPatterns([exactPattern('')])).toThrow(RangeError)
    expect(() => filter.setPatterns([exactPattern('x'.repeat(129))])).toThrow(RangeError)
  }
})
