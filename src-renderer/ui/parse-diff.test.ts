// A unified diff becomes numbered lines, with the changed part of replaced lines marked.
import { createTwoFilesPatch } from 'diff'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDiff } from './parse-diff'

describe('parseDiff', () => {
  it('numbers lines on both sides', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@ function f()\n one\n-two\n+two!\n+three\n four\n'
    const { lines, added, removed } = parseDiff(diff)
    expect(lines.map((line) => [line.kind, line.oldNumber, line.newNumber, line.text])).toEqual([
      ['hunk', null, null, 'function f()'],
      ['context', 3, 3, 'one'],
      ['removed', 4, null, 'two'],
      ['added', null, 4, 'two!'],
      ['added', null, 5, 'three'],
      ['context', 5, 6, 'four']
    ])
    expect([added, removed]).toEqual([2, 1])
  })

  it('marks the part of a line that changed', () => {
    const { lines } = parseDiff('@@ -1 +1 @@\n-const retries = 3\n+const retries = 5\n')
    expect(lines.map((line) => line.changed)).toEqual([null, [16, 17], [16, 17]])
  })

  it('reads removed and added lines that look like file headers', () => {
    const { lines } = parseDiff('@@ -1,2 +1,2 @@\n--- a\n+++ b\n c\n')
    expect(lines.map((line) => line.kind)).toEqual(['hunk', 'removed', 'added', 'context'])
  })

  it('keeps what is no diff as a note', () => {
    expect(parseDiff('@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n').lines.at(-1)).toMatchObject({
      kind: 'note',
      text: 'No newline at end of file'
    })
  })

  it('gives back both texts of any diff (fuzz)', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '-- x', '++ y', '', ' z'), { maxLength: 12 })
      .map((lines) => `${lines.join('\n')}\n`)
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = parseDiff(createTwoFilesPatch('a', 'b', before, after, '', '', { context: 100 }))
        const side = (kind: 'added' | 'removed') =>
          lines
            .filter((line) => line.kind === 'context' || line.kind === kind)
            .map((line) => `${line.text}\n`)
            .join('')
        if (before !== after) expect([side('removed'), side('added')]).toEqual([before, after])
      }),
      { seed: 20_260_7 }
    )
  })
})
