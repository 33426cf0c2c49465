import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileMention, fileMentionsOf } from './file-mentions'

/** The first form of each mention: the path as it stands in the text. */
function written(text: string): (string | undefined)[] {
  return fileMentionsOf(text).map(([form]) => form)
}

test('U-8: a mention stands at the start, after white space or an opening sign', () => {
  expect(written('@a.ts and\n@src/b.ts, (@c.ts) "@d.ts" `@e.ts`')).toEqual([
    'a.ts',
    'src/b.ts,',
    'c.ts)',
    'd.ts',
    'e.ts`'
  ])
  expect(written('me@example.com a/@b.ts @ @@ @"" @"unclosed')).toEqual([])
})

test('U-8: a closing sign may belong to the sentence; the path as written is tried first', () => {
  expect(fileMentionsOf('See @src/a.ts).')).toEqual([['src/a.ts).', 'src/a.ts)', 'src/a.ts']])
  expect(fileMentionsOf('@...')).toEqual([['...', '..', '.']])
})

test('U-8: a path with spaces is in quotes', () => {
  expect(fileMentionsOf('@"my notes/a b.md", please')).toEqual([['my notes/a b.md']])
  expect(fileMention('my notes/a b.md')).toBe('@"my notes/a b.md"')
  expect(fileMention('src/[id].tsx')).toBe('@src/[id].tsx')
  expect(fileMention('node@18/a.js')).toBe('@"node@18/a.js"')
  expect(fileMention('what?')).toBe('@"what?"')
})

test('U-8: what the list puts into the text is read back as that very path, whatever surrounds it', () => {
  const path = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((name) => !/["\n]/.test(name) && name.trim() !== '')
  const before = fc.constantFrom('', 'See ', '(', 'one\n')
  const after = fc.constantFrom('', ' and so on', '\nmore', ' @other.ts')
  fc.assert(
    fc.property(path, before, after, (name, start, end) => {
      expect(fileMentionsOf(`${start}${fileMention(name)}${end}`)[0]?.[0]).toBe(name)
    }),
    { seed: 8_008 }
  )
})
