// Owns whether the view follows the end, and how many rows came since the person scrolled away. The person
// leaves the end by moving up; rows that grow faster than the view follows are no leaving.
import { useCallback, useMemo, useRef, useState } from 'react'
import type { DisplayItem } from '@common/rows/display-items'

export interface FollowEnd {
  readonly following: boolean
  /** Rows that came since the person scrolled away. */
  readonly newRows: number
  /** Tells where the view stands, in pixels, after each scroll and each change of size. */
  readonly onMoved: (offsetPx: number, atEnd: boolean) => void
}

/** Nearer to the end than this counts as being there: a line of text. */
export const END_SLACK_PX = 24

/** `stored` items stand in the history, `tail` items after them. `opensAtEnd` matters at the first render alone. */
export function useFollowEnd(
  stored: readonly DisplayItem[],
  tail: readonly DisplayItem[],
  opensAtEnd: boolean
): FollowEnd {
  const [leftAt, setLeftAt] = useState<{ readonly key: string | undefined } | null>(
    opensAtEnd ? null : { key: undefined }
  )
  // Null until the end was reached for the first time.
  const lastOffset = useRef<number | null>(null)
  const lastKey = (tail.findLast(isRow) ?? stored.at(-1))?.key
  const onMoved = useCallback(
    (offsetPx: number, atEnd: boolean) => {
      const movedUp = lastOffset.current !== null && offsetPx < lastOffset.current - 1
      if (atEnd || lastOffset.current !== null) lastOffset.current = offsetPx
      if (atEnd) setLeftAt(null)
      else if (movedUp) setLeftAt((left) => left ?? { key: lastKey })
    },
    [lastKey]
  )
  const newRows = useMemo(() => (leftAt === null ? 0 : rowsAfter(leftAt.key, stored, tail)), [leftAt, stored, tail])
  return { following: leftAt === null, newRows, onMoved }
}

/** How many rows begin after the item with this key; 0 when it is gone. */
export function rowsAfter(
  key: string | undefined,
  stored: readonly DisplayItem[],
  tail: readonly DisplayItem[]
): number {
  if (key === undefined || tail.some((item) => item.key === key)) return 0
  const at = stored.findLastIndex((item) => item.key === key)
  if (at === -1) return 0
  return [...stored.slice(at + 1), ...tail.filter(isRow)].filter(beginsRow).length
}

function isRow(item: DisplayItem): boolean {
  return item.kind === 'assistant'
}

/** A later piece of a long answer is no row of its own. */
function beginsRow(item: DisplayItem): boolean {
  return item.kind !== 'assistant' || item.key === item.rowId
}
