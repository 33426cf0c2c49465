// Owns marking the words that a jump went for in the row it went to, as the browser's own find does: without touching
// what is drawn. Where they stand outside of the view, the view goes to them.
import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { Virtualizer } from '@tanstack/react-virtual'
import { rangesOf } from './ranges-of-words'

/** In transcript.css as `::highlight(found-words)`. */
const HIGHLIGHT = 'found-words'
/** Frames until a row that was scrolled to is drawn, measured, and stands still. */
const SETTLING_FRAMES = 8

/** Marks `words` in the row with `data-found`. `found` is the same object until the next jump. */
export function useFoundWords(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, HTMLElement>,
  found: { readonly words: string } | null
): void {
  useEffect(() => {
    if (found === null || found.words === '') return
    const observer = new MutationObserver(() => mark())
    let request = 0
    function mark(): Range | null {
      const row = scroller.current?.querySelector<HTMLElement>('[data-found]')
      const ranges = row === null || row === undefined ? [] : rangesOf(row, found?.words ?? '')
      CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges))
      return ranges[0] ?? null
    }
    function look(framesLeft: number): void {
      const first = mark()
      if (framesLeft > 0) {
        request = requestAnimationFrame(() => look(framesLeft - 1))
        return
      }
      const row = scroller.current?.querySelector('[data-found]')
      // Code gets its colours later, in new nodes.
      if (row) observer.observe(row, { childList: true, subtree: true, characterData: true })
      if (first !== null && scroller.current !== null) bringIntoView(first, scroller.current)
    }
    function bringIntoView(range: Range, view: HTMLElement): void {
      const { top, bottom } = range.getBoundingClientRect()
      const box = view.getBoundingClientRect()
      if (top >= box.top && bottom <= box.bottom) return
      virtualizer.cancelScroll()
      view.scrollTop += top - box.top - box.height / 3
    }
    look(SETTLING_FRAMES)
    return () => {
      cancelAnimationFrame(request)
      observer.disconnect()
      CSS.highlights.delete(HIGHLIGHT)
    }
  }, [scroller, virtualizer, found])
}
