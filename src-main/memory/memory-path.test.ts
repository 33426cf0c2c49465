import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryPathOf, parseMemoryPath } from './memory-path'

describe('Y-1 a memory path', () => {
  it.each([
    ['/memories/global/style.md', 'global', ['style.md']],
    ['/memories/project/api/errors and retries.md', 'project', ['api', 'errors and retries.md']],
    ['/memories/workspace', 'workspace', []],
    ['/memories/workspace/', 'workspace', []],
    ['/memories/project/Größe.md', 'project', ['Größe.md']],
    ['/memories/project/メモ.md', 'project', ['メモ.md']],
    ['/memories/project/a..b.md', 'project', ['a..b.md']]
  ])('%s names something in a scope', (input, scope, names) => {
    expect(parseMemoryPath(input)).toEqual({ ok: true, value: { scope, names } })
  })

  it('is the root of all scopes without one', () => {
    for (const root of ['/memories', '/memories/']) expect(parseMemoryPath(root)).toEqual({ ok: true, value: null })
  })

  it('means the same in either Unicode form', () => {
    expect(parseMemoryPath('/memories/project/Gro\u0308\u00dfe.md')).toEqual(
      parseMemoryPath('/memories/project/Größe.md')
    )
  })

  it.each([
    ['..', '/memories/project/../../../etc/passwd'],
    ['.. at the root', '/memories/../etc/passwd'],
    ['.. at the end', '/memories/project/..'],
    ['a lone dot', '/memories/project/./a.md'],
    ['an absolute path', '/etc/passwd'],
    ['an absolute path in a name', '/memories/project//etc/passwd'],
    ['a relative path', 'memories/project/a.md'],
    ['nothing', ''],
    ['a home path', '~/a.md'],
    ['a URL', 'file:///memories/project/a.md'],
    ['a Windows path', 'C:\\memories\\a.md'],
    ['backslashes', '/memories/project/..\\..\\a.md'],
    ['a NUL', '/memories/project/a\0.md'],
    ['a NUL in the scope', '/memories/project\0/a.md'],
    ['a line break', '/memories/project/a\nb.md'],
    ['an escape code', '/memories/project/\u001b[31m.md'],
    ['a two-dot leader', '/memories/project/\u2025/a.md'],
    ['full-width dots', '/memories/project/\uff0e\uff0e/a.md'],
    ['one-dot leaders', '/memories/project/\u2024\u2024/a.md'],
    ['a full-width slash', '/memories/project/a\uff0fb.md'],
    ['a division slash', '/memories/project/a\u2215b.md'],
    ['a fraction slash', '/memories/project/a\u2044b.md'],
    ['dots with something unseen', '/memories/project/.\u200d./a.md'],
    ['a zero-width space', '/memories/project/a\u200bb.md'],
    ['a text that turns direction', '/memories/project/\u202egpj.md'],
    ['a byte order mark', '/memories/project/\ufeffa.md'],
    ['half a surrogate pair', '/memories/project/\ud800.md'],
    ['encoded dots', '/memories/project/%2e%2e/a.md'],
    ['an encoded slash', '/memories/project/a%2Fb.md'],
    ['another letter case of the root', '/Memories/project/a.md'],
    ['another letter case of a scope', '/memories/Project/a.md'],
    ['an unknown scope', '/memories/other/a.md'],
    ['a scope that every object has', '/memories/constructor/a.md'],
    ['a hidden file', '/memories/project/.memory-index.json'],
    ['the trash', '/memories/project/.trash/a.md'],
    ['a name that looks like another', '/memories/project/a\u00a0b.md'],
    ['white space around a name', '/memories/project/ a.md'],
    ['a name that ends with a dot', '/memories/project/a.'],
    ['a device', '/memories/project/nul.md'],
    ['a stream', '/memories/project/a.md:secret'],
    ['what would close the block in the prompt', '/memories/project/a"></memory>.md'],
    ['a long name', `/memories/project/${'x'.repeat(129)}`],
    ['a deep path', `/memories/project${'/a'.repeat(7)}`]
  ])('is refused with %s', (_what, input) => {
    const parsed = parseMemoryPath(input)
    expect(parsed.ok).toBe(false)
    if (!parsed.ok) expect(parsed.error).not.toMatch(/[\0\n]/)
  })

  it('never leads out of its scope, whatever it is made of', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '//',
        '\\',
        '\0',
        '%2e',
        'a',
        'b.md',
        '\u2025',
        '\uff0e',
        '\u200d',
        'project',
        '~',
        ' '
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 4 })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, joined) => {
        const input = `/memories/project/${pieces.join(joined ? '/' : '')}`
        const parsed = parseMemoryPath(input)
        if (!parsed.ok || parsed.value === null) return
        for (const { sep, join, resolve } of [path.posix, path.win32]) {
          const root = sep === '/' ? '/home/memories' : 'C:\\home\\memories'
          const led = resolve(join(root, ...parsed.value.names))
          expect(led === root || led.startsWith(root + sep)).toBe(true)
          expect(led.slice(root.length).split(sep).slice(1)).toEqual([...parsed.value.names])
        }
        const again = parseMemoryPath(memoryPathOf('project', parsed.value.names))
        expect(again).toEqual(parsed)
      }),
      { seed: 4101, numRuns: 3_000 }
    )
  })
})
