// Owns moving the focus to a row that may not be mounted yet: scroll there, then focus it once it is.
import { useCallback, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { Virtualizer } from '@tanstack/react-virtual'

export interface RowFocusOptions {
  readonly align?: 'start' | 'center'
  /** The row is about to be drawn anew: the focus waits for that. */
  readonly afterRender?: boolean
}

/** What moves the focus to the row at an index. */
export function useRowFocus(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, HTMLElement>
): (index: number, options?: RowFocusOptions) => void {
  const wanted = useRef<number | null>(null)
  const focusWanted = useCallback(() => {
    if (wanted.current === null) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (row === null || row === undefined) return
    wanted.current = null
    row.focus({ preventScroll: true })
  }, [scroller])
  // After each render: the one that mounts the row is among them.
  useLayoutEffect(focusWanted)
  return useCallback(
    (index, { align = 'start', afterRender = false } = {}) => {
      wanted.current = index
      virtualizer.scrollToIndex(index, { align })
      if (!afterRender) focusWanted()
    },
    [virtualizer, focusWanted]
  )
}
