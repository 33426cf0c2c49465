// Owns when older rows are asked for: before the person reaches the oldest loaded one, once for each page.
import { useCallback, useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { DisplayItem } from '@common/rows/display-items'

/** Screens between the view and the oldest row at which the next page is asked for. */
const AHEAD_SCREENS = 2

export interface OlderRows {
  /** Tells where the list stands, in pixels from its beginning. */
  readonly onMoved: (offsetPx: number) => void
}

export interface OlderRowsInput {
  readonly stored: readonly DisplayItem[]
  /** There are older rows and no page is on its way. */
  readonly enabled: boolean
  readonly scroller: RefObject<HTMLElement | null>
  readonly onNeedOlder: () => void
}

export function useOlderRows({ stored, enabled, scroller, onNeedOlder }: OlderRowsInput): OlderRows {
  const askedAt = useRef<string | null>(null)
  const heardOffsetPx = useRef(Number.MAX_SAFE_INTEGER)
  const oldestKey = stored.find((item) => item.kind !== 'damaged')?.key ?? null
  const check = useCallback(() => {
    if (!enabled || askedAt.current === oldestKey || scroller.current === null) return
    // The page may stand behind the list (while it opens, at its top still), and what was heard last behind
    // the page (a page of rows came in front since): either would ask for what nobody looks for.
    const { scrollTop, clientHeight } = scroller.current
    if (clientHeight === 0 || Math.max(heardOffsetPx.current, scrollTop) > AHEAD_SCREENS * clientHeight) return
    askedAt.current = oldestKey
    onNeedOlder()
  }, [enabled, oldestKey, scroller, onNeedOlder])
  // A page may bring less than a screen: the next one is asked for without a scroll.
  useEffect(check, [check])
  const onMoved = useCallback(
    (offsetPx: number) => {
      heardOffsetPx.current = offsetPx
      check()
    },
    [check]
  )
  return { onMoved }
}
