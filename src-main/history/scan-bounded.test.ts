import { mkdirSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import { workspacePathsOf } from '../files/app-paths'
import { silentLog } from '../files/log'
import type { HistoryFiles } from './history-files'
import { scanBounded } from './scan-bounded'
import { ScanCarry } from './scan-carry'
import type { ScanCursor, ScanOptions } from './scan-types'
import { type ObservedFileSystem, observeFileSystem } from './testing/faulty-file-system'
import { inForm, isLong } from './testing/long-form'
import { personRow, rolloverBatch } from './testing/row-builders'
import { tempWorkspace } from './testing/temp-workspace'

interface Seen {
  readonly text: string
  readonly window: number
  readonly byteOffset: number
  readonly isEnded: boolean
}

interface Chain {
  readonly seen: Seen[]
  readonly skipped: number
  readonly calls: number
  readonly bytesRead: number
}

function writeWindows(contents: readonly string[]): { files: HistoryFiles; observed: ObservedFileSystem } {
  const workspace = tempWorkspace()
  mkdirSync(workspace.path('windows'))
  for (const [index, content] of contents.entries())
    writeFileSync(workspace.path('windows', `w-${index * 10}.jsonl`), content)
  const observed = observeFileSystem()
  return {
    observed,
    files: { fs: observed.fs, paths: workspacePathsOf(workspace.dir), log: silentLog, isDurable: false }
  }
}

function scanAll(
  files: HistoryFiles,
  windows: readonly number[],
  options: Omit<ScanOptions, 'startCursor'>,
  carry: ScanCarry | null,
  stopEvery = Infinity
): Chain {
  const seen: Seen[] = []
  let [skipped, calls, bytesRead] = [0, 0, 0]
  let startCursor: ScanCursor | null = null
  do {
    const result = scanBounded(
      files,
      { ...options, startCursor },
      {
        line({ buffer, start, end, window, byteOffset, isEnded }) {
          seen.push({ text: buffer.toString('utf8', start, end), window, byteOffset, isEnded })
          return seen.length % stopEvery === 0 ? 'stop' : 'go-on'
        }
      },
      { windows, epoch: 'e', carry }
    )
    expect(result.rowsVisited).toBeLessThanOrEqual(options.maxRows)
    expect(result.exhausted).toBe(result.cursor === null)
    if (carry !== null) expect(result.bytesRead).toBeLessThanOrEqual(options.maxBytes)
    skipped += result.skippedOversizedRows
    bytesRead += result.bytesRead
    startCursor = result.cursor
    calls++
  } while (startCursor !== null)
  return { seen, skipped, calls, bytesRead }
}

function expected(contents: readonly string[], maxLineBytes: number): { seen: Seen[]; skipped: number } {
  const seen: Seen[] = []
  let skipped = 0
  for (const [index, content] of contents.entries()) {
    let byteOffset = 0
    const lines = content.split('\n')
    for (const [at, text] of lines.entries()) {
      if (text.length > maxLineBytes) skipped++
      else if (text !== '') seen.push({ text, window: index * 10, byteOffset, isEnded: at < lines.length - 1 })
      byteOffset += text.length + 1
    }
  }
  return { seen, skipped }
}

const lineLength = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 60, max: 5_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5_000, max: 400_000 }) }
)
const content = fc
  .tuple(fc.array(lineLength, { maxLength: 14 }), fc.boolean())
  .map(
    ([lengths, isEnded]) =>
      lengths.map((length, at) => String.fromCharCode(97 + (at % 26)).repeat(length)).join('\n') + (isEnded ? '\n' : '')
  )

test('H-9 a chain of calls visits every line once, forward and backward, whatever the bounds, and reads no byte twice', () => {
  fc.assert(
    fc.property(
      fc.array(content, { minLength: 1, maxLength: 4 }),
      fc.record({
        direction: fc.constantFrom('forward' as const, 'backward' as const),
        maxBytes: fc.integer({ min: 1_000, max: 600_000 }),
        maxRows: fc.integer({ min: 1, max: 9 }),
        maxLineBytes: fc.constantFrom(40, 3_000, 300_000)
      }),
      fc.constantFrom(1, 3, Infinity),
      fc.boolean(),
      (contents, options, stopEvery, isCarried) => {
        const { files, observed } = writeWindows(contents)
        const windows = contents.map((_, index) => index * 10)
        const chain = scanAll(files, windows, options, isCarried ? new ScanCarry() : null, stopEvery)
        const all = expected(contents, options.maxLineBytes)
        expect(chain.skipped).toBe(all.skipped)
        expect(chain.seen).toEqual(options.direction === 'forward' ? all.seen : all.seen.toReversed())
        expect(observed.bytesRead('')).toBe(chain.bytesRead)
        if (isCarried) expect(chain.bytesRead).toBe(contents.join('').length)
      }
    ),
    { seed: 9, numRuns: inForm({ quick: 50, full: 150, long: 3_000 }) }
  )
})

test.each(['forward', 'backward'] as const)(
  'H-9 2 MiB a call, resumed %s in the middle of a line: no byte is read twice',
  (direction) => {
    const lines = Array.from({ length: 40 }, (_, at) => `${at}`.padEnd(at % 7 === 0 ? 700_000 : 90_000, 'x'))
    const { files, observed } = writeWindows([`${lines.join('\n')}\n`, `${lines.join('\n')}\n`])
    const total = 2 * (lines.join('\n').length + 1)
    const options = { direction, maxBytes: 8 * SCAN_STEP_BYTES, maxRows: 500, maxLineBytes: MAX_LINE_BYTES }
    const chain = scanAll(files, [0, 10], options, new ScanCarry())
    expect(chain.seen).toHaveLength(80)
    expect(chain.calls).toBe(Math.ceil(total / options.maxBytes))
    expect(observed.bytesRead('.jsonl')).toBe(total)
    expect(observed.calls.filter(({ name, bytes }) => name === 'read' && bytes > SCAN_STEP_BYTES)).toEqual([])
  }
)

test.each(['forward', 'backward'] as const)(
  'H-9 a 64 MiB line is passed over and counted once, over many calls %s',
  (direction) => {
    const { files, observed } = writeWindows([`before\n${'z'.repeat(isLong ? 67_108_864 : 9_000_000)}\nafter\n`])
    const options = { direction, maxBytes: 2_097_152, maxRows: 500, maxLineBytes: MAX_LINE_BYTES }
    const chain = scanAll(files, [0], options, new ScanCarry())
    expect(chain.skipped).toBe(1)
    expect(chain.seen.map(({ text }) => text).toSorted()).toEqual(['after', 'before'])
    expect(observed.bytesRead('.jsonl')).toBe(chain.bytesRead)
  }
)

test('H-9 a line of exactly the limit is visited, one byte more is counted', () => {
  const { files } = writeWindows([`${'a'.repeat(MAX_LINE_BYTES)}\n${'b'.repeat(MAX_LINE_BYTES + 1)}\n`])
  for (const direction of ['forward', 'backward'] as const) {
    const chain = scanAll(
      files,
      [0],
      { direction, maxBytes: 2_097_152, maxRows: 5, maxLineBytes: MAX_LINE_BYTES },
      null
    )
    expect(chain.seen.map(({ text }) => text.length)).toEqual([MAX_LINE_BYTES])
    expect(chain.skipped).toBe(1)
  }
})

test('H-9 bytes carried from another state of the file are not used', () => {
  const { files } = writeWindows(['one\ntwo\nthree\n'])
  const carry = new ScanCarry()
  const options = { direction: 'backward' as const, maxBytes: 100, maxRows: 1, maxLineBytes: 50 }
  const first = scanBounded(
    files,
    { ...options, startCursor: null },
    { line: () => 'go-on' },
    { windows: [0], epoch: 'e', carry }
  )
  writeFileSync(`${files.paths.windows}/w-0.jsonl`, 'ONE\nTWO\nTHREE\n')
  const seen: string[] = []
  const visitor = {
    line({ buffer, start, end }: { buffer: Buffer; start: number; end: number }): 'go-on' {
      seen.push(buffer.toString('utf8', start, end))
      return 'go-on'
    }
  }
  scanBounded(files, { ...options, startCursor: first.cursor, maxRows: 9 }, visitor, {
    windows: [0],
    epoch: 'f',
    carry
  })
  expect(seen).toEqual(['TWO', 'ONE'])
})

test('H-9 the store scans between its appends', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a'), personRow('b')])
  await store.appendMany(rolloverBatch('r'))
  const ids: string[] = []
  const scanned = await store.scanBounded(
    { direction: 'backward', startCursor: null, maxBytes: 2_097_152, maxRows: 4, maxLineBytes: MAX_LINE_BYTES },
    {
      line({ buffer, start, end }) {
        ids.push((JSON.parse(buffer.toString('utf8', start, end)) as { id: string }).id)
        return 'go-on'
      }
    }
  )
  expect(ids).toEqual(['r-continue', 'r-lead-in', 'r-boundary', 'b'])
  expect(scanned.ok && scanned.value).toMatchObject({
    exhausted: false,
    skippedOversizedRows: 0,
    cursor: { window: 0 }
  })
  await store.close()
})
