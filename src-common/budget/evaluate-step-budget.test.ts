import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WARNING_RESERVE_TOKENS } from '../constants'
import { budgetPointsOf } from './budget-points'
import { evaluateStepBudget } from './evaluate-step-budget'

const points = { hardCeiling: 18_000, rolloverPoint: 15_000, warningPoint: 9_000 }
/** A ceiling so near that a warning would not fit. */
const narrow = { hardCeiling: 11_000, rolloverPoint: 11_000, warningPoint: 8_000 }
const off = { hardCeiling: 18_000, rolloverPoint: null, warningPoint: null }

describe('evaluateStepBudget', () => {
  it.each([
    ['below the band', points, 8_999, false, { kind: 'continue' }],
    ['at the warning point', points, 9_000, false, { kind: 'warn' }],
    ['in the band, warned', points, 9_000, true, { kind: 'continue' }],
    ['a token below the rollover point', points, 14_999, false, { kind: 'warn' }],
    ['at the rollover point', points, 15_000, false, { kind: 'rollover', flushOpportunity: true }],
    ['at the rollover point, warned', points, 15_000, true, { kind: 'rollover', flushOpportunity: true }],
    ['a token below the ceiling', points, 17_999, false, { kind: 'rollover', flushOpportunity: true }],
    ['at the ceiling', points, 18_000, false, { kind: 'rollover', flushOpportunity: false }],
    ['a warning that just fits', narrow, 11_000 - WARNING_RESERVE_TOKENS - 1, false, { kind: 'warn' }],
    [
      'a warning that would reach the ceiling',
      narrow,
      11_000 - WARNING_RESERVE_TOKENS,
      false,
      { kind: 'rollover', flushOpportunity: false }
    ],
    ['the same, warned', narrow, 11_000 - WARNING_RESERVE_TOKENS, true, { kind: 'continue' }],
    ['off, below the ceiling', off, 17_999, false, { kind: 'continue' }],
    ['off, at the ceiling', off, 18_000, false, { kind: 'block' }],
    ['an unknown limit', null, 9_999_999, false, { kind: 'continue' }],
    ['nothing known of the window', points, null, false, { kind: 'continue' }]
  ])('E-2 G-2 decides %s', (_name, given, projected, isWarned, expected) => {
    expect(evaluateStepBudget({ points: given, projected, isWarned })).toMatchObject(expected)
  })

  it('E-2 names what it went by', () => {
    expect(evaluateStepBudget({ points, projected: 15_500, isWarned: false })).toEqual({
      kind: 'rollover',
      projected: 15_500,
      hardCeiling: 18_000,
      flushOpportunity: true
    })
  })

  it('E-2 goes on only below the rollover point, and never warns twice or without room, for any model', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 2_000_000 }),
        fc.integer({ min: 4, max: 22 }),
        fc.nat(2_100_000),
        fc.boolean(),
        (contextLimit, step, projected, isWarned) => {
          const given = budgetPointsOf({ contextLimit, maxOutputTokens: null }, step * 0.05)
          const decision = evaluateStepBudget({ points: given, projected, isWarned })
          const { hardCeiling = 0, rolloverPoint = null } = given ?? {}
          if (decision.kind === 'continue') expect(projected).toBeLessThan(rolloverPoint ?? hardCeiling)
          if (decision.kind === 'warn') {
            expect(isWarned).toBe(false)
            expect(projected + WARNING_RESERVE_TOKENS).toBeLessThan(hardCeiling)
          }
          if (decision.kind === 'rollover' && decision.flushOpportunity) expect(projected).toBeLessThan(hardCeiling)
          if (decision.kind === 'block') expect(rolloverPoint).toBeNull()
        }
      ),
      { seed: 2004 }
    )
  })
})
