// Owns finding a query in the sources of one item, in order, and the piece of text around the match. A file is read in
// pieces under the call's budget; where that runs out, it says where to go on.
import { SNIPPET_CHARS, SNIPPET_LEAD_CHARS } from '@common/constants'
import type { CompiledQuery } from './compile-query'
import type { ItemSource } from './item-text'
import type { ScanBudget } from './scan-budget'
import type { TextMark, TextPiece } from './stored-text'
import { wholeIndex } from './well-formed-text'

export interface SourceMatch {
  readonly toolName: string | null
  readonly snippet: string
  /** In the snippet. */
  readonly index: number
  readonly length: number
  /** In the item's text; null where an earlier source's length is not known. */
  readonly itemOffset: number | null
}

/** A place in a file source; `itemOffset` is where that source begins in the item's text, null where not known. */
export interface SourcePlace {
  readonly source: number
  readonly mark: TextMark
  readonly itemOffset: number | null
}

export type SourceSearch =
  | { readonly kind: 'match'; readonly match: SourceMatch }
  | { readonly kind: 'none' }
  /** The budget is used up. */
  | { readonly kind: 'more'; readonly place: SourcePlace }

/** The first match from `from` on. Throws the system's error. */
export function searchSources(
  sources: readonly ItemSource[],
  query: CompiledQuery,
  budget: ScanBudget,
  from: SourcePlace | null
): SourceSearch {
  let itemOffset: number | null = from === null ? 0 : from.itemOffset
  for (const [index, source] of sources.entries()) {
    if (index < (from?.source ?? 0)) continue
    if (source.kind === 'inline') {
      const match = query.find(source.text, source.form)
      if (match !== null) return found(source, source.text, match, itemOffset)
      itemOffset = itemOffset === null ? null : itemOffset + source.text.length + 1
      continue
    }
    const mark = from?.source === index ? from.mark : { byte: 0, char: 0 }
    const inFile = searchFile(source, query, budget, mark, itemOffset)
    if (inFile.kind === 'more') return { kind: 'more', place: { source: index, mark: inFile.mark, itemOffset } }
    if (inFile.kind === 'match') return inFile
    itemOffset = itemOffset === null || source.stored.chars === null ? null : itemOffset + source.stored.chars + 1
  }
  return { kind: 'none' }
}

type FileSource = Extract<ItemSource, { kind: 'file' }>
type FileSearch = Exclude<SourceSearch, { kind: 'more' }> | { readonly kind: 'more'; readonly mark: TextMark }

function searchFile(
  source: FileSource,
  query: CompiledQuery,
  budget: ScanBudget,
  from: TextMark,
  itemOffset: number | null
): FileSearch {
  const pieces = source.stored.pieces(from, budget)
  let end = from
  /** The end of what was looked at: a match may begin in it. It is long enough to lead a snippet, too. */
  let tail = ''
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    const piece: TextPiece = next.value
    end = piece.to
    const text = tail + piece.text
    const match = query.find(text, source.form)
    if (match !== null) {
      const behind = text.length < match.index + SNIPPET_CHARS ? pieces.next() : null
      const whole = behind === null || behind.done === true ? text : text + behind.value.text
      const textOffset = itemOffset === null ? null : itemOffset + piece.from.char - tail.length
      return found(source, whole, match, textOffset)
    }
    const keep = Math.max(query.maxMatchChars - 1, SNIPPET_LEAD_CHARS)
    tail = text.slice(wholeIndex(text, Math.max(0, text.length - keep)))
  }
  if (end.byte >= source.stored.bytes) return { kind: 'none' }
  return { kind: 'more', mark: end === from ? from : resumeMark(source, end, tail, query.maxMatchChars) }
}

/** So far before the end that a match over it is seen. */
function resumeMark({ stored }: FileSource, end: TextMark, tail: string, maxMatchChars: number): TextMark {
  const overlap = tail.slice(wholeIndex(tail, Math.max(0, tail.length - maxMatchChars)))
  // What was no UTF-8 in the file has another length there; a whole piece is read again then.
  if (overlap.includes('\ufffd')) return stored.markBefore(Math.max(0, end.char - maxMatchChars))
  return { byte: end.byte - Buffer.byteLength(overlap), char: end.char - overlap.length }
}

function found(
  { toolName }: ItemSource,
  text: string,
  match: { readonly index: number; readonly length: number },
  textOffset: number | null
): Extract<SourceSearch, { kind: 'match' }> {
  const start = wholeIndex(text, Math.max(0, match.index - SNIPPET_LEAD_CHARS))
  const snippet = text.slice(start, wholeIndex(text, start + SNIPPET_CHARS))
  return {
    kind: 'match',
    match: {
      toolName,
      snippet,
      index: match.index - start,
      length: match.length,
      itemOffset: textOffset === null ? null : textOffset + match.index
    }
  }
}
