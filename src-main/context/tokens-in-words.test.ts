import { expect, it } from 'vitest'
import { tokensInWords } from './tokens-in-words'

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1k'],
  [23_600, '24k'],
  [999_499, '999k'],
  [999_500, '1M'],
  [1_000_000, '1M'],
  [1_234_567, '1.2M'],
  [2_000_000, '2M']
])('%i tokens read as %s', (tokens, words) => expect(tokensInWords(tokens)).toBe(words))
