// H-6, U-3: windows are numbered from 1, oldest first, whichever part of the history is loaded; all but the newest
// are sealed.
import { describe, expect, it } from 'vitest'
import { buildDisplayRows } from '@common/rows/display-rows'
import { rowSource, text } from '../testing/row-builders'
import { windowStartsOf } from '../testing/session-builders'
import { windowNumbersOf } from './window-numbers'

const source = rowSource()
const turn = (words: string) => [source.person(words), source.assistant([text('Yes.')])]
const ROWS = [
  ...turn('One'),
  source.boundary('rollover'),
  ...turn('Two'),
  source.boundary('reset'),
  ...turn('Three'),
  source.boundary('rollover'),
  ...turn('Four')
]
const STARTS = windowStartsOf(ROWS)

function numbersOf(from: number, to: number) {
  const input = { rows: ROWS.slice(from, to), busy: false, hasOlder: from > 0, skippedLines: 0, debug: false }
  const { items, dividerIndexes } = buildDisplayRows(input)
  const numbers = windowNumbersOf({ items, dividerIndexes, starts: STARTS })
  return {
    numbers: items.map((_, index) => numbers.numberAt(index)),
    sealed: items.map((_, index) => numbers.isSealed(index)),
    ended: dividerIndexes.map((index) => numbers.endedAt(index))
  }
}

describe('U-3 H-6 windowNumbersOf', () => {
  it('numbers items by the dividers before them, and knows which window ended at each', () => {
    expect(numbersOf(0, ROWS.length)).toEqual({
      numbers: [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4],
      sealed: [...Array.from({ length: 8 }, () => true), false, false, false],
      ended: STARTS.slice(0, 3)
    })
  })

  it('is right from the first page, and for a part in the middle', () => {
    expect(numbersOf(9, ROWS.length)).toMatchObject({ numbers: [4, 4], sealed: [false, false] })
    expect(numbersOf(7, ROWS.length)).toMatchObject({ numbers: [3, 4, 4, 4], sealed: [true, false, false, false] })
    expect(numbersOf(3, 5)).toMatchObject({ numbers: [2, 2], sealed: [true, true], ended: [] })
    expect(numbersOf(4, 7)).toMatchObject({ numbers: [2, 3, 3], ended: [STARTS[1]] })
  })

  it('knows the next divider either way, loaded or not', () => {
    const input = { rows: ROWS.slice(4, 7), busy: false, hasOlder: true, skippedLines: 0, debug: false }
    const { items, dividerIndexes } = buildDisplayRows(input)
    const numbers = windowNumbersOf({ items, dividerIndexes, starts: STARTS })
    const [, second, third, fourth] = STARTS
    expect(items.map((_, index) => numbers.startBeside(index, 'previous'))).toEqual([second, second, third])
    expect(items.map((_, index) => numbers.startBeside(index, 'next'))).toEqual([third, fourth, fourth])
    const first = windowNumbersOf({ items: [], dividerIndexes: [], starts: [0] })
    expect([first.startBeside(0, 'previous'), first.startBeside(0, 'next')]).toEqual([null, null])
  })

  it('knows one window of an empty history, and of rows without a sequence only what the dividers tell', () => {
    expect(windowNumbersOf({ items: [], dividerIndexes: [], starts: [] }).numberAt(0)).toBe(1)
    const rows = [
      source.person('One'),
      { ...source.boundary('reset'), metadata: { contextBoundaryKind: 'reset' as const } }
    ]
    const built = buildDisplayRows({ rows, busy: false, hasOlder: false, skippedLines: 0, debug: false })
    const numbers = windowNumbersOf({ ...built, starts: [0, 9] })
    expect([0, 1].map((index) => numbers.numberAt(index))).toEqual([null, null])
    expect(numbers.endedAt(1)).toBeNull()
    expect([0, 1].map((index) => numbers.isSealed(index))).toEqual([true, false])
  })
})
