// Proves how the test run counts: no failure may vanish, and a step that ran nothing fails.
import { describe, expect, it } from 'vitest'
import { addCounts, closingLine, countPlaywright, countVitest, judge } from './test-steps.mjs'

const counts = (passed: number, failed: number, skipped = 0) => ({ passed, failed, skipped })

describe('counting', () => {
  it('takes the numbers of a Vitest report and counts a suite that could not load', () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{}] },
        { status: 'passed', assertionResults: [{}] }
      ]
    }
    expect(countVitest(report)).toEqual(counts(4, 2, 3))
  })

  it('takes the numbers of a Playwright report and counts its errors outside of tests', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }
    expect(countPlaywright({ stats, errors: [{}] })).toEqual(counts(6, 2, 2))
  })

  it('judges a step without a report or without a test as one failure', () => {
    expect(judge(0, null)).toEqual(counts(0, 1))
    expect(judge(0, counts(0, 0))).toEqual(counts(0, 1))
    expect(judge(0, counts(0, 0, 3))).toEqual(counts(0, 1, 3))
  })

  it('keeps a failure that only the exit code shows', () => {
    expect(judge(1, counts(3, 0))).toEqual(counts(3, 1))
    expect(judge(1, counts(3, 2))).toEqual(counts(3, 2))
    expect(judge(0, counts(3, 0))).toEqual(counts(3, 0))
  })

  it('closes with one line of totals', () => {
    expect(closingLine(addCounts([counts(1, 0), counts(2, 1)]))).toBe('3 passed, 1 failed')
    expect(closingLine(counts(1, 0, 2))).toBe('1 passed, 0 failed, 2 skipped')
  })
})
