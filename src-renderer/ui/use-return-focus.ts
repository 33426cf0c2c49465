// Owns where the focus goes when a dialog opens and closes: to the dialog, then back to what opened it, though
// that was no trigger of the dialog.
import { useRef } from 'react'
import type { RefObject } from 'react'

export interface ReturnFocus {
  readonly onOpenAutoFocus: (event: Event) => void
  readonly onCloseAutoFocus: (event: Event) => void
}

/** `returnTo` is for an opener that is gone by then, such as an item of a menu. */
export function useReturnFocus(returnTo?: RefObject<HTMLElement | null>): ReturnFocus {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event) => {
      opener.current = document.activeElement
      // The panel itself, not its first button: that would open a tooltip over the title.
      event.preventDefault()
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
    },
    onCloseAutoFocus: (event) => {
      const target = returnTo?.current ?? opener.current
      if (!(target instanceof HTMLElement) || !target.isConnected) return
      event.preventDefault()
      target.focus()
    }
  }
}
