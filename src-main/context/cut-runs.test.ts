import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COUNTING_CHUNK_CHARS, COUNTING_MAX_RUN_BYTES } from '@common/constants'
import { isLong } from '../history/testing/long-form'
import { cutText } from './cut-runs'

const MIB = 1024 * 1024

/** Texts of one megabyte without the breaks that a splitter needs. */
const PATHOLOGICAL: Record<string, string> = {
  'one letter': 'a'.repeat(MIB),
  spaces: ' '.repeat(MIB),
  newlines: '\n'.repeat(MIB),
  punctuation: '='.repeat(MIB),
  'CJK without breaks': '的'.repeat(MIB / 3),
  'marks on one letter': `a${'\u0301'.repeat(MIB / 2)}`,
  emoji: '😀'.repeat(MIB / 4),
  'two spaces of different width': ' \u3000'.repeat(MIB / 4),
  'two signs of different width': '!。'.repeat(MIB / 4),
  'unassigned code points among letters': 'a\u{3fffe}'.repeat(MIB / 5),
  'lone surrogates': '\ud800'.repeat(MIB / 3)
}

describe('cutText', () => {
  it.each(Object.entries(PATHOLOGICAL))('F-9 keeps every run of %s at 256 bytes, in few parts', (_name, text) => {
    const { parts, chunks } = cutText(text)
    expect(parts.join('') === text).toBe(true)
    const longest = Math.max(...parts.map((part) => Buffer.byteLength(part)))
    expect(longest).toBeLessThanOrEqual(COUNTING_MAX_RUN_BYTES)
    // A linear number of parts of bounded length is linear work, even for a quadratic tokenizer.
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(Buffer.byteLength(text) / (COUNTING_MAX_RUN_BYTES - 4)) + chunks)
  })

  it('P-3 gives no part over 4 096 characters and none that ends inside a code point', () => {
    const text = 'a 😀'.repeat(5_000)
    const { parts, chunks } = cutText(text)
    expect(chunks).toBe(Math.ceil(text.length / COUNTING_CHUNK_CHARS))
    for (const [index, part] of parts.entries()) {
      expect(part.length).toBeLessThanOrEqual(COUNTING_CHUNK_CHARS)
      expect(splitsPair(part, parts[index + 1])).toBe(false)
    }
  })

  it('leaves a short text as its only part', () => {
    expect(cutText('const x = 1\n')).toEqual({ parts: ['const x = 1\n'], chunks: 1 })
    expect(cutText('')).toEqual({ parts: [''], chunks: 1 })
  })

  it('does not cut ordinary words, digits or indentation', () => {
    const digits = '0123456789'.repeat(400)
    expect(cutText(digits).parts).toHaveLength(1)
    const russian = 'Каждое слово отделено пробелом. '.repeat(60)
    expect(cutText(russian).parts).toHaveLength(1)
  })

  it('P-3 loses and adds nothing, whatever the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.tuple(fc.constantFrom('a', ' ', '的', '!', '😀', '\ud800', '\udc00', '\u0301'), fc.nat(5_000)).map(repeated)
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        const { parts, chunks } = cutText(text)
        expect(parts.join('') === text).toBe(true)
        expect(parts.every((part) => part.length <= COUNTING_CHUNK_CHARS)).toBe(true)
        expect(chunks).toBeLessThanOrEqual(parts.length)
        for (const [index, part] of parts.entries()) expect(splitsPair(part, parts[index + 1])).toBe(false)
      }),
      { seed: 20_260, numRuns: isLong ? 2_000 : 150 }
    )
  })
})

function repeated([text, times]: [string, number]): string {
  return text.repeat(times)
}

function splitsPair(part: string, next: string | undefined): boolean {
  return next !== undefined && /[\ud800-\udbff]$/.test(part) && /^[\udc00-\udfff]/.test(next)
}
