// Owns staying at the end when the window, a side or the composer changes the size of the view: whoever read
// the newest row still does.
import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { END_SLACK_PX } from './use-follow-end'

/** `scrollToEnd` keeps its identity. `opensAtEnd`: whether the view is there before it is scrolled. */
export function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  scrollToEnd: () => void,
  opensAtEnd: boolean
): void {
  const staysAtFirst = useRef(opensAtEnd)
  useEffect(() => {
    const view = scroller.current
    if (view === null) return
    let stays = staysAtFirst.current
    let size = ''
    const sizeNow = () => `${view.clientWidth}×${view.clientHeight}`
    const onScroll = () => {
      // A scroll that comes with a new size is the browser's, not the person's.
      if (size === sizeNow()) stays = view.scrollHeight - view.scrollTop - view.clientHeight <= END_SLACK_PX
    }
    const observer = new ResizeObserver(() => {
      size = sizeNow()
      if (stays) scrollToEnd()
    })
    view.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(view)
    return () => {
      view.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [scroller, scrollToEnd])
}
