// H-6: appended rows tell of new windows as a snapshot would.
import { expect, it } from 'vitest'
import { rowSource } from '../testing/row-builders'
import { windowStartsOf } from '../testing/session-builders'
import { withStartOf } from './window-starts'

it('H-6 row after row, from an empty history or on top of a snapshot, gives what a snapshot gives', () => {
  const source = rowSource()
  const rows = [
    source.person('One'),
    source.boundary('reset'),
    source.person('Two'),
    source.compaction('So far.'),
    source.boundary('rollover')
  ]
  let starts: readonly number[] = []
  for (const [index, row] of rows.entries()) {
    starts = withStartOf(starts, row)
    expect(starts).toEqual(windowStartsOf(rows.slice(0, index + 1)))
    expect(withStartOf(starts, row)).toBe(starts)
  }
  expect(starts).toEqual([0, 2, 4, 5])
})
