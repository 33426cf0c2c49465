// Which rows are mounted: what must stay is added once, in order, within the list.
import { describe, expect, it } from 'vitest'
import { indexesOf } from './use-drawn-rows'

describe('indexesOf', () => {
  it('joins spans that overlap, ascending', () => {
    expect(
      indexesOf(
        [
          { first: 4, last: 6 },
          { first: 5, last: 8 },
          { first: 1, last: 1 }
        ],
        20
      )
    ).toEqual([1, 4, 5, 6, 7, 8])
  })

  it('stays within the list', () => {
    expect(
      indexesOf(
        [
          { first: -2, last: 1 },
          { first: 8, last: 30 }
        ],
        10
      )
    ).toEqual([0, 1, 8, 9])
  })
})
