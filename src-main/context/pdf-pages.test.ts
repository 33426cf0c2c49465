import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PDF_MAX_PAGES } from '@common/constants'
import { pdfPages } from './pdf-pages'

const page = (index: number): string => `${index} 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n`
const pages = (count: number): string => Array.from({ length: count }, (_, index) => page(index + 3)).join('')
const pdf = (body: string): string => `%PDF-1.4\n2 0 obj\n<< /Type /Pages /Kids [] >>\nendobj\n${body}%%EOF\n`

describe('pdfPages', () => {
  it('P-3 counts page objects and neither the page tree nor look-alikes', () => {
    expect(pdfPages(Buffer.from(pdf(pages(7))))).toBe(7)
    expect(
      pdfPages(Buffer.from(pdf(`${pages(2)}<< /Type/Page/Rotate 0 >> << /Type /PageLabel >> << /Page 1 >>`)))
    ).toBe(3)
  })

  it('P-3 reads base64 as it reads bytes', () => {
    expect(pdfPages(Buffer.from(pdf(pages(4))).toString('base64'))).toBe(4)
  })

  it('P-3 finds pages in compressed object streams', () => {
    const stream = deflateSync(Buffer.from(pages(12)))
    const head = `9 0 obj\n<< /Type /ObjStm /N 12 /Filter /FlateDecode /Length ${stream.length} >>\nstream\r\n`
    const bytes = Buffer.concat([Buffer.from(head), stream, Buffer.from('\nendstream\nendobj\n')])
    expect(pdfPages(bytes)).toBe(12)
  })

  it('P-3 charges the most that is ever charged for longer files and for files that are elsewhere', () => {
    expect(pdfPages(Buffer.from(pdf(pages(250))))).toBe(PDF_MAX_PAGES)
    expect(pdfPages(new URL('https://example.com/a.pdf'))).toBe(PDF_MAX_PAGES)
  })

  it('P-3 charges a file that shows no page by its size, and never nothing', () => {
    expect(pdfPages(Buffer.from('%PDF-1.7'))).toBe(1)
    expect(pdfPages(Buffer.alloc(10_240, 7))).toBe(10)
    const damaged = Buffer.concat([
      Buffer.from('<< /Type /ObjStm >>\nstream\n'),
      Buffer.alloc(5_000, 1),
      Buffer.from('endstream')
    ])
    expect(pdfPages(damaged)).toBe(5)
  })
})
