import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineCollapser, createPrintableDecoder } from './printable-output'

function printable(bytes: Uint8Array, cuts: readonly number[]): string {
  const decoder = createPrintableDecoder()
  const lines = createLineCollapser()
  let text = ''
  let from = 0
  const rising = [...cuts]
  rising.sort((one, other) => one - other)
  for (const cut of rising) {
    text += lines.push(decoder.push(bytes.subarray(from, Math.max(from, cut))))
    from = Math.max(from, cut)
  }
  text += lines.push(decoder.push(bytes.subarray(from)))
  return text + lines.push(decoder.finish()) + lines.finish()
}

test('O-1: however the bytes are cut into chunks, the text is the same and holds no control characters', () => {
  const piece = fc.constantFrom(
    '\u001b[31m',
    '\u001b]0;t\u0007',
    '\u001b',
    '[',
    '1m',
    '\r',
    '\n',
    '\r\n',
    '🌊',
    'é',
    'a',
    '\b',
    '\0',
    '\u009b2K'
  )
  const bytes = fc.oneof(
    fc.array(piece, { maxLength: 25 }).map((pieces) => Buffer.from(pieces.join(''))),
    fc.uint8Array({ maxLength: 60 }).map((all) => Buffer.from(all))
  )
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(60)), (all, cuts) => {
      const whole = printable(all, [])
      // A backspace takes away a character of its own chunk only.
      if (!all.includes(8)) expect(printable(all, cuts)).toBe(whole)
      // eslint-disable-next-line no-control-regex
      expect(printable(all, cuts)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }),
    { seed: 6, numRuns: 500 }
  )
})

test('O-1: an escape sequence that never ends does not swallow what follows for ever', () => {
  const decoder = createPrintableDecoder()
  let text = decoder.push(Buffer.from('\u001b]0;'))
  for (let chunk = 0; chunk < 100; chunk++) text += decoder.push(Buffer.from('x'.repeat(100)))
  expect(text.length).toBeGreaterThan(5_000)
})
