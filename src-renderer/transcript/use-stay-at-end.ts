// Owns staying at the end when the window, a side or the composer changes the size of the view: whoever read
// the newest row still does.
import { useEffect } from 'react'
import type { RefObject } from 'react'
import { END_SLACK_PX } from './use-follow-end'

/** `scrollToEnd` keeps its identity. */
export function useStayAtEnd(scroller: RefObject<HTMLElement | null>, scrollToEnd: () => void): void {
  useEffect(() => {
    const view = scroller.current
    if (view === null) return
    let stays = true
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
