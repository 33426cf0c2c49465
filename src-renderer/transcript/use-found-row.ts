// Owns going to a row that somebody looked for: what hides its words opens, it is marked until the focus leaves it.
import { useCallback, useContext, useState } from 'react'
import type { RefObject } from 'react'
import type { Virtualizer } from '@tanstack/react-virtual'
import type { DisplayItem } from '@common/rows/display-items'
import { disclosuresOf, indexOfWords } from './found-row'
import { DisclosureContext } from './use-disclosure'
import { useFoundWords } from './use-found-words'
import type { RowFocusOptions } from './use-row-focus'

export interface FoundRowInput {
  readonly stored: readonly DisplayItem[]
  readonly scroller: RefObject<HTMLElement | null>
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLElement>
  /** Keeps its identity. */
  readonly heightOf: (index: number) => number
  /** Keeps its identity. */
  readonly focusRow: (index: number, options?: RowFocusOptions) => void
}

export interface FoundRow {
  /** Shows, marks and focuses the row, and the words in it if there are any; false when it is not loaded. */
  readonly showRow: (rowId: string, words?: string) => boolean
  /** Key of the marked item, or null. */
  readonly foundKey: string | null
  /** What an item is drawn under: another key where it was opened from outside. */
  readonly drawnKeyOf: (key: string) => string
  /** Tells which item has the focus now. */
  readonly onFocused: (key: string | null) => void
}

/** Share of the view from which on a row counts as high. */
const HIGH_SHARE = 0.6

export function useFoundRow({ stored, scroller, virtualizer, heightOf, focusRow }: FoundRowInput): FoundRow {
  const disclosures = useContext(DisclosureContext)
  const [found, setFound] = useState<{ readonly key: string; readonly words: string } | null>(null)
  const [opened, setOpened] = useState({ key: '', times: 0 })
  useFoundWords(scroller, virtualizer, found)
  const showRow = useCallback(
    (rowId: string, words = '') => {
      const index = indexOfWords(stored, rowId, words)
      const item = stored[index]
      if (item === undefined) return false
      const closed = disclosuresOf(item, words).filter((id) => disclosures.get(id) !== true)
      for (const id of closed) disclosures.set(id, true)
      if (closed.length > 0) setOpened(({ times }) => ({ key: item.key, times: times + 1 }))
      setFound({ key: item.key, words })
      // In the middle, with what stands around it; a high one from its beginning.
      const isHigh = heightOf(index) > HIGH_SHARE * (scroller.current?.clientHeight ?? 0)
      focusRow(index, { align: isHigh ? 'start' : 'center', afterRender: true })
      return true
    },
    [stored, scroller, focusRow, heightOf, disclosures]
  )
  const onFocused = useCallback((key: string | null) => {
    setFound((before) => (before?.key === key ? before : null))
  }, [])
  const drawnKeyOf = (key: string): string => (opened.key === key ? `${key} ${opened.times}` : key)
  return { showRow, foundKey: found?.key ?? null, drawnKeyOf, onFocused }
}
