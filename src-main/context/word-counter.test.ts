import fc from 'fast-check'
import { get_encoding } from 'tiktoken'
import { describe, expect, it } from 'vitest'
import { inForm } from '../history/testing/long-form'
import type { EncodingName } from './encodings'
import { createWordCounter } from './word-counter'
import type { Encoder } from './word-counter'

const ENCODINGS: EncodingName[] = ['o200k_base', 'cl100k_base']

const exact = new Map(ENCODINGS.map((encoding) => [encoding, get_encoding(encoding)]))

function encoderOf(encoding: EncodingName): Encoder {
  const encoder = exact.get(encoding)
  if (encoder === undefined) throw new Error(encoding)
  return encoder
}

/** An encoder that notes the length of each text it is given. */
function noted(encoding: EncodingName): { encoder: Encoder; lengths: number[] } {
  const lengths: number[] = []
  return {
    lengths,
    encoder: {
      encode(text, allowed, disallowed) {
        lengths.push(text.length)
        return encoderOf(encoding).encode(text, allowed, disallowed)
      }
    }
  }
}

/** Separated by a bar, which stands for itself too. */
const WORDS =
  "'s|'LL|'ſ|don|HTMLElement|éÀé|привет|ΑΒγ|123456|½|²|ªº|的|😀|👩🏽‍💻|✓️|/|//|\"|—|…|<\\|endoftext\\|>|<\\||\\|>|endoftext|<|\\|endoftext"
const SPACES = [
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\u00a0',
  '\u0085',
  '\u2028',
  '\u202f',
  '\u200b',
  '\ufeff',
  '\u0301',
  '\ud800'
]

const word = fc.oneof(
  fc.constantFrom(...WORDS.split(/(?<!\\)\|/).map((each) => each.replaceAll('\\|', '|'))),
  fc.constantFrom(...SPACES),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.integer({ min: 0, max: 0x24f }).map((code) => String.fromCharCode(code))
)

describe.each(ENCODINGS)('words of %s', (encoding) => {
  it('P-3 count as the tokenizer counts the whole, for any text', () => {
    const count = createWordCounter(encoding, encoderOf(encoding))
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''))
    fc.assert(
      fc.property(text, (part) => {
        // Twice as long, so that words repeat and are looked up.
        for (const whole of [part, part + part, `${part} ${part}\n${part}`])
          expect(count(whole)).toBe(encoderOf(encoding).encode(whole, [], []).length)
      }),
      { seed: 20_262, numRuns: inForm({ quick: 100, full: 500, long: 20_000 }) }
    )
  })

  it('P-3 count as the tokenizer does around every code point of the stable blocks', () => {
    const count = createWordCounter(encoding, encoderOf(encoding))
    const ranges = [
      [0, 0x24f],
      [0x391, 0x3c9],
      [0x400, 0x4ff],
      [0x2000, 0x206f],
      [0x2190, 0x27bf],
      [0x1f300, 0x1faff]
    ]
    const different: string[] = []
    for (const [from = 0, to = 0] of ranges) {
      for (let code = from; code <= to; code += inForm({ quick: 5, full: 1, long: 1 })) {
        const c = String.fromCodePoint(code)
        const text = `a${c}b A${c}B ${c}1${c}2 ${c}${c}\n${c} ! ${c}!${c} '${c} a'${c} aA${c}aA${c} `
        if (count(text + text) !== encoderOf(encoding).encode(text + text, [], []).length) different.push(c)
      }
    }
    expect(different).toEqual([])
  })

  it('F-8 encode a word of ordinary text once', () => {
    const { encoder, lengths } = noted(encoding)
    const count = createWordCounter(encoding, encoder)
    const text = 'const total = items.reduce((sum, item) => sum + item.tokens, 0)\n'.repeat(20)
    const tokens = count(text)
    lengths.length = 0
    expect(count(text)).toBe(tokens)
    expect(lengths).toEqual([])
    expect(count(`${text}an unseen word`.repeat(2))).toBe(
      encoderOf(encoding).encode(`${text}an unseen word`.repeat(2), [], []).length
    )
    expect(lengths).toHaveLength(1)
  })

  it('F-9 give text without repeated words to the tokenizer once and whole', () => {
    const { encoder, lengths } = noted(encoding)
    const count = createWordCounter(encoding, encoder)
    const text = Array.from(
      { length: 300 },
      (_, index) => ` w${String.fromCharCode(97 + (index % 26))}${(index * 7_919).toString(36).replace(/\d/g, 'q')}`
    ).join('')
    lengths.length = 0
    count(text)
    expect(lengths).toEqual([text.length])
  })
})
