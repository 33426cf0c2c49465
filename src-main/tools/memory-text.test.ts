import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonBytes } from './json-bytes'
import { insertLines, replaceOnce, viewLines } from './memory-text'

const view = (text: string, range: number[] | null = null, maxBytes = 30_000) => viewLines(text, range, maxBytes)

describe('O-2 the lines that view shows', () => {
  it.each([
    ['', null, '', 0],
    ['a', null, '1\ta', 1],
    ['a\nb\n', null, '1\ta\n2\tb', 2],
    ['a\n\nb', [2, 3], '2\t\n3\tb', 3],
    ['a\nb\nc\n', [2, -1], '2\tb\n3\tc', 3],
    ['a\nb\nc\n', [1, 1], '1\ta', 3],
    ['a\nb\n', [2, 99], '2\tb', 2],
    ['a\r\nb\r\n', null, '1\ta\n2\tb', 2]
  ])('of %j in the range %j', (text, range, content, totalLines) => {
    expect(view(text, range)).toMatchObject({ ok: true, value: { content, totalLines } })
  })

  it.each([[[0, 2]], [[3, 3]], [[2, 1]], [[-1, -1]]])('refuses the range %j of two lines', (range) => {
    expect(view('a\nb\n', range)).toMatchObject({ ok: false, error: expect.stringContaining('the 2 lines') })
  })

  it('end where the result is full, and say where they end', () => {
    const shown = view('x'.repeat(40).concat('\n').repeat(100), null, 500)
    expect(shown).toMatchObject({ ok: true, value: { firstLine: 1, totalLines: 100 } })
    if (!shown.ok) return
    expect(shown.value.lastLine).toBeLessThan(15)
    const long = view('é'.repeat(10_000), null, 500)
    expect(long.ok && long.value.content.endsWith(' […]')).toBe(true)
    expect(long.ok && jsonBytes(long.value.content)).toBeLessThan(520)
  })
})

describe('Y-1 str_replace', () => {
  it('replaces what is there exactly once, and nothing in the texts is special', () => {
    expect(replaceOnce('a\nb\nc\n', 'b\n', '$& \\n', 'p')).toEqual({
      ok: true,
      value: { text: 'a\n$& \\nc\n', line: 2 }
    })
    expect(replaceOnce('a.c abc', 'a.c', '', 'p')).toEqual({ ok: true, value: { text: ' abc', line: 1 } })
  })

  it('fails on none and on several, with their lines, and takes overlapping places for several', () => {
    expect(replaceOnce('a\n', 'b', 'c', '/memories/x')).toMatchObject({
      ok: false,
      error: expect.stringContaining('does not appear verbatim in /memories/x')
    })
    expect(replaceOnce('a\nb\na\n', 'a', 'c', 'p')).toMatchObject({
      ok: false,
      error: expect.stringContaining('2 times in p, at lines 1, 3')
    })
    expect(replaceOnce('aaa', 'aa', 'c', 'p')).toMatchObject({ ok: false })
  })

  it('keeps the line endings of a file', () => {
    expect(replaceOnce('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 'p')).toMatchObject({ value: { text: 'x\r\ny\r\nc\r\n' } })
    expect(replaceOnce('a\r\nb\nc', 'b', 'x', 'p')).toMatchObject({ value: { text: 'a\r\nx\nc' } })
  })
})

describe('Y-1 insert', () => {
  it.each([
    ['', 0, 'x', 'x\n'],
    ['a\nb\n', 0, 'x', 'x\na\nb\n'],
    ['a\nb\n', 1, 'x\n', 'a\nx\nb\n'],
    ['a\nb\n', 2, 'x\ny', 'a\nb\nx\ny\n'],
    ['a\nb', 2, 'x', 'a\nb\nx\n'],
    ['a\r\nb\r\n', 1, 'x\ny', 'a\r\nx\r\ny\r\nb\r\n'],
    ['a\n', 1, '', 'a\n\n']
  ])('into %j after line %i puts %j', (text, after, inserted, result) => {
    expect(insertLines(text, after, inserted)).toEqual({ ok: true, value: { text: result, line: after + 1 } })
  })

  it.each([-1, 3, 0.5, Number.NaN])('refuses line %s of two', (after) => {
    expect(insertLines('a\nb\n', after, 'x')).toMatchObject({ ok: false, error: expect.stringContaining('0 to 2') })
  })

  it('agrees with what view numbers: the new lines stand behind the line that was named', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/[\r\n]/.test(text))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), fc.nat(), line, (lines, ends, seed, added) => {
        const text = lines.join('\n') + (ends && lines.length > 0 ? '\n' : '')
        const before = view(text)
        if (!before.ok) throw new Error(before.error)
        const after = seed % (before.value.totalLines + 1)
        const changed = insertLines(text, after, added)
        if (!changed.ok) throw new Error(changed.error)
        const shown = view(changed.value.text, [changed.value.line, changed.value.line])
        expect(shown.ok && shown.value.content).toBe(`${after + 1}\t${added}`)
        expect(shown.ok && shown.value.totalLines).toBe(before.value.totalLines + 1)
      }),
      { seed: 4103, numRuns: 500 }
    )
  })
})
