// Owns when newer rows are asked for, where the list ends before the newest row: before the person reaches the last
// loaded one, once for each page.
import { useCallback, useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { DisplayItem } from '@common/rows/display-items'

/** Screens between the view and the newest loaded row at which the next page is asked for. */
const AHEAD_SCREENS = 2

export interface NewerRowsInput {
  readonly stored: readonly DisplayItem[]
  /** There are newer rows and no page is on its way. */
  readonly enabled: boolean
  readonly scroller: RefObject<HTMLElement | null>
  readonly onNeedNewer: () => void
}

/** What hears that the list moved. */
export function useNewerRows({ stored, enabled, scroller, onNeedNewer }: NewerRowsInput): () => void {
  const askedAt = useRef<string | null>(null)
  const newestKey = stored.at(-1)?.key ?? null
  const check = useCallback(() => {
    if (!enabled || askedAt.current === newestKey || scroller.current === null) return
    const { scrollTop, scrollHeight, clientHeight } = scroller.current
    if (clientHeight === 0 || scrollHeight - scrollTop - clientHeight > AHEAD_SCREENS * clientHeight) return
    askedAt.current = newestKey
    onNeedNewer()
  }, [enabled, newestKey, scroller, onNeedNewer])
  // A page may bring less than a screen: the next one is asked for without a scroll.
  useEffect(check, [check])
  return check
}
