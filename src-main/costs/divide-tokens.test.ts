import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { divideTokens } from './divide-tokens'

it('V-3 divides tokens by weight without losing one', () => {
  expect(divideTokens(10, [1, 1, 1])).toEqual([4, 3, 3])
  expect(divideTokens(10, [0, 0])).toEqual([0, 0])
  fc.assert(
    fc.property(fc.nat(1e8), fc.array(fc.nat(1e9), { minLength: 1, maxLength: 6 }), (total, weights) => {
      const parts = divideTokens(total, weights)
      const isDivided = weights.some((weight) => weight > 0)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(isDivided ? total : 0)
      expect(parts.every((part) => part >= 0)).toBe(true)
    }),
    { seed: 20261130 }
  )
})
