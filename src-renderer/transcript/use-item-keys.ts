// Owns the keys that the virtualizer knows rows by. The function stays the same while the keys do: a new
// one makes it lay out every row again.
import { useCallback, useMemo } from 'react'
import type { DisplayItem } from '@common/rows/display-items'

/** Key of the item at an index. */
export function useItemKeys(stored: readonly DisplayItem[], tail: readonly DisplayItem[]): (index: number) => string {
  const joined = tail.map((item) => item.key).join('\n')
  const tailKeys = useMemo(() => joined.split('\n'), [joined])
  return useCallback(
    (index) => (index < stored.length ? stored[index]?.key : tailKeys[index - stored.length]) ?? `none:${index}`,
    [stored, tailKeys]
  )
}
