// Distances between rows, and keys that move between them.
import { describe, expect, it } from 'vitest'
import { buildDisplayRows } from '@common/rows/display-rows'
import { mixedRows } from '../testing/mixed-rows'
import { estimateHeight, gapAfter } from './item-geometry'
import { moveOfKey, targetOfMove } from './transcript-keys'
import { rowsAfter } from './use-follow-end'

const { items } = buildDisplayRows({ rows: mixedRows(200), busy: false, hasOlder: false, skippedLines: 1, debug: true })

describe('gapAfter', () => {
  it('stays on the 4-px grid, and is nothing at the end', () => {
    for (const [index, item] of items.entries()) expect(gapAfter(item, items[index + 1]) % 4).toBe(0)
    expect(items[0] && gapAfter(items[0], undefined)).toBe(0)
  })
})

describe('estimateHeight', () => {
  it('guesses a height above zero for every item', () => {
    for (const item of items) expect(estimateHeight(item)).toBeGreaterThan(0)
  })
})

describe('moveOfKey', () => {
  const key = (name: string, more: Partial<KeyboardEvent> = {}, typing = false) =>
    moveOfKey({ key: name, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...more }, typing)

  it('knows turns and windows', () => {
    expect(key('ArrowUp', { altKey: true })).toBe('previous-turn')
    expect(key('ArrowDown', { altKey: true })).toBe('next-turn')
    expect(key('[')).toBe('previous-window')
    expect(key(']')).toBe('next-window')
  })

  it('leaves other keys and combinations alone', () => {
    expect(key('ArrowUp')).toBeNull()
    expect(key('[', { ctrlKey: true })).toBeNull()
    expect(key(']', { altKey: true })).toBeNull()
    expect(key('[', {}, true)).toBeNull()
    expect(key('ArrowUp', { altKey: true, shiftKey: true })).toBeNull()
  })
})

describe('targetOfMove', () => {
  const stops = { turnAt: (index: number) => index % 5 === 0, windowAt: (index: number) => index === 7 }

  it('finds the next stop in the direction, or none', () => {
    expect(targetOfMove('previous-turn', 8, 12, stops)).toBe(5)
    expect(targetOfMove('next-turn', 8, 12, stops)).toBe(10)
    expect(targetOfMove('next-turn', 10, 12, stops)).toBeNull()
    expect(targetOfMove('previous-window', 11, 12, stops)).toBe(7)
    expect(targetOfMove('previous-window', 7, 12, stops)).toBeNull()
  })
})

describe('rowsAfter', () => {
  it('counts the rows that begin after one, and none when it is gone', () => {
    const rows = items.filter((item) => item.kind !== 'assistant' || item.key === item.rowId)
    const from = rows.at(-5)
    expect(rowsAfter(from?.key, items, [])).toBe(4)
    expect(rowsAfter('gone', items, [])).toBe(0)
    expect(rowsAfter(undefined, items, [])).toBe(0)
  })
})
