// Proves the memory side of F-19: older pages can leave and come back, damaged lines are counted.
import { describe, expect, it } from 'vitest'
import { linesOf, textRow } from '../testing/session-builders'
import {
  appendPage,
  appendRow,
  dropNewPages,
  dropOldPages,
  historyOfPage,
  jumpTo,
  olderCursorOf,
  prependPage,
  replaceHistory,
  skippedLinesOf
} from './loaded-history'

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
    expect(skippedLinesOf(history)).toBe(3)
    const older = { lines: '', before: null, skippedLines: 4 }
    expect(skippedLinesOf(prependPage(history, older))).toBe(7)
    expect(skippedLinesOf(dropOldPages(prependPage(history, older), 1))).toBe(3)
  })

  it('F-19: dropping new pages leaves the cursor that loads them again, and what comes meanwhile is not put there', () => {
    const all = prependPage(
      prependPage(historyOfPage(page(21, 30, 'before-21')), page(11, 20, 'before-11')),
      page(1, 10, null)
    )
    const streamed = appendRow(all, rows(31, 31)[0]!)
    const kept = dropNewPages(streamed, 12)
    expect(idsOf(kept)).toEqual(idsOf(historyOfPage(page(1, 20, null))))
    expect(kept).toMatchObject({ after: 'before-21', newerRows: 0 })
    const told = appendRow(kept, rows(32, 32)[0]!)
    expect(told).toMatchObject({ rows: kept.rows, newerRows: 1 })
    const back = appendPage(told, { ...page(21, 32, 'before-21'), after: null })
    expect(idsOf(back)).toEqual(idsOf(historyOfPage(page(1, 32, null))))
    expect(back).toMatchObject({ after: null, newerRows: 0 })
    expect(idsOf(appendRow(back, rows(33, 33)[0]!)).at(-1)).toBe('r33')
    expect(dropNewPages(historyOfPage(page(1, 50, 'x')), 10).rows).toHaveLength(50)
  })

  it('S-9: a jump begins another span; the way back does too, and a new snapshot of the end does not', () => {
    const newest = historyOfPage(page(91, 99, 'before-91'))
    const far = jumpTo(newest, { ...page(11, 20, 'before-11'), after: 'after-20' })
    expect(far).toMatchObject({ span: 1, after: 'after-20' })
    expect(replaceHistory(far, page(91, 99, 'before-91'))).toMatchObject({ span: 2, after: null })
    expect(replaceHistory(newest, page(92, 99, 'before-92')).span).toBe(0)
  })
})

function idsOf({ rows: loaded }: { readonly rows: ReadonlyArray<{ readonly id: string }> }): string[] {
  return loaded.map((row) => row.id)
}
