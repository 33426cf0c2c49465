// Proves what a search marks (U-7).
import { describe, expect, it } from 'vitest'
import { splitByMatch } from './split-by-match'

const marked = (text: string, query: string) =>
  splitByMatch(text, query).map((piece) => (piece.match ? `[${piece.text}]` : piece.text))

describe('U-7: the match is marked', () => {
  it('finds it whatever its case, and more than once', () => {
    expect(marked('The Retry budget; retry budgets', 'retry BUDGET').join('')).toBe(
      'The [Retry budget]; [retry budget]s'
    )
    expect(marked('ÄRGER und ärger', 'ärger').join('')).toBe('[ÄRGER] und [ärger]')
  })

  it('takes every sign literally', () => {
    expect(marked('a.b (c) [d] {2} $x ^ \\ / - |', '(c) [d] {2} $x ^ \\ / - |').join('')).toBe(
      'a.b [(c) [d] {2} $x ^ \\ / - |]'
    )
    expect(marked('axb', 'a.b')).toEqual(['axb'])
  })

  it('marks nothing for nothing', () => {
    expect(marked('abc', '')).toEqual(['abc'])
    expect(marked('', '')).toEqual([])
  })
})
