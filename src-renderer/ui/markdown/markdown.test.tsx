// Markdown is safe by construction: what is not on the list is text.
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from './markdown'

function html(text: string): string {
  return renderToStaticMarkup(<Markdown text={text} />)
}

describe('Markdown', () => {
  it('shows HTML as text', () => {
    const shown = html('a <img src=x onerror=alert(1)> b\n\n<script>alert(1)</script>\n\n<div onclick="x">\nc\n</div>')
    expect(shown).not.toMatch(/<(img|script)|<div onclick/)
    expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](<java&#115;cript:alert(1)>)',
    '[x](data:text/html;base64,AAAA)',
    '[x](file:///etc/passwd)',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '<javascript:alert(1)>'
  ])('leaves the link in %j inert', (text) => expect(html(text)).not.toContain('<a '))

  it('opens web and mail addresses only, and shows where they lead', () => {
    expect(html('[docs](https://example.org/a)')).toContain(
      '<a href="https://example.org/a" title="https://example.org/a"'
    )
    expect(html('[docs](src/a.ts)')).not.toContain('<a ')
  })

  it('loads no remote image before the person asks', () => {
    const shown = html('![chart](https://tracker.example/p.png)')
    expect(shown).not.toContain('<img')
    expect(shown).toContain('Load the image from tracker.example')
  })

  it('draws tables, task lists and numbered lists', () => {
    expect(html('| a | b |\n| - | -: |\n| 1 | 2 |')).toContain('<td dir="auto" style="text-align:right">2</td>')
    expect(html('- [x] done')).toContain('type="checkbox"')
    expect(html('7. seven')).toContain('start="7"')
  })

  it('breaks lines where the text says <br> and reads entities', () => {
    expect(html('a<br>b &amp; c &lt;d&gt;')).toContain('a<br/>b &amp; c &lt;d&gt;')
  })

  it('takes its direction from the text', () => {
    expect(html('שלום')).toContain('<p dir="auto">')
  })
})
