// Owns which change of a row's height the view makes up for, so that what a person reads stays where it is.
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'

type List = Virtualizer<HTMLDivElement, HTMLElement>

/**
 * True when the scroll position moves by the row's change of height. Beside the virtualizer's own rule (rows
 * above the view): a person who scrolls up reads on from rows that stand in view already, so the rows that come
 * in above those push up and not down, though they are in view themselves.
 */
export function movesTheView(row: VirtualItem, _deltaPx: number, list: List): boolean {
  const offsetPx = list.scrollOffset ?? 0
  const isFirstMeasure = !list.itemSizeCache.has(row.key)
  if (!isFirstMeasure) return row.end <= offsetPx && list.scrollDirection !== 'backward'
  if (row.start < offsetPx) return true
  return list.scrollDirection === 'backward' && isLastInViewMeasured(list)
}

/** False after a jump to a place where every row is new: there is nothing to read on from. */
function isLastInViewMeasured(list: List): boolean {
  const last = list.range?.endIndex
  return last !== undefined && list.itemSizeCache.has(list.options.getItemKey(last))
}
