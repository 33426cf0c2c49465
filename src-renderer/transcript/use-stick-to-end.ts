// Owns staying at the end when the number of rows changes; while they grow the virtualizer's end anchor does.
// Its own follow-on-append is off: it leaves one that comes before the last (the working line stays last), a
// long answer cut into one more piece, and its command runs on for frames, a row behind one that streams.
import { useCallback, useLayoutEffect } from 'react'
import type { RefObject } from 'react'
import type { Virtualizer } from '@tanstack/react-virtual'

/** What brings the view to the end. `following`: the view followed the end before this render. */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, HTMLElement>,
  count: number,
  following: boolean
): () => void {
  const stick = useCallback(() => {
    // Measured first, so that the write is exact, no frame is painted off and nothing is left to reconcile.
    for (const row of scroller.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])
      virtualizer.resizeItem(virtualizer.indexFromElement(row), row.offsetHeight)
    virtualizer.scrollToEnd()
    virtualizer.cancelScroll()
  }, [scroller, virtualizer])
  useLayoutEffect(() => {
    if (following) stick()
    // oxlint-disable-next-line react/exhaustive-deps -- only a new count moves the view; reaching the end does not
  }, [stick, count])
  return stick
}
