import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HeadAndTail, type TextPieces } from './head-and-tail'

function piecesOf(text: string, maxBytes: number, chunkBytes = 7): TextPieces {
  const bytes = Buffer.from(text)
  const pieces = new HeadAndTail(maxBytes)
  for (let at = 0; at < bytes.length; at += chunkBytes) pieces.push(bytes.subarray(at, at + chunkBytes))
  return pieces.finish()
}

test('P-6: a text that fits is there whole', () => {
  expect(piecesOf('one\ntwo', 7)).toEqual({ head: 'one\ntwo', tail: null, omitted: null, lines: 2, bytes: 7 })
  expect(piecesOf('', 7)).toEqual({ head: '', tail: null, omitted: null, lines: 0, bytes: 0 })
})

test('P-6: one long line is cut between characters', () => {
  const { head, tail, omitted } = piecesOf('🌊'.repeat(100), 42)
  expect([head, tail]).toEqual(['🌊'.repeat(8), '🌊'.repeat(2)])
  expect(omitted).toEqual({ firstLine: 1, lastLine: 1, bytes: 360 })
})

test('P-6: head, what is left out and tail are the whole text, by lines and by bytes', () => {
  const text = fc
    .array(fc.string({ unit: fc.constantFrom('a', 'é', '🌊', '\r') }), { maxLength: 40 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 120 }), fc.integer({ min: 1, max: 50 }), (whole, max, chunk) => {
      const { head, tail, omitted, lines, bytes } = piecesOf(whole, max, chunk)
      const all = whole.split('\n')
      expect(bytes).toBe(Buffer.byteLength(whole))
      expect(lines).toBe(whole === '' || whole.endsWith('\n') ? all.length - 1 : all.length)
      if (tail === null || omitted === null) {
        expect(head).toBe(whole)
        return
      }
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
      const headBytes = Buffer.byteLength(head)
      const tailBytes = Buffer.byteLength(tail)
      expect(headBytes + tailBytes).toBeLessThanOrEqual(max)
      expect(omitted.bytes).toBe(bytes - headBytes - tailBytes)
      // The first and the last line that is not there whole.
      const middle = whole.slice(head.length, whole.length - tail.length)
      const firstLine = head.split('\n').length
      expect(omitted.firstLine).toBe(firstLine)
      expect(omitted.lastLine).toBe(firstLine + middle.split('\n').length - (middle.endsWith('\n') ? 2 : 1))
    }),
    { seed: 66 }
  )
})
