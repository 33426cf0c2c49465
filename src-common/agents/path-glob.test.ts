import fc from 'fast-check'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { compilePathGlob, escapeGlob } from './path-glob'

function matches(glob: string, path: string): boolean {
  const matcher = compilePathGlob(glob)
  if (matcher === null) throw new Error(`not a glob: ${glob}`)
  return matcher(path)
}

test('A-2: globs mean what developers expect', () => {
  const table: [string, string, boolean][] = [
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['src/**/*.ts', 'src/a/b/c.tsx', false],
    ['*.ts', 'src/a.ts', false],
    ['**/*.ts', '.hidden/a.ts', true],
    ['**', '.git/config', true],
    ['src/**', 'src', true],
    ['src/*', 'src/a/b', false],
    ['./src/*', 'src/a', true],
    ['*.{ts,tsx}', 'a.tsx', true],
    ['{a,b{1,2}}.md', 'b2.md', true],
    ['{a}.md', '{a}.md', true],
    ['[a-c]?.md', 'b🌊.md', true],
    ['[!a-c].md', 'b.md', false],
    ['a[.md', 'a[.md', true],
    ['\\*.md', 'x.md', false],
    ['\\*.md', '*.md', true],
    ['caf\u00e9.md', 'cafe\u0301.md', true]
  ]
  for (const [glob, path, expected] of table) expect([glob, path, matches(glob, path)]).toEqual([glob, path, expected])
})

test('A-2: an escaped text matches itself alone', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 20 }), (text, other) => {
      fc.pre(!text.startsWith('./') && text !== '**')
      expect(matches(escapeGlob(text), text)).toBe(true)
      if (other.normalize('NFC') !== text.normalize('NFC') && !other.startsWith('./'))
        expect(matches(escapeGlob(text), other)).toBe(false)
    }),
    { seed: 3 }
  )
})

test('A-2: agrees with picomatch on generated globs and paths', () => {
  const piece = fc.constantFrom('*', '?', 'a', 'b', '.c', 'ab*', '*.c', '[ab]', '{a,b}', '{a,*.c}', '**')
  const globs = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const paths = fc
    .array(fc.constantFrom('a', 'b', '.c', 'ab', 'x.c', 'abab.c'), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('/'))
  fc.assert(
    fc.property(globs, paths, (glob, path) => {
      // picomatch gives `x/**` at the end, and `**/` before a lone star, meanings of their own for `x` itself.
      fc.pre(!/\*\*(\/\*\*)*$/.test(glob) && !/\*\*\/(\*|\{a,\*)/.test(glob))
      expect([glob, path, matches(glob, path)]).toEqual([glob, path, picomatch(glob, { dot: true })(path)])
    }),
    { seed: 5, numRuns: 2_000 }
  )
})

test('A-2: no glob makes the matcher hang, and too many alternatives are no glob', () => {
  expect(matches(`${'*a'.repeat(120)}b`, 'a'.repeat(5_000))).toBe(false)
  expect(matches(`${'**/'.repeat(100)}x`, 'a/'.repeat(2_000))).toBe(false)
  expect(compilePathGlob('{a,b}'.repeat(20))).toBeNull()
  expect(compilePathGlob('a'.repeat(2_000))).toBeNull()
})
