// How numbers read.
import { describe, expect, it } from 'vitest'
import { bytesText, costText, countText, durationText, elapsedText, tokensText } from './format'

describe('format', () => {
  it.each([
    [0, '0.0 s'],
    [420, '0.4 s'],
    [9_949, '9.9 s'],
    [9_960, '10 s'],
    [59_499, '59 s'],
    [59_500, '1 min 00 s'],
    [125_000, '2 min 05 s'],
    [3_780_000, '1 h 03 min']
  ])('durationText(%d) is %s', (durationMs, text) => expect(durationText(durationMs)).toBe(text))

  it.each([
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min 00 s']
  ])('elapsedText(%d) is %s', (elapsedMs, text) => expect(elapsedText(elapsedMs)).toBe(text))

  it.each([
    [0, '$0'],
    [0.00004, '<$0.0001'],
    [0.0023, '$0.0023'],
    [0.414, '$0.41'],
    [12, '$12.00']
  ])('costText(%d) is %s', (costUsd, text) => expect(costText(costUsd)).toBe(text))

  it.each([
    [950, '950'],
    [1_000, '1k'],
    [18_240, '18.2k'],
    [182_000, '182k'],
    [999_960, '1M'],
    [1_240_000, '1.2M']
  ])('tokensText(%d) is %s', (tokens, text) => expect(tokensText(tokens)).toBe(text))

  it.each([
    [512, '512 B'],
    [1_434, '1.4 KB'],
    [33_554_432, '32 MB']
  ])('bytesText(%d) is %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))

  it('counts with a noun', () => {
    expect(countText(1, 'match', 'matches')).toBe('1 match')
    expect(countText(1_200, 'line')).toBe('1,200 lines')
  })
})
