// Owns which window an item belongs to: windows are numbered from 1, oldest first. Pure.

export interface WindowNumbers {
  /** Number of the window of the item at `index`; null while the older windows are not counted. */
  numberAt(index: number): number | null
  /** True when a later window begins after the item: it is sealed. */
  isSealed(index: number): boolean
}

/**
 * `dividerIndexes`: indexes of the items that open a window, ascending. `windowCount`: how many windows the
 * history has; null when unknown, then the numbers are known only where everything older is loaded.
 */
export function windowNumbersOf(
  dividerIndexes: readonly number[],
  windowCount: number | null,
  hasOlder: boolean
): WindowNumbers {
  const count = windowCount ?? (hasOlder ? null : dividerIndexes.length + 1)
  return {
    numberAt: (index) => (count === null ? null : count - dividersAfter(dividerIndexes, index)),
    isSealed: (index) => dividersAfter(dividerIndexes, index) > 0
  }
}

/** Dividers after the item, found by halving: rows ask on every scroll. */
function dividersAfter(dividerIndexes: readonly number[], index: number): number {
  let low = 0
  let high = dividerIndexes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((dividerIndexes[middle] ?? 0) <= index) low = middle + 1
    else high = middle
  }
  return dividerIndexes.length - low
}
