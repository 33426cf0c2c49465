// Owns one page of an item's text by UTF-16 offsets (S-7): never between the halves of a pair, never past a number of
// bytes of JSON, always a step ahead. A long stored text is walked through under the call's budget.
import type { ItemSource } from './item-text'
import type { ScanBudget } from './scan-budget'
import type { StoredText, TextMark } from './stored-text'
import { isInsidePair, mended, unitsWithin, wholeIndex } from './well-formed-text'

export interface TextPage {
  /** Halves of pairs that stand alone are replaced. */
  readonly text: string
  readonly offset: number
  /** Null at the end. */
  readonly nextOffset: number | null
  /** Null while a stored text was not read to its end. */
  readonly totalChars: number | null
  /** Set where the budget ran out before the page began: how far the stored text of this source was walked. */
  readonly pending: { readonly source: number; readonly mark: TextMark } | null
}

export interface PageBounds {
  readonly offset: number
  readonly limitChars: number
  /** Of the text inside a JSON string. */
  readonly maxJsonBytes: number
  readonly budget: ScanBudget
}

/** Throws the system's error. */
export function readTextPage(sources: readonly ItemSource[], bounds: PageBounds): TextPage {
  const { limitChars, maxJsonBytes, budget } = bounds
  // One unit before and one behind show whether the page's ends lie in a pair.
  const from = Math.max(0, bounds.offset - 1)
  const { text, isEnd, cutAt } = collect(sources, from, from + limitChars + 2, budget)
  const totalChars = totalOf(sources)
  const start = Math.min(wholeIndex(text, bounds.offset - from), text.length)
  if (start === text.length && cutAt !== null)
    return { text: '', offset: bounds.offset, nextOffset: bounds.offset, totalChars, pending: cutAt }
  if (text === '') return { text, offset: totalChars ?? bounds.offset, nextOffset: null, totalChars, pending: null }
  const wanted = wholeIndex(text, Math.min(text.length, start + limitChars))
  const fitting = start + unitsWithin(text.slice(start, wanted), maxJsonBytes)
  const end = fitting > start ? fitting : Math.min(text.length, start + (isInsidePair(text, start + 1) ? 2 : 1))
  const isAtEnd = end === text.length && isEnd
  return {
    text: mended(text.slice(start, end)),
    offset: from + start,
    nextOffset: isAtEnd ? null : from + end,
    totalChars,
    pending: null
  }
}

interface Collected {
  readonly text: string
  readonly isEnd: boolean
  /** Set where the budget ran out in a stored text. */
  readonly cutAt: TextPage['pending']
}

/** Units `[from, to)` of the joined sources, or less where the item or the budget ends. */
function collect(sources: readonly ItemSource[], from: number, to: number, budget: ScanBudget): Collected {
  let text = ''
  /** Where the present source begins in the item. */
  let base = 0
  for (const [index, source] of sources.entries()) {
    if (index > 0) {
      if (base >= from && base < to) text += '\n'
      base++
    }
    if (base >= to) return { text, isEnd: false, cutAt: null }
    if (source.kind === 'inline') {
      text += source.text.slice(Math.max(0, from - base), to - base)
      base += source.text.length
      continue
    }
    const { stored } = source
    if (stored.chars === null || base + stored.chars > from) {
      const part = collectStored(stored, Math.max(0, from - base), to - base, budget)
      text += part.text
      if (part.mark.char < Math.min(to - base, stored.chars ?? Infinity))
        return { text, isEnd: false, cutAt: { source: index, mark: part.mark } }
      if (stored.chars === null) return { text, isEnd: false, cutAt: null }
    }
    base += stored.chars
  }
  return { text, isEnd: base <= to, cutAt: null }
}

function collectStored(
  stored: StoredText,
  from: number,
  to: number,
  budget: ScanBudget
): { text: string; mark: TextMark } {
  let mark = stored.markBefore(from)
  let text = ''
  for (const piece of stored.pieces(mark, budget)) {
    text += piece.text.slice(Math.max(0, from - piece.from.char), Math.max(0, to - piece.from.char))
    mark = piece.to
    if (mark.char >= to) break
  }
  return { text, mark }
}

function totalOf(sources: readonly ItemSource[]): number | null {
  let total = Math.max(0, sources.length - 1)
  for (const source of sources) {
    const chars = source.kind === 'inline' ? source.text.length : source.stored.chars
    if (chars === null) return null
    total += chars
  }
  return total
}
