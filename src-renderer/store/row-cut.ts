// Owns what editing from a row would cut, as far as the window knows: the loaded rows reach to the end. Pure.
import { usesOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'

export interface RowCut {
  /** Messages of either side that go with it, the row itself not counted. */
  readonly messages: number
  /** Windows that began after it. */
  readonly windows: number
}

/** What stands after the row; null when it is not loaded. */
export function cutAfter(rows: readonly Row[], rowId: string): RowCut | null {
  const at = rows.findLastIndex((row) => row.id === rowId)
  if (at === -1) return null
  const after = rows.slice(at + 1).map(usesOf)
  return {
    messages: after.filter((uses) => uses.screen === 'message' && uses.boundary === 'none').length,
    windows: after.filter((uses) => uses.boundary !== 'none').length
  }
}
