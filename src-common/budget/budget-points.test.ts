import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEMO_CONTEXT_LIMIT, DEMO_MAX_OUTPUT_TOKENS, OUTPUT_RESERVE_TOKENS } from '../constants'
import { budgetPointsOf, hardCeilingOf, maxOutputFor, outputReserveOf } from './budget-points'

const limit = fc.integer({ min: 1, max: 2_000_000 })
const maximum = fc.option(fc.integer({ min: 1, max: 200_000 }))

describe('the budget points', () => {
  it.each([
    ['a large model', 200_000, 64_000, 8_192, 191_808],
    ['the demo model', DEMO_CONTEXT_LIMIT, DEMO_MAX_OUTPUT_TOKENS, 2_000, 22_000],
    ['a small model whose maximum is not known', 8_000, null, 2_000, 6_000],
    ['a limit that no quarter divides', 8_003, null, 2_000, 6_003]
  ])('00 keep an output reserve free on %s', (_name, contextLimit, maxOutputTokens, reserve, ceiling) => {
    expect(outputReserveOf(contextLimit, maxOutputTokens)).toBe(reserve)
    expect(hardCeilingOf({ contextLimit, maxOutputTokens })).toBe(ceiling)
  })

  it('G-2 leave an unknown limit unknown', () => {
    expect(hardCeilingOf({ contextLimit: null, maxOutputTokens: 4_096 })).toBeNull()
  })

  it('00 put the ceiling between three quarters of the limit and the limit, for any model', () => {
    fc.assert(
      fc.property(limit, maximum, (contextLimit, maxOutputTokens) => {
        const ceiling = hardCeilingOf({ contextLimit, maxOutputTokens }) ?? Number.NaN
        expect(ceiling).toBeGreaterThanOrEqual(Math.floor(contextLimit * 0.75))
        expect(ceiling).toBeLessThanOrEqual(contextLimit)
        expect(contextLimit - ceiling).toBeLessThanOrEqual(OUTPUT_RESERVE_TOKENS)
      }),
      { seed: 2001 }
    )
  })
})

describe('budgetPointsOf', () => {
  it.each([
    // [limit, max output, threshold] → [rollover, warning, ceiling]
    ['the default on 200k', 200_000, 64_000, 0.7, 150_000, 120_000, 191_808],
    ['the demo model: the lead of 6 144 decides', 24_000, 2_000, 0.7, 18_000, 11_856, 22_000],
    ['a high threshold: the ceiling is the rollover point', 200_000, 64_000, 0.95, 191_808, 170_000, 191_808],
    ['a low one: half of the ceiling is the least warning', 200_000, 64_000, 0.5, 110_000, 95_904, 191_808],
    ['a threshold below the least warning: no band', 200_000, 64_000, 0.2, 50_000, null, 191_808],
    ['off', 200_000, 64_000, 1, null, null, 191_808],
    ['0.55 + 0.05, which is no 0.6 in binary', 1_000, null, 0.55, 600, 375, 750]
  ])('00 puts the points of %s', (_name, contextLimit, maxOutputTokens, threshold, rollover, warning, ceiling) => {
    expect(budgetPointsOf({ contextLimit, maxOutputTokens }, threshold)).toEqual({
      hardCeiling: ceiling,
      rolloverPoint: rollover,
      warningPoint: warning
    })
  })

  it('G-2 knows no point of an unknown limit', () => {
    expect(budgetPointsOf({ contextLimit: null, maxOutputTokens: 1 }, 0.7)).toBeNull()
  })

  it('00 keeps warning below rollover at or below ceiling, and the warning in the upper half, for any model', () => {
    const threshold = fc.integer({ min: 4, max: 19 }).map((step) => step * 0.05)
    fc.assert(
      fc.property(limit, maximum, threshold, (contextLimit, maxOutputTokens, share) => {
        const points = budgetPointsOf({ contextLimit, maxOutputTokens }, share)
        const { hardCeiling = 0, rolloverPoint = null, warningPoint = null } = points ?? {}
        expect(rolloverPoint).not.toBeNull()
        expect(rolloverPoint ?? 0).toBeLessThanOrEqual(hardCeiling)
        if (warningPoint !== null) {
          expect(warningPoint).toBeLessThan(rolloverPoint ?? 0)
          expect(warningPoint).toBeGreaterThanOrEqual(Math.floor(hardCeiling / 2))
        }
      }),
      { seed: 2003 }
    )
  })
})

describe('maxOutputFor', () => {
  it('00 asks for the maximum of the model where there is room, and for what is left where there is not', () => {
    const limits = { contextLimit: 100_000, maxOutputTokens: 32_000 }
    expect(maxOutputFor(limits, 10_000)).toBe(32_000)
    expect(maxOutputFor(limits, 68_000)).toBe(32_000)
    expect(maxOutputFor(limits, 90_000)).toBe(10_000)
  })

  it('leaves it to the provider where no maximum is known, and to the maximum where no limit is', () => {
    expect(maxOutputFor({ contextLimit: 100_000, maxOutputTokens: null }, 10_000)).toBeNull()
    expect(maxOutputFor({ contextLimit: null, maxOutputTokens: null }, 10_000)).toBeNull()
    expect(maxOutputFor({ contextLimit: null, maxOutputTokens: 4_096 }, 10_000)).toBe(4_096)
  })

  it('P-3 never lets request and answer pass the limit, below the ceiling, and never asks for nothing', () => {
    fc.assert(
      fc.property(limit, fc.integer({ min: 1, max: 200_000 }), fc.nat(), (contextLimit, maxOutputTokens, seed) => {
        const limits = { contextLimit, maxOutputTokens }
        const request = seed % Math.max(1, hardCeilingOf(limits) ?? 0)
        const output = maxOutputFor(limits, request) ?? Number.NaN
        expect(output).toBeGreaterThanOrEqual(1)
        expect(output).toBeLessThanOrEqual(maxOutputTokens)
        expect(request + output).toBeLessThanOrEqual(contextLimit)
        expect(output).toBeGreaterThanOrEqual(outputReserveOf(contextLimit, maxOutputTokens))
      }),
      { seed: 2002 }
    )
  })
})
