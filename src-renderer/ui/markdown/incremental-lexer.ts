// Owns how a text becomes Markdown tokens while it grows: what stands before its last two blocks is
// frozen and never lexed again, so a delta costs the same at the end of an answer as at its beginning.
// Invariant: for a settled text the tokens equal those of one lexing from scratch, whatever came before;
// a token that did not change is the same object as before.
import { Lexer } from 'marked'
import type { Token } from 'marked'
import { completeTail } from './complete-tail'

/** Blocks at the end that a next line may still change: the last, and one to be safe. */
const LOOSE_BLOCKS = 2

export interface IncrementalLexer {
  /** Tokens of the whole text. `streaming`: the text still grows, so its end is completed for show. */
  lex(text: string, streaming: boolean, definitions?: string): readonly Token[]
}

interface Frozen {
  /** The text that the frozen tokens cover. */
  readonly text: string
  readonly tokens: readonly Token[]
}

interface Lexed {
  readonly text: string
  readonly streaming: boolean
  readonly definitions: string
  readonly tokens: readonly Token[]
}

const NOTHING: Frozen = { text: '', tokens: [] }

/** A lexer for one text over its life. Asked again for the same text it gives the same list. */
export function createIncrementalLexer(): IncrementalLexer {
  let frozen = NOTHING
  let last: Lexed | null = null
  return {
    lex(text, streaming, definitions = '') {
      if (last?.text === text && last.streaming === streaming && last.definitions === definitions) return last.tokens
      const before = last?.tokens ?? []
      // A settled text is lexed once more in whole: a definition at its end may concern its beginning.
      const tokens = streaming ? lexTail(text) : lexAll(text, definitions)
      const kept = definitions === '' && !tokens.some(isDefinition) ? keepSame(before, tokens) : tokens
      last = { text, streaming, definitions, tokens: kept }
      return kept
    }
  }

  function lexTail(text: string): readonly Token[] {
    if (!text.startsWith(frozen.text)) frozen = NOTHING
    const start = frozen.text.length
    const tail = text.slice(start)
    const tokens = lexBlocks(tail, frozen.tokens)
    const stable = stableCount(tokens)
    const frozenTokens = [...frozen.tokens, ...tokens.slice(0, stable)]
    const stableChars = tokens.slice(0, stable).reduce((sum, token) => sum + token.raw.length, 0)
    const completed = completeTail(tail.slice(stableChars))
    const loose = completed === tail.slice(stableChars) ? tokens.slice(stable) : lexBlocks(completed, frozenTokens)
    frozen = { text: text.slice(0, start + stableChars), tokens: frozenTokens }
    return [...frozenTokens, ...loose]
  }
}

function lexAll(text: string, definitions: string): readonly Token[] {
  if (definitions === '') return lexBlocks(text, [])
  return lexBlocks(text, lexBlocks(definitions, []))
}

function lexBlocks(text: string, before: readonly Token[]): readonly Token[] {
  const lexer = new Lexer({ gfm: true })
  for (const token of before)
    if (token.type === 'def' && !Object.hasOwn(lexer.tokens.links, token['tag']))
      lexer.tokens.links[token['tag']] = { href: token['href'], title: token['title'] }
  return [...lexer.lex(text)]
}

/** How many tokens at the front no further text can change. */
function stableCount(tokens: readonly Token[]): number {
  let loose = LOOSE_BLOCKS
  let count = tokens.length
  while (count > 0) {
    count -= 1
    if (tokens[count]?.type !== 'space') loose -= 1
    if (loose === 0) return count
  }
  return 0
}

/** Without definitions, equal source makes equal tokens; with them, a token may stem from before they were known. */
function keepSame(before: readonly Token[], tokens: readonly Token[]): readonly Token[] {
  return tokens.map((token, index) => {
    const known = before[index]
    return known !== undefined && known.type === token.type && known.raw === token.raw ? known : token
  })
}

function isDefinition(token: Token): boolean {
  return token.type === 'def'
}
