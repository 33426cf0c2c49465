// Windows are numbered from 1, oldest first; all but the newest are sealed.
import { describe, expect, it } from 'vitest'
import { windowNumbersOf } from './window-numbers'

describe('windowNumbersOf', () => {
  it('numbers items by the dividers before them', () => {
    const windows = windowNumbersOf([3, 7], null, false)
    expect([0, 2, 3, 6, 7, 9].map((index) => windows.numberAt(index))).toEqual([1, 1, 2, 2, 3, 3])
    expect([0, 6, 7].map((index) => windows.isSealed(index))).toEqual([true, true, false])
  })

  it('counts back from the number of windows when older rows are not loaded', () => {
    const windows = windowNumbersOf([3], 12, true)
    expect([0, 3].map((index) => windows.numberAt(index))).toEqual([11, 12])
  })

  it('says nothing when it does not know', () => {
    expect(windowNumbersOf([3], null, true).numberAt(0)).toBeNull()
    expect(windowNumbersOf([], null, true).isSealed(0)).toBe(false)
  })
})
