// Long texts are cut where each piece stands alone, and a growing text keeps its cuts.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGrowingSplitter, linkDefinitionsOf, splitMarkdown } from './split-markdown'

const line = fc.constantFrom(
  '',
  '',
  'A paragraph.',
  '- item',
  '  more of it',
  '1. one',
  '```',
  '```ts',
  '~~~',
  '> quote',
  '    code',
  '# Title'
)
const document = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'))

describe('splitMarkdown', () => {
  it('gives back the text when the pieces are joined (fuzz)', () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(splitMarkdown(text, 20).join('')).toBe(text)
      }),
      { seed: 20_260_2 }
    )
  })

  it('keeps its cuts while the text grows (fuzz)', () => {
    fc.assert(
      fc.property(document, fc.nat(), (text, at) => {
        const before = splitMarkdown(text.slice(0, at % (text.length + 1)), 20)
        const after = splitMarkdown(text, 20)
        expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      }),
      { seed: 20_260_3 }
    )
  })

  it('gives the same pieces when it follows a growing text (fuzz)', () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 3 }), fc.integer({ min: 1, max: 15 }), (texts, step) => {
        const split = createGrowingSplitter(20)
        for (const text of texts)
          for (let at = 0; at <= text.length; at += step)
            expect(split(text.slice(0, at))).toEqual(splitMarkdown(text.slice(0, at), 20))
      }),
      { seed: 20_260_8 }
    )
  })

  it('never cuts inside a fence, a list or an indented block', () => {
    const text = '```\none\n\ntwo\n\nthree\n```\n\n- a\n\n  b\n\n- c\n\n    d\n\nEnd of it.\n'
    expect(splitMarkdown(text, 1)).toEqual([
      '```\none\n\ntwo\n\nthree\n```\n\n- a\n\n  b\n\n- c\n\n    d\n\n',
      'End of it.\n'
    ])
  })

  it('leaves a short text whole', () => {
    expect(splitMarkdown('a\n\nb\n')).toEqual(['a\n\nb\n'])
  })
})

describe('linkDefinitionsOf', () => {
  it('collects link definitions and passes over footnotes', () => {
    expect(linkDefinitionsOf('See [x].\n\n[x]: https://example.org\n[^1]: note\n')).toBe('[x]: https://example.org')
  })
})
