// A growing text: the end result equals one lexing from scratch, and what is settled is never lexed again.
import * as fc from 'fast-check'
import { Lexer } from 'marked'
import { describe, expect, it } from 'vitest'
import { createIncrementalLexer } from './incremental-lexer'

const piece = fc.constantFrom(
  'A paragraph with *emphasis* and `code`.\n\n',
  'One line\n',
  '# Heading\n\n',
  '- a\n- b\n\n',
  '- a\n\n  more\n',
  '1. one\n2. two\n\n',
  '```ts\nconst a = 1\n\nconst b = 2\n```\n\n',
  '```\nopen\n',
  '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n',
  '> quote\nlazy\n\n',
  '<div>\nhtml\n</div>\n\n',
  '---\n',
  '===\n',
  '    indented\n\n',
  'See [x] and [y][x].\n\n',
  '[x]: https://example.org "t"\n',
  '\n',
  '-',
  '**',
  '|'
)
const document = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))

describe('createIncrementalLexer', () => {
  it('ends where a lexing from scratch ends, however the text came in (fuzz)', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(40), { maxLength: 40 }), (text, steps) => {
        const lexer = createIncrementalLexer()
        let at = 0
        for (const step of steps) {
          at = Math.min(text.length, at + step)
          lexer.lex(text.slice(0, at), true)
        }
        expect(lexer.lex(text, false)).toEqual([...new Lexer({ gfm: true }).lex(text)])
      }),
      { seed: 20_260_4, numRuns: 400 }
    )
  })

  it('while streaming freezes only what a lexing from scratch gives too (fuzz)', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 30 }), (text, step) => {
        const lexer = createIncrementalLexer()
        for (let at = 0; at <= text.length; at += step) lexer.lex(text.slice(0, at), true)
        const tokens = lexer.lex(text, true)
        // Definitions that come later are taken in when the text settles.
        const scratch = [...new Lexer({ gfm: true }).lex(text)]
        const blocks = scratch.filter((token) => token.type !== 'space').length
        for (let index = 0; index < scratch.length - 6 && index < blocks - 2; index += 1)
          expect(tokens[index]?.raw).toBe(scratch[index]?.raw)
      }),
      { seed: 20_260_5, numRuns: 300 }
    )
  })

  it('keeps the objects of settled blocks from delta to delta (F-14)', () => {
    const lexer = createIncrementalLexer()
    const settled = 'One.\n\nTwo.\n\nThree.\n\n'
    const first = lexer.lex(`${settled}Four`, true)
    const second = lexer.lex(`${settled}Four goes on`, true)
    expect(second.slice(0, 5).map((token, index) => token === first[index])).toEqual([true, true, true, true, true])
    expect(second.at(-1)).not.toBe(first.at(-1))
    const third = lexer.lex(`${settled}Four goes on`, false)
    expect(third.every((token, index) => token === second[index])).toBe(true)
  })

  it('takes in a definition that comes after its use, once the text is settled', () => {
    const lexer = createIncrementalLexer()
    lexer.lex('See [x].\n\nMore.\n\nMore.\n\n', true)
    const tokens = lexer.lex('See [x].\n\nMore.\n\nMore.\n\n[x]: https://example.org\n', false)
    expect(JSON.stringify(tokens[0])).toContain('https://example.org')
  })

  it('uses definitions that stand in another piece of the text', () => {
    const tokens = createIncrementalLexer().lex('See [x].', false, '[x]: https://example.org')
    expect(JSON.stringify(tokens[0])).toContain('https://example.org')
  })
})
