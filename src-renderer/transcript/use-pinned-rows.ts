// Owns which rows stay mounted though they scrolled away: the one with the focus, and those that a text
// selection spans. Without it the browser drops both.
import { useCallback, useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { defaultRangeExtractor } from '@tanstack/react-virtual'
import type { Range } from '@tanstack/react-virtual'

/** A selection over more rows than this is not held: it would mount the whole history. */
const MAX_SELECTED_ROWS = 200

interface Pins {
  readonly first: number
  readonly last: number
}

/** A range extractor that keeps pinned rows. `container` holds rows with `data-index`. */
export function usePinnedRows(container: RefObject<HTMLElement | null>): (range: Range) => number[] {
  const selection = useRef<Pins | null>(null)
  useEffect(() => {
    const onChange = () => {
      selection.current = selectedRows(container.current)
    }
    document.addEventListener('selectionchange', onChange)
    return () => document.removeEventListener('selectionchange', onChange)
  }, [container])
  return useCallback(
    (range) => {
      const indexes = defaultRangeExtractor(range)
      const focused = indexOf(document.activeElement, container.current)
      const pins = [focused === null ? null : { first: focused, last: focused }, selection.current]
      const extra = pins.flatMap((pin) => (pin === null ? [] : between(pin)))
      const kept = extra.filter((index) => index < range.count && !indexes.includes(index))
      return kept.length === 0 ? indexes : [...new Set([...indexes, ...kept])].toSorted((a, b) => a - b)
    },
    [container]
  )
}

/** Index of the row that an element stands in, or null. */
export function indexOf(node: Node | null, container: HTMLElement | null): number | null {
  if (node === null || container === null || !container.contains(node)) return null
  const element = node instanceof Element ? node : node.parentElement
  const index = element?.closest('[data-index]')?.getAttribute('data-index')
  return index === undefined || index === null ? null : Number(index)
}

function selectedRows(container: HTMLElement | null): Pins | null {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return null
  const [a, b] = [indexOf(selection.anchorNode, container), indexOf(selection.focusNode, container)]
  if (a === null && b === null) return null
  const [first, last] = [Math.min(a ?? b ?? 0, b ?? a ?? 0), Math.max(a ?? b ?? 0, b ?? a ?? 0)]
  return last - first > MAX_SELECTED_ROWS ? null : { first, last }
}

function between({ first, last }: Pins): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}
