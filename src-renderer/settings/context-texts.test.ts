import { expect, it } from 'vitest'
import { fullWindowText, hoursText } from './context-texts'

it('U-10 says what happens to a full window as it is set', () => {
  expect(fullWindowText(0.7, false)).toMatch(/^It is summarised/)
  expect(fullWindowText(0.7, true)).toMatch(/^It rolls over/)
  for (const rollsOver of [true, false]) expect(fullWindowText(1, rollsOver)).toMatch(/^Nothing happens by itself/)
})

it.each([
  [1, '1 hour'],
  [23, '23 hours'],
  [24, '1 day'],
  [29, '1 day 5 hours'],
  [168, '7 days']
])('C-3 puts %i hours into words', (hours, words) => {
  expect(hoursText(hours)).toBe(words)
})
