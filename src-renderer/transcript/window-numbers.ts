// Owns which window an item belongs to: windows are numbered from 1, oldest first. Pure.
import type { DisplayItem } from '@common/rows/display-items'

export interface WindowNumbers {
  /** Number of the window of the item at `index`; null where no sequence tells. */
  numberAt(index: number): number | null
  /** True when a later window begins after the item: it is sealed. */
  isSealed(index: number): boolean
  /** Start of the window that ended at the divider at `index`; null when there is none. */
  endedAt(index: number): number | null
  /** Start of the window whose divider is the next one before or after an item, loaded or not; null for none. */
  startBeside(index: number, direction: 'previous' | 'next'): number | null
}

export interface WindowPlaces {
  readonly items: readonly DisplayItem[]
  /** Indexes of the items that open a window, ascending. */
  readonly dividerIndexes: readonly number[]
  /** Sequences of the rows that begin windows, of all windows, ascending. */
  readonly starts: readonly number[]
}

/** Right whichever part of the history is loaded: a row's own sequence says in which window it is. */
export function windowNumbersOf({ items, dividerIndexes, starts }: WindowPlaces): WindowNumbers {
  const startOf = (index: number): number | null => sequenceOf(items[index])
  const numberOf = (sequence: number | null): number | null =>
    sequence === null ? null : Math.max(1, countUpTo(starts, sequence))
  const numberAt = (index: number): number | null => {
    const before = countUpTo(dividerIndexes, index)
    const [own, next] = [dividerIndexes[before - 1], dividerIndexes[before]]
    if (own !== undefined) return numberOf(startOf(own))
    if (next === undefined) return starts.length <= 1 ? 1 : numberOf(sequenceOf(items.find(hasSequence)))
    const following = numberOf(startOf(next))
    return following === null ? null : Math.max(1, following - 1)
  }
  return {
    numberAt,
    isSealed(index) {
      const number = numberAt(index)
      return number === null ? countUpTo(dividerIndexes, index) < dividerIndexes.length : number < starts.length
    },
    startBeside(index, direction) {
      const number = numberAt(index)
      if (number === null) return null
      const isDivider = dividerIndexes[countUpTo(dividerIndexes, index) - 1] === index
      const start = starts[direction === 'next' ? number : number - (isDivider ? 2 : 1)] ?? 0
      // No divider stands before the first window.
      return start > 0 ? start : null
    },
    endedAt(index) {
      const sequence = startOf(index)
      return sequence === null ? null : (starts[countUpTo(starts, sequence - 1) - 1] ?? null)
    }
  }
}

function hasSequence(item: DisplayItem): boolean {
  return sequenceOf(item) !== null
}

function sequenceOf(item: DisplayItem | undefined): number | null {
  if (item === undefined) return null
  const row = item.kind === 'assistant' ? item.ends : 'row' in item ? item.row : null
  return row?.metadata.historySequence ?? null
}

/** How many of these ascending numbers are at most `limit`, found by halving: rows ask on every scroll. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
