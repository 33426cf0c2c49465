import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import { OPEN_READ } from '../files/file-system'
import { readLines } from './read-lines'
import { readLinesBackward } from './read-lines-backward'
import { observeFileSystem } from './testing/faulty-file-system'
import { isLong } from './testing/long-form'

const folder = mkdtempSync(join(tmpdir(), 'tidemark-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lengths around every border that the readers know. */
const lineLength = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 2, arbitrary: fc.integer({ min: SCAN_STEP_BYTES - 3, max: SCAN_STEP_BYTES + 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: MAX_LINE_BYTES - 2, max: MAX_LINE_BYTES + 2 }) },
  { weight: 1, arbitrary: fc.integer({ min: MAX_LINE_BYTES, max: 3 * MAX_LINE_BYTES }) }
)

interface Seen {
  readonly byteOffset: number
  readonly bytes: number
  readonly isOversized: boolean
  readonly isEnded: boolean
}

test('H-3 H-9 forward and backward give the same lines, each byte read once, long ones measured', () => {
  fc.assert(
    fc.property(fc.array(lineLength, { maxLength: 12 }), fc.boolean(), (lengths, isLastEnded) => {
      const path = join(folder, 'lines')
      const text = lengths.map((length, index) => String.fromCodePoint(97 + (index % 26)).repeat(length)).join('\n')
      const content = isLastEnded ? `${text}\n` : text
      writeFileSync(path, content)
      const expected = expectedLines(content)
      const forward = observeFileSystem()
      expect(linesForward(forward, path, content.length)).toEqual(expected)
      expect(forward.bytesRead('lines')).toBe(content.length)
      const backward = observeFileSystem()
      expect(linesBackward(backward, path, content.length).toReversed()).toEqual(expected)
      expect(backward.bytesRead('lines')).toBe(content.length)
      expect(backward.calls.every((call) => call.bytes <= SCAN_STEP_BYTES)).toBe(true)
    }),
    { seed: 3, numRuns: isLong ? 400 : 20 }
  )
})

type Observed = ReturnType<typeof observeFileSystem>

function linesForward({ fs }: Observed, path: string, to: number): Seen[] {
  const descriptor = fs.open(path, OPEN_READ)
  const seen: Seen[] = []
  const reading = readLines(
    fs,
    descriptor,
    { from: 0, to },
    {
      line: ({ byteOffset, start, end, isEnded, buffer }) => {
        expect(buffer[start]).toBe(buffer[end - 1])
        expect(buffer.subarray(start, end).includes(10)).toBe(false)
        seen.push({ byteOffset, bytes: end - start, isOversized: false, isEnded })
      },
      oversized: ({ byteOffset, bytes }) => seen.push({ byteOffset, bytes, isOversized: true, isEnded: true })
    }
  )
  for (const _ of reading) continue
  fs.close(descriptor)
  return seen
}

function linesBackward({ fs }: Observed, path: string, before: number): Seen[] {
  const descriptor = fs.open(path, OPEN_READ)
  const seen = [...readLinesBackward(fs, descriptor, before)].map((line) =>
    line.kind === 'line'
      ? { byteOffset: line.byteOffset, bytes: line.bytes.length, isOversized: false, isEnded: line.isEnded }
      : { byteOffset: line.byteOffset, bytes: line.byteCount, isOversized: true, isEnded: true }
  )
  fs.close(descriptor)
  return seen
}

function expectedLines(content: string): Seen[] {
  const seen: Seen[] = []
  let byteOffset = 0
  const lines = content.split('\n')
  for (const [index, line] of lines.entries()) {
    const isOversized = line.length > MAX_LINE_BYTES
    const isEnded = isOversized || index < lines.length - 1
    if (line.length > 0) seen.push({ byteOffset, bytes: line.length, isOversized, isEnded })
    byteOffset += line.length + 1
  }
  return seen
}
