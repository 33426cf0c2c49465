import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inForm } from '../history/testing/long-form'
import { compileQuery } from './compile-query'
import { foldVariants } from './fold-variants'
import { lineFilterFor } from './line-filter'

/** Does the filter let a line of these bytes pass for this query? */
function passes(line: string, query: string): boolean {
  const filter = lineFilterFor(compileQuery(query), false)
  const bytes = Buffer.from(line)
  filter.buffer.set(bytes, 64)
  return filter.passes(64, 64 + bytes.length)
}

function finds(text: string, query: string): string | null {
  const match = compileQuery(query).find(text, 'text')
  return match === null ? null : text.slice(match.index, match.index + match.length)
}

test('S-6 a query is literal, and any case of it', () => {
  expect(finds('use a.*b here', 'A.*B')).toBe('a.*b')
  expect(finds('use axxb here', 'a.*b')).toBeNull()
  expect(finds('GRÖSSE und Größe', 'größe')).toBe('Größe')
  expect(finds('ПРИВЕТ, мир', 'привет')).toBe('ПРИВЕТ')
  expect(finds('日本語', '本')).toBe('本')
  expect(finds('a 🌊 wave', '🌊')).toBe('🌊')
  expect(finds('x\ny', 'X\nY')).toBe('x\ny')
})

test('S-6 the folding rule: K is the Kelvin sign, s is the long s, İ and ı are themselves, ß is ẞ but not ss', () => {
  expect(finds('300 \u212a', 'k')).toBe('\u212a')
  expect(finds('300 k', '\u212a')).toBe('k')
  expect(finds('Wa\u017fser', 'wasser')).toBe('Wa\u017fser')
  expect(finds('İstanbul', 'istanbul')).toBeNull()
  expect(finds('ıstanbul', 'istanbul')).toBeNull()
  expect(finds('İstanbul', 'İSTANBUL')).toBe('İstanbul')
  expect(finds('STRAẞE', 'straße')).toBe('STRAẞE')
  expect(finds('STRASSE', 'straße')).toBeNull()
  expect(finds('\u212bngström', 'ångström')).toBe('\u212bngström')
  expect(finds('ΣΊΣΥΦΟΣ σίσυφος', 'σίσυφοσ')).toBe('ΣΊΣΥΦΟΣ')
})

test('S-6 the variants of every ASCII character are those of the engine’s own folding', () => {
  // In the quick form every eighth, K, k, S and s among them, which have a third case each.
  for (let code = inForm({ quick: 3, full: 0, long: 0 }); code < 0x80; code += inForm({ quick: 8, full: 1, long: 1 })) {
    const character = String.fromCodePoint(code)
    const own = new Set(foldVariants(character))
    for (let other = 0; other <= 0x1_ffff; other++) {
      if (other >= 0xd800 && other <= 0xdfff) continue
      // Only characters of several cases can be the same as an ASCII one.
      if (
        other > 0x7f &&
        other !== 0x17f &&
        other !== 0x212a &&
        !/[\p{Lu}\p{Ll}\p{Lt}]/u.test(String.fromCodePoint(other))
      )
        continue
      if (other > 0x250 && other !== 0x212a && other < 0x1_0000 && !/\p{Lu}/u.test(String.fromCodePoint(other)))
        continue
      const same = new RegExp(`^${character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`, 'iu').test(
        String.fromCodePoint(other)
      )
      if (same !== own.has(String.fromCodePoint(other))) expect([character, other, same]).toEqual('agreement')
    }
  }
})

test('S-6 in stored JSON a query is found as typed and as JSON writes it', () => {
  const find = (json: string, query: string): string | null => {
    const match = compileQuery(query).find(json, 'json')
    return match === null ? null : json.slice(match.index, match.index + match.length)
  }
  const json = JSON.stringify({ path: 'C:\\temp', output: 'said "hi"\nand went' })
  expect(find(json, '"PATH":')).toBe('"path":')
  expect(find(json, 'said "hi"\nand')).toBe('said \\"hi\\"\\nand')
  expect(find(json, 'c:\\temp')).toBe('C:\\\\temp')
  expect(find(json, 'said  "hi"')).toBeNull()
})

/** A JSON string of the text, each character by chance as itself, as JSON must, or as an escape. */
function spelled(text: string, choices: readonly number[]): string {
  let line = ''
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] ?? ''
    const choice = choices[at % Math.max(choices.length, 1)] ?? 0
    const code = text.charCodeAt(at)
    if (choice === 1) line += `\\u${code.toString(16).padStart(4, '0')}`
    else if (choice === 2) line += `\\u${code.toString(16).padStart(4, '0').toUpperCase()}`
    else if (choice === 3 && unit === '/') line += '\\/'
    else line += code >= 0xd800 && code <= 0xdfff ? unit : JSON.stringify(unit).slice(1, -1)
  }
  return `{"text":"${line}"}`
}

const LETTERS = [...'aKskS/"\\\n \u0001äÄßẞ\u212a\u017fİıσςΣпПя日語é\u2028\u00b5\u03bcǆǅΩ', '🌊', '𐐨', '𐐀', 'e\u0301']
const letter = fc.constantFrom(...LETTERS)
const someText = fc
  .array(fc.oneof(letter, fc.string({ unit: 'grapheme', maxLength: 2 })), { maxLength: 30 })
  .map((parts) => parts.join(''))
const wellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

test('S-6 the filter over raw bytes never holds back a line in which the query stands, however it is spelled', () => {
  fc.assert(
    fc.property(
      someText.filter(wellFormed),
      fc.nat(),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('same', 'lower', 'upper', 'other'),
      someText,
      fc.array(fc.constantFrom(0, 0, 0, 0, 1, 2, 3), { maxLength: 12 }),
      (text, start, length, form, other, choices) => {
        const from = text.length === 0 ? 0 : start % text.length
        const piece = text.slice(from, from + length)
        const changed = { same: piece, lower: piece.toLowerCase(), upper: piece.toUpperCase(), other }[form]
        if (changed === '' || changed.length > 500) return
        const line = spelled(text, choices)
        const value = (JSON.parse(line) as { text: string }).text
        expect(value).toBe(text)
        if (compileQuery(changed).find(value, 'text') !== null) expect(passes(line, changed)).toBe(true)
        // As stored JSON the very bytes of the line are the text.
        if (compileQuery(changed).find(line, 'json') !== null) expect(passes(line, changed)).toBe(true)
      }
    ),
    { seed: 66, numRuns: inForm({ quick: 500, full: 2_500, long: 100_000 }) }
  )
})

test('S-6 the filter holds back ordinary lines', () => {
  const line = JSON.stringify({ id: 'a', text: 'ordinary words of a row\nwith a path src/a.ts and "quotes"' })
  for (const query of ['needle', 'Größe', '日本語', 'привет', 'src/b.ts', '"quoted"', 'ANGSTRÖM'])
    expect([query, passes(line, query)]).toEqual([query, false])
  expect(passes(line.replace('ordinary', '\\u001b[31m'), 'needle')).toBe(false)
  expect(passes(line.replace('ordinary', '\\u006eeedle'), 'needle')).toBe(true)
})
