// Owns what a query means: the text as it is, any case of it. In stored JSON it is found in both spellings, as typed
// and as JSON writes it inside a string (`"` as `\"`), so that quotes and line breaks need no thought.
import { escapeExpression } from './fold-variants'
import { needleOf, type QueryNeedle } from './query-needle'

export interface TextMatch {
  /** In UTF-16 units. */
  readonly index: number
  readonly length: number
}

export interface CompiledQuery {
  readonly needle: QueryNeedle
  /** Units of text that one match may span at most. */
  readonly maxMatchChars: number
  /** The first match; `form` says what the text is. */
  find(text: string, form: 'text' | 'json'): TextMatch | null
}

let last: { readonly query: string; readonly compiled: CompiledQuery } | null = null

/** `query` is not empty. Every page of a search asks for the same one again. */
export function compileQuery(query: string): CompiledQuery {
  if (last?.query !== query) last = { query, compiled: compiled(query) }
  return last.compiled
}

function compiled(query: string): CompiledQuery {
  const plain = new RegExp(escapeExpression(query), 'iu')
  const escaped = JSON.stringify(query).slice(1, -1)
  const inJson = escaped === query ? null : new RegExp(escapeExpression(escaped), 'iu')
  return {
    needle: needleOf(query),
    maxMatchChars: escaped.length,
    find(text, form) {
      const first = matchOf(plain, text)
      if (form === 'text' || inJson === null) return first
      const second = matchOf(inJson, text)
      if (first === null || second === null) return first ?? second
      return second.index < first.index ? second : first
    }
  }
}

function matchOf(expression: RegExp, text: string): TextMatch | null {
  const match = expression.exec(text)
  return match === null ? null : { index: match.index, length: match[0].length }
}
