import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { MAX_TOOL_RESULT_BYTES } from '@common/constants'
import { inForm } from '../history/testing/long-form'
import { capOutput, capText, SPILL_NOTE_FIELD } from './cap-output'
import { headWithin, jsonBytes, tailWithin } from './json-bytes'
import { tempProject } from './testing/temp-project'

const project = tempProject()
afterAll(() => project.remove())

/** Worst content: quotes, control characters, emoji, lone surrogates, keys that are special to JavaScript. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom('"'.repeat(900), '\u0000'.repeat(700), '👩‍👩‍👧'.repeat(300), '\ud83d'.repeat(300), '\\n'.repeat(500)),
  fc
    .array(fc.constantFrom('"', '\\', '\u0001', '\u2028', '🌊', 'a', '\n'), { maxLength: 800 })
    .map((all) => all.join(''))
)
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    nasty,
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 30 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toJSON')), tie('value'))
  )
})).value

test('O-2 H-13: whatever a tool answers stays under the cap as valid JSON, and its spill is the whole', async () => {
  let spilled = 0
  await fc.assert(
    fc.asyncProperty(anyJson, fc.integer({ min: 600, max: 4_000 }), async (value, capBytes) => {
      const { kept, spill } = await capOutput(value, project.spill, capBytes)
      const text = JSON.stringify(kept)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(capBytes)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(kept)))
      if (spill === undefined) {
        expect(kept).toBe(value)
        return
      }
      spilled++
      expect(text).toContain(`spill:${spill.id}`)
      const whole = project.spill.textOf(spill.id)
      if (typeof value === 'string') expect(whole).toBe(Buffer.from(value).toString())
      else expect(JSON.stringify(JSON.parse(whole))).toBe(JSON.stringify(value))
    }),
    { seed: 7, numRuns: inForm({ quick: 60, full: 300, long: 300 }) }
  )
  expect(spilled).toBeGreaterThan(20)
})

test('O-2: a cut never parts a surrogate pair and takes the most that fits', () => {
  fc.assert(
    fc.property(nasty, fc.integer({ min: 0, max: 500 }), (text, maxBytes) => {
      for (const [piece, more] of [
        [headWithin(text, maxBytes), (length: number) => text.slice(0, length)],
        [tailWithin(text, maxBytes), (length: number) => text.slice(text.length - length)]
      ] as const) {
        expect(jsonBytes(piece) - 2).toBeLessThanOrEqual(maxBytes)
        expect(piece).toBe(more(piece.length))
        if (piece.length + 2 <= text.length) expect(jsonBytes(more(piece.length + 2)) - 2).toBeGreaterThan(maxBytes)
      }
      expect(headWithin('🌊'.repeat(50), maxBytes)).not.toMatch(/[\ud800-\udbff]$/)
      expect(tailWithin('🌊'.repeat(50), maxBytes)).not.toMatch(/^[\udc00-\udfff]/)
    }),
    { seed: 11, numRuns: inForm({ quick: 40, full: 200, long: 200 }) }
  )
})

test('O-2: head and tail of the longest text stay, small fields stay whole', async () => {
  const long = `BEGIN${'x'.repeat(90_000)}END`
  const { kept } = await capOutput({ exit_code: 3, output: long, path: 'a.ts' }, project.spill, MAX_TOOL_RESULT_BYTES)
  expect(kept).toMatchObject({ exit_code: 3, path: 'a.ts' })
  const { output } = kept as { output: string }
  expect(output.startsWith('BEGINxxx') && output.endsWith('xxxEND')).toBe(true)
  expect(jsonBytes(kept)).toBeGreaterThan(MAX_TOOL_RESULT_BYTES * 0.9)
})

test('O-2: a long list keeps its first and last items in the shape that a card reads', async () => {
  const matches = Array.from({ length: 5_000 }, (_, line) => ({ path: 'a.ts', line, text: `match ${line}` }))
  const { kept } = await capOutput({ matches, total: 5_000 }, project.spill, MAX_TOOL_RESULT_BYTES)
  const fitted = kept as { matches: { line: number }[]; total: number; [SPILL_NOTE_FIELD]: string }
  expect(fitted.matches[0]?.line).toBe(0)
  expect(fitted.matches.at(-1)?.line).toBe(4_999)
  expect(fitted.matches.every((match) => typeof match.line === 'number')).toBe(true)
  expect(fitted.total).toBe(5_000)
  expect(fitted[SPILL_NOTE_FIELD]).toMatch(/spill:[0-9a-f]{64}; read it with file_read/)
})

test('O-2: an image over the cap gives way to words, never to half an image', async () => {
  const media = { type: 'media', mediaType: 'image/png', data: 'A'.repeat(60_000) }
  const { kept } = await capOutput({ type: 'content', value: [media] }, project.spill, MAX_TOOL_RESULT_BYTES)
  expect(kept).toMatchObject({ value: [{ type: 'text', text: expect.stringContaining('image/png, not shown') }] })
})

test('O-2: deep nesting is cut too', async () => {
  let deep: unknown = 'y'.repeat(2_000)
  for (let depth = 0; depth < 600; depth++) deep = { a: [deep] }
  const { kept, spill } = await capOutput(deep, project.spill, 2_000)
  expect(jsonBytes(kept)).toBeLessThanOrEqual(2_000)
  expect(JSON.parse(project.spill.textOf(spill?.id ?? ''))).toEqual(deep)
})

test('O-2: an error text is capped the same way, and a full disk costs the spill, not the outcome', async () => {
  const text = '💥"'.repeat(20_000)
  const capped = await capText(text, project.spill, 1_000)
  expect(jsonBytes(capped.kept)).toBeLessThanOrEqual(1_000)
  expect(project.spill.textOf(capped.spill?.id ?? '')).toBe(text)
  const full = { write: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })) }
  const lost = await capText(text, full, 1_000)
  expect(lost.spill).toBeUndefined()
  expect(lost.kept).toContain('could not be kept (no space left)')
})
