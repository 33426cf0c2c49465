// Proves what asks for a list in the composer (U-8).
import { describe, expect, it } from 'vitest'
import { replaceToken, tokenAtCaret } from './token-at-caret'

describe('U-8: the word at the caret', () => {
  it('finds a file word anywhere, up to the caret', () => {
    expect(tokenAtCaret('see @src/a', 10)).toEqual({ kind: 'file', query: 'src/a', from: 4, to: 10 })
    expect(tokenAtCaret('see @src/a', 6)).toEqual({ kind: 'file', query: 's', from: 4, to: 6 })
    expect(tokenAtCaret('@', 1)).toEqual({ kind: 'file', query: '', from: 0, to: 1 })
  })

  it('takes no address of a person and no finished word for one', () => {
    expect(tokenAtCaret('mail ada@example.org', 20)).toBeNull()
    expect(tokenAtCaret('see @src/a then', 15)).toBeNull()
  })

  it('finds a file word with spaces behind an open quote', () => {
    expect(tokenAtCaret('see @"my no', 11)).toEqual({ kind: 'file', query: 'my no', from: 4, to: 11 })
    expect(tokenAtCaret('see @"my notes.md"', 18)).toBeNull()
  })

  it('finds a command only at the start of the text', () => {
    expect(tokenAtCaret('/co', 3)).toEqual({ kind: 'command', query: 'co', from: 0, to: 3 })
    expect(tokenAtCaret('/über.b', 7)).toEqual({ kind: 'command', query: 'über.b', from: 0, to: 7 })
    expect(tokenAtCaret('a /co', 5)).toBeNull()
    expect(tokenAtCaret('/usr/bin', 8)).toBeNull()
  })

  it('puts the choice in place with one space after it', () => {
    const token = tokenAtCaret('see @ap and', 7)
    if (token === null) throw new Error('there is a token')
    expect(replaceToken('see @ap and', token, '@src/app.ts')).toEqual({ text: 'see @src/app.ts and', caret: 16 })
    expect(replaceToken('see @ap', { ...token, to: 7 }, '@src/app.ts')).toEqual({ text: 'see @src/app.ts ', caret: 16 })
  })
})
