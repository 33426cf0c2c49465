// Owns the fast exact count of ordinary text: a tokenizer never merges across the words that its own pattern
// splits off, so a word counted once is looked up from then on. Text whose split could depend on the version
// of Unicode goes to the tokenizer whole, and so does text that hardly repeats a word (base64).
import type { EncodingName } from './encodings'

/** The part of tiktoken that is used. */
export interface Encoder {
  encode(text: string, allowedSpecial: string[], disallowedSpecial: string[]): ArrayLike<number>
}

/** Six megabytes of words at most; a working set of code has ten thousand. */
const MAX_WORDS = 65_536
/** Longer ones hardly ever come again. */
const MAX_WORD_CHARS = 64
/** In both encodings; splits a batch of words where nothing merges across. No word can hold it. */
const SEPARATOR = '<|endoftext|>'

const ASCII = /^[\0-\x7f]*$/
/** Blocks whose classes no Unicode version changes: Latin, Greek, Cyrillic, punctuation, symbols, emoji. Not U+017F, which folds to s. */
const STABLE =
  /^[\ufe0f\0-\u017e\u0180-\u024f\u0391-\u03a1\u03a3-\u03c9\u0400-\u0481\u048a-\u04ff\u2000-\u206f\u2190-\u23ff\u2500-\u27bf\u{1f300}-\u{1faff}]*$/u

/** The encodings' own patterns (tiktoken's registry), and what they come to for ASCII alone, four times as fast. */
const WORDS: Record<EncodingName, { readonly ascii: RegExp; readonly stable: RegExp }> = {
  o200k_base: {
    ascii:
      /[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?|[^\r\nA-Za-z0-9]?[A-Z]+[a-z]*(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?|[0-9]{1,3}| ?[^\t-\r A-Za-z0-9]+[\r\n/]*|[\t-\r ]*[\r\n]+|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+/g,
    stable:
      /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n/]*|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu
  },
  cl100k_base: {
    ascii:
      /'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])|[^\r\nA-Za-z0-9]?[A-Za-z]+|[0-9]{1,3}| ?[^\t-\r A-Za-z0-9]+[\r\n]*|[\t-\r ]*[\r\n]+|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+/g,
    stable:
      /'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu
  }
}

/** A function that gives the tokens of a text: the length of `encoder.encode(text, [], [])`, sooner. */
export function createWordCounter(encoding: EncodingName, encoder: Encoder): (text: string) => number {
  const known = new Map<string, number>()
  const patterns = WORDS[encoding]
  const separatorToken = encoder.encode(SEPARATOR, [SEPARATOR], [])[0]

  /** Tokens of each word, in one call of the tokenizer. */
  function countWords(words: readonly string[]): number[] {
    const counts = [0]
    const tokens = encoder.encode(words.join(SEPARATOR), [SEPARATOR], [])
    for (let index = 0; index < tokens.length; index++) {
      if (tokens[index] === separatorToken) counts.push(0)
      else counts[counts.length - 1]!++
    }
    if (counts.length !== words.length) throw new Error('a batch of words came back in another number')
    return counts
  }

  function learn(word: string, tokens: number): void {
    if (word.length > MAX_WORD_CHARS) return
    if (known.size >= MAX_WORDS) known.clear()
    // A copy: the word is a slice that would keep the whole text alive.
    known.set(Buffer.from(word).toString(), tokens)
  }

  return (text) => {
    const pattern = ASCII.test(text) ? patterns.ascii : STABLE.test(text) ? patterns.stable : null
    const words = pattern === null ? null : text.match(pattern)
    if (words === null) return encoder.encode(text, [], []).length
    let tokens = 0
    const unknown = new Map<string, number>()
    for (const word of words) {
      const count = known.get(word)
      if (count === undefined) unknown.set(word, (unknown.get(word) ?? 0) + 1)
      else tokens += count
    }
    if (unknown.size * 2 > words.length) return encoder.encode(text, [], []).length
    if (unknown.size === 0) return tokens
    const counts = countWords([...unknown.keys()])
    for (const [index, [word, times]] of [...unknown].entries()) {
      const count = counts[index] ?? 0
      learn(word, count)
      tokens += count * times
    }
    return tokens
  }
}
