import { readFileSync } from 'node:fs'
import { get_encoding } from 'tiktoken'
import { afterAll, describe, expect, it } from 'vitest'
import { COUNTING_CHUNK_CHARS, COUNTING_CHUNK_SLACK_TOKENS, COUNTING_MAX_RUN_BYTES } from '@common/constants'
import { ok } from '@common/result'
import { countEach, countTokens } from './count-tokens'
import type { EncodingName } from './encodings'
import { resolveEncoding } from './encodings'

const ENCODINGS: EncodingName[] = ['o200k_base', 'cl100k_base']
const SOURCE = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8').slice(0, 60_000)
const ENGLISH =
  'A token budget is only as honest as its count; it’s better to be told early than to be cut off. '.repeat(400)

const encoders = new Map(ENCODINGS.map((encoding) => [encoding, get_encoding(encoding)]))
afterAll(() => {
  for (const encoder of encoders.values()) encoder.free()
})

/** The exact count. */
function exactCount(text: string, encoding: EncodingName): number {
  return encoders.get(encoding)?.encode(text, [], []).length ?? Number.NaN
}

describe('countTokens', () => {
  it.each(ENCODINGS)('P-3 equals tiktoken %s on a text of one chunk', (encoding) => {
    for (const text of [
      '',
      'hello world',
      ENGLISH.slice(0, 4_000),
      SOURCE.slice(0, 4_000),
      '<|endoftext|>',
      '你好，世界 👋'
    ]) {
      expect(countTokens(text, encoding)).toEqual(ok(exactCount(text, encoding)))
    }
  })

  it.each(ENCODINGS)(
    'P-3 is never below tiktoken %s on longer texts, and above it by the slack at most',
    (encoding) => {
      for (const text of [ENGLISH, SOURCE, JSON.stringify({ text: SOURCE })]) {
        const exact = exactCount(text, encoding)
        const chunks = Math.ceil(text.length / COUNTING_CHUNK_CHARS)
        const counted = valueOf(countTokens(text, encoding))
        expect(counted).toBeGreaterThanOrEqual(exact)
        expect(counted).toBeLessThanOrEqual(exact + 2 * chunks * COUNTING_CHUNK_SLACK_TOKENS)
      }
    }
  )

  it('P-3 is never below tiktoken where runs are cut', () => {
    for (const text of ['a', ' ', '\n', '=', '的', 'ß', 'é', '\u3000', 'ab', '\ud800'].map((unit) =>
      unit.repeat(1_200)
    )) {
      expect(valueOf(countTokens(text, 'o200k_base'))).toBeGreaterThanOrEqual(exactCount(text, 'o200k_base'))
    }
  })

  it('P-3 is never above the bytes of the text', () => {
    const jumble = Array.from({ length: 9_000 }, (_, index) => String.fromCharCode(1 + ((index * 7_919) % 31))).join('')
    expect(valueOf(countTokens(jumble, 'o200k_base'))).toBeLessThanOrEqual(Buffer.byteLength(jumble))
  })

  it('F-9 gives the tokenizer work that grows with the text, not with its square', () => {
    const costOf = (text: string): number => {
      let cost = 0
      countTokens(text, 'o200k_base', () => (part) => {
        cost += Buffer.byteLength(part) ** 2
        return part.length
      })
      return cost
    }
    for (const unit of ['a', ' ', '的', 'ก', '!。']) {
      const small = costOf(unit.repeat(20_000))
      expect(costOf(unit.repeat(320_000))).toBeLessThanOrEqual(16 * small * 1.05)
      expect(small).toBeLessThanOrEqual(Buffer.byteLength(unit.repeat(20_000)) * COUNTING_MAX_RUN_BYTES)
    }
  })

  it('P-3 says so when the encoder throws, and counts the next text again', () => {
    const failing = countTokens('text', 'cl100k_base', () => () => {
      throw new Error('unreachable')
    })
    expect(failing).toEqual({
      ok: false,
      error: { kind: 'encoder_failed', message: 'The tokenizer cl100k_base failed: unreachable.' }
    })
    expect(countEach(['text', 'more text'], 'cl100k_base')).toEqual(ok([1, 2]))
  })
})

describe('resolveEncoding', () => {
  it('P-3 marks a tokenizer that is not public as estimated by its stand-in', () => {
    expect(resolveEncoding('cl100k_base')).toEqual({ encoding: 'cl100k_base', estimated: false })
    expect(resolveEncoding('claude')).toEqual({ encoding: 'o200k_base', estimated: true })
  })
})

function valueOf(count: ReturnType<typeof countTokens>): number {
  if (!count.ok) throw new Error(count.error.message)
  return count.value
}
