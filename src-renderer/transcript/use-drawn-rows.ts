// Owns which rows are mounted: those in view, as many around them as a wheel step reaches, and those that
// must stay though they scrolled away: the row with the focus, and the rows that a text selection spans
// (without it the browser drops both).
import { useCallback, useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { Range } from '@tanstack/react-virtual'

/** Rows are mounted this far beyond the view on each side, in views; at least one row. */
const AHEAD_VIEWS = 0.25
/** No row is lower; one that is not known yet counts as this. */
const LEAST_HEIGHT_PX = 24
/** A selection over more rows than this is not held: it would mount the whole history. */
const MAX_SELECTED_ROWS = 200

interface Span {
  readonly first: number
  readonly last: number
}

/** A range extractor. `scroller` holds rows with `data-index`; `heightOf` is a row's height so far, in pixels. */
export function useDrawnRows(
  scroller: RefObject<HTMLElement | null>,
  heightOf: (index: number) => number
): (range: Range) => number[] {
  const selection = useRef<Span | null>(null)
  useEffect(() => {
    const onChange = () => {
      selection.current = selectedRows(scroller.current)
    }
    document.addEventListener('selectionchange', onChange)
    return () => document.removeEventListener('selectionchange', onChange)
  }, [scroller])
  return useCallback(
    (range) => {
      const ahead = AHEAD_VIEWS * (scroller.current?.clientHeight ?? 0)
      const spans = [aroundView(range, ahead, heightOf)]
      const focused = indexOf(document.activeElement, scroller.current)
      if (focused !== null) spans.push({ first: focused, last: focused })
      if (selection.current !== null) spans.push(selection.current)
      return indexesOf(spans, range.count)
    },
    [scroller, heightOf]
  )
}

/** Index of the row that a node stands in, or null. */
export function indexOf(node: Node | null, scroller: HTMLElement | null): number | null {
  if (node === null || scroller === null || !scroller.contains(node)) return null
  const element = node instanceof Element ? node : node.parentElement
  const index = element?.closest('[data-index]')?.getAttribute('data-index')
  return index === undefined || index === null ? null : Number(index)
}

function aroundView(range: Range, aheadPx: number, heightOf: (index: number) => number): Span {
  const height = (index: number) => Math.max(LEAST_HEIGHT_PX, heightOf(index))
  let first = range.startIndex
  for (let px = 0; first > 0 && px < aheadPx; px += height(first)) first -= 1
  let last = range.endIndex
  for (let px = 0; last < range.count - 1 && px < aheadPx; px += height(last)) last += 1
  return { first, last }
}

/** The indexes of all spans, ascending, each once. */
export function indexesOf(spans: readonly Span[], count: number): number[] {
  const indexes = new Set<number>()
  for (const { first, last } of spans)
    for (let index = Math.max(0, first); index <= last && index < count; index += 1) indexes.add(index)
  return [...indexes].toSorted((a, b) => a - b)
}

function selectedRows(scroller: HTMLElement | null): Span | null {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return null
  const anchor = indexOf(selection.anchorNode, scroller)
  const focus = indexOf(selection.focusNode, scroller)
  if (anchor === null && focus === null) return null
  const span = { first: Math.min(anchor ?? Infinity, focus ?? Infinity), last: Math.max(anchor ?? 0, focus ?? 0) }
  return span.last - span.first > MAX_SELECTED_ROWS ? null : span
}
