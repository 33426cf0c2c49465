import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, sha256Of } from './canonical-json'

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => shuffled(item, random))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, field]) => [key, shuffled(field, random)] as const)
  return Object.fromEntries(entries.toSorted(() => random() - 0.5))
}

const anyJson = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })

describe('V-1 canonical JSON', () => {
  it('is JSON that reads back as the same value, for any value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
      { seed: 5_101, numRuns: 300 }
    )
  })

  it('is the same whatever the order of keys, and after a trip through a file', () => {
    fc.assert(
      fc.property(anyJson, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (value, numbers) => {
        const random = (): number => Number(numbers.next().value)
        expect(canonicalJson(shuffled(value, random))).toBe(canonicalJson(value))
        const stored = Buffer.from(JSON.stringify(value)).toString('utf8')
        expect(canonicalJson(JSON.parse(stored))).toBe(canonicalJson(value))
      }),
      { seed: 5_102, numRuns: 300 }
    )
  })

  it('is another for another value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        fc.pre(a !== b)
        expect(canonicalJson({ text: a })).not.toBe(canonicalJson({ text: b }))
        expect(canonicalJson({ [a]: 1 })).not.toBe(canonicalJson({ [b]: 1 }))
        expect(canonicalJson([a, b])).not.toBe(canonicalJson([`${a}","${b}`]))
      }),
      { seed: 5_103, numRuns: 300 }
    )
    for (const [a, b] of [
      ['é', 'e\u0301'],
      ['1', 1],
      [
        [1, 2],
        [2, 1]
      ],
      [{ a: [] }, { a: {} }],
      [null, 'null'],
      ['\ud800', '\ufffd']
    ])
      expect(canonicalJson(a)).not.toBe(canonicalJson(b))
  })

  it('sorts keys by their UTF-16 units and leaves out what JSON leaves out', () => {
    expect(
      canonicalJson({ b: 1, a: { z: 1, y: undefined, A: [undefined, () => 1] }, '\ue000': 1, '🌊': 2, 10: 1, 9: 2 })
    ).toBe('{"10":1,"9":2,"a":{"A":[null,null],"z":1},"b":1,"🌊":2,"\ue000":1}')
    expect(canonicalJson({ at: new Date(0), zero: -0, none: Number.NaN })).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","none":null,"zero":0}'
    )
    expect(() => canonicalJson(undefined)).toThrow('no JSON')
  })

  it('says of bytes how many they are and their hash', () => {
    const bytes = new TextEncoder().encode('tide')
    const spelled = { bytes: 4, sha256: sha256Of('tide') }
    expect(canonicalJson({ data: bytes })).toBe(canonicalJson({ data: spelled }))
    expect(canonicalJson({ data: Buffer.from('tide') })).toBe(canonicalJson({ data: bytes }))
    expect(canonicalJson({ data: new TextEncoder().encode('tidy') })).not.toBe(canonicalJson({ data: bytes }))
  })
})
