// Owns arrow keys in a list of buttons: ↑ ↓ Home End move the focus among elements marked data-arrow.
import type { KeyboardEvent } from 'react'

/** A key handler for the element around the list. */
export function moveFocusByArrow(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-arrow]')]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  if (at === -1) return
  const to = targetOf(event.key, at, stops.length)
  if (to === null) return
  event.preventDefault()
  stops[to]?.focus()
}

function targetOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
