// Proves the memory side of F-19: older pages can leave and come back, damaged lines are counted.
import { describe, expect, it } from 'vitest'
import { linesOf, textRow } from '../testing/session-builders'
import { appendRow, dropOldPages, historyOfPage, olderCursorOf, prependPage } from './loaded-history'

function rows(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => textRow(`r${from + index}`, 'user', 'text', from + index))
}

function page(from: number, to: number, before: string | null) {
  return { lines: linesOf(rows(from, to)), before, skippedLines: 0 }
}

describe('loaded history', () => {
  it('F-19: dropping old pages leaves the cursor that loads them again', () => {
    const newest = historyOfPage(page(21, 30, 'before-21'))
    const all = prependPage(prependPage(newest, page(11, 20, 'before-11')), page(1, 10, null))
    expect(olderCursorOf(all)).toBeNull()
    const kept = dropOldPages(all, 12)
    expect(kept.rows.map((row) => row.id)).toEqual(rows(11, 30).map((row) => row.id))
    expect(olderCursorOf(kept)).toBe('before-11')
    const back = prependPage(kept, page(1, 10, null))
    expect(back.rows.map((row) => row.id)).toEqual(all.rows.map((row) => row.id))
  })

  it('F-19: the newest page stays however many rows were appended to it', () => {
    let history = prependPage(historyOfPage(page(11, 20, 'before-11')), page(1, 10, null))
    for (const row of rows(21, 60)) history = appendRow(history, row)
    const kept = dropOldPages(history, 5)
    expect(kept.rows).toHaveLength(50)
    expect(dropOldPages(kept, 5)).toBe(kept)
  })

  it('H-1: a damaged line is counted and the others are shown', () => {
    const lines = `${linesOf(rows(1, 1))}\n{"id":"torn\n"a string"\n${linesOf(rows(2, 2))}\n`
    const history = historyOfPage({ lines, before: null, skippedLines: 1 })
    expect(history.rows.map((row) => row.id)).toEqual(['r1', 'r2'])
    expect(history.skippedLines).toBe(3)
  })
})
