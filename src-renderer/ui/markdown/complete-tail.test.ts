// The growing end of a text: open markers are closed, an end that is nothing yet is held back.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeTail } from './complete-tail'
import { decodeEntities } from './entities'
import { imageSourceOf, safeLinkUrl } from './safe-url'

describe('completeTail', () => {
  it.each([
    ['a **bold', 'a **bold**'],
    ['a **bold ', 'a **bold** '],
    ['a **', 'a'],
    ['a *b **c', 'a *b **c***'],
    ['done **bold** and', 'done **bold** and'],
    ['`code', '`code`'],
    ['a ``co`de', 'a ``co`de``'],
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3', '2 * 3'],
    ['~~gone', '~~gone~~'],
    ['see [the docs](https://exam', 'see the docs'],
    ['see [the do', 'see the do'],
    ['see [x](https://example.org) **now', 'see [x](https://example.org) **now**'],
    ['![alt](https://exam', ''],
    ['array[0] is', 'array[0] is'],
    ['- one **two\n- thr', '- one **two\n- thr'],
    ['```ts\nconst a = `b', '```ts\nconst a = `b'],
    ['a\n-', 'a'],
    ['a\n\n1.', 'a\n'],
    ['a\n\n##', 'a\n'],
    ['a\n\n| x | y |\n|--', 'a\n\n'],
    ['| x |\n| - |\n| 1 ', '| x |\n| - |\n| 1 ']
  ])('shows %j as %j', (text, shown) => expect(completeTail(text)).toBe(shown))

  it('never invents words (fuzz)', () => {
    const words = fc.array(fc.constantFrom('word ', '**', '*', '`', '_', '~~', '[', '](', ')', '\n', '- ', '|', '\\'))
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join('')
        const count = (value: string) => value.split('word').length - 1
        expect(count(completeTail(text))).toBeLessThanOrEqual(count(text))
      }),
      { seed: 20_260_6, numRuns: 500 }
    )
  })
})

describe('decodeEntities', () => {
  it.each([
    ['a &amp;lt; b', 'a &lt; b'],
    ['&#60;b&#x3E;', '<b>'],
    ['AT&T; R&D', 'AT&T; R&D'],
    ['&constructor;', '&constructor;'],
    ['&#0;&#55296;', '\ufffd\ufffd']
  ])('reads %j as %j', (text, read) => expect(decodeEntities(text)).toBe(read))
})

describe('safeLinkUrl', () => {
  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    '//host',
    'src/a.ts',
    ''
  ])('leaves %j inert', (href) => expect(safeLinkUrl(href)).toBeNull())
  it.each(['https://example.org/a?b=c', 'http://127.0.0.1:1/', 'mailto:a@example.org'])('opens %j', (href) =>
    expect(safeLinkUrl(href)).toBe(href)
  )
})

describe('imageSourceOf', () => {
  it('shows inline images, asks before remote ones, refuses the rest', () => {
    expect(imageSourceOf('data:image/png;base64,AAAA')).toMatchObject({ kind: 'inline' })
    expect(imageSourceOf('https://example.org/a.png')).toMatchObject({ kind: 'remote', host: 'example.org' })
    expect(imageSourceOf('data:image/svg+xml;base64,AAAA')).toBeNull()
    expect(imageSourceOf('javascript:alert(1)')).toBeNull()
  })
})
