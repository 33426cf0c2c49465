import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { forTerminal } from './for-terminal'

it.each([
  ['a command whose tail is hidden by colour', 'ls \u001b[8m; rm -rf ~\u001b[0m', 'ls ␛[8m; rm -rf ~␛[0m'],
  ['a command that is written over', 'rm -rf ~\rls', 'rm -rf ~␍ls'],
  ['a clipboard that is written to', '\u001b]52;c;cm0=\u0007', '␛]52;c;cm0=␇'],
  ['a one-byte escape', '\u009b2J', '<U+009B>2J'],
  ['text that runs backwards', 'ls \u202e ~ fr- mr', 'ls <U+202E> ~ fr- mr'],
  ['an erased character', 'rm\u0008\u0008ls\u007f', 'rm␈␈ls␡']
])('A-3 shows %s as it is', (_name, text, shown) => expect(forTerminal(text)).toBe(shown))

it('leaves ordinary text alone, in any script, over several lines', () => {
  const text = 'Grüße\t🌊\n日本語 \u05e9\u05dc\u05d5\u05dd\n'
  expect(forTerminal(text)).toBe(text)
})

it('A-3 lets nothing act on a terminal, whatever the text is', () => {
  const acting = fc.constantFrom('\u001b', '\r', '\b', '\u0000', '\u009b', '\u202e', '\u2066', 'a', '[31m', '\n')
  fc.assert(
    fc.property(fc.array(fc.oneof(acting, fc.string({ unit: 'binary', maxLength: 4 }))), (pieces) => {
      const shown = forTerminal(pieces.join(''))
      expect(shown).not.toMatch(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
      expect(forTerminal(shown)).toBe(shown)
    }),
    { seed: 6001, numRuns: 300 }
  )
})
