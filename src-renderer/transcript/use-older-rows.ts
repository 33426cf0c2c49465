// Owns when older rows are asked for: before the person reaches the oldest loaded one, once for each page.
import { useCallback, useEffect, useRef } from 'react'
import type { DisplayItem } from '@common/rows/display-items'

/** Screens between the view and the oldest row at which the next page is asked for. */
const AHEAD_SCREENS = 2

export interface OlderRows {
  /** Tells where the view stands: the scroll offset and the height of the view, in pixels. */
  readonly onMoved: (offsetPx: number, heightPx: number) => void
}

/** `enabled`: there are older rows and no page is on its way. */
export function useOlderRows(stored: readonly DisplayItem[], enabled: boolean, onNeedOlder: () => void): OlderRows {
  const place = useRef<{ readonly offsetPx: number; readonly heightPx: number } | null>(null)
  const askedAt = useRef<string | null>(null)
  const oldestKey = stored.find((item) => item.kind !== 'damaged')?.key ?? null
  const check = useCallback(() => {
    if (!enabled || place.current === null || askedAt.current === oldestKey) return
    if (place.current.heightPx === 0 || place.current.offsetPx > AHEAD_SCREENS * place.current.heightPx) return
    askedAt.current = oldestKey
    onNeedOlder()
  }, [enabled, oldestKey, onNeedOlder])
  const onMoved = useCallback(
    (offsetPx: number, heightPx: number) => {
      place.current = { offsetPx, heightPx }
      check()
    },
    [check]
  )
  // A page may bring less than a screen: the next one is asked for without a scroll.
  useEffect(check, [check])
  return { onMoved }
}
