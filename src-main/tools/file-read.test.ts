import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { MAX_TOOL_RESULT_BYTES } from '@common/constants'
import type { ToolOutput } from '@common/tools/tool-contracts'
import { fileRead } from './file-read'
import { jsonBytes } from './json-bytes'
import { tempProject } from './testing/temp-project'

const project = tempProject()
afterAll(() => project.remove())

async function read(input: { path: string; offset?: number; limit?: number }): Promise<ToolOutput<'file_read'>> {
  const outcome = await fileRead.execute(input, project.run())
  if (outcome.kind !== 'done') throw new Error(outcome.message)
  return outcome.output
}

async function failure(file: string, offset?: number): Promise<string> {
  const outcome = await fileRead.execute({ path: file, ...(offset ? { offset } : {}) }, project.run())
  return outcome.kind === 'failed' ? outcome.message : `unexpected ${outcome.kind}`
}

test('O-1: reads numbered lines and ranges of them', async () => {
  project.write('a.txt', 'one\ntwo\nthree\nfour\n')
  expect(await read({ path: 'a.txt' })).toEqual({
    path: 'a.txt',
    content: '1\tone\n2\ttwo\n3\tthree\n4\tfour',
    first_line: 1,
    last_line: 4,
    total_lines: 4
  })
  expect(await read({ path: 'a.txt', offset: 2, limit: 2 })).toMatchObject({
    content: '2\ttwo\n3\tthree',
    total_lines: 4,
    note: '1 more lines. Go on with offset 4.'
  })
  expect(await failure('a.txt', 9)).toBe('a.txt has only 4 lines; offset 9 is beyond.')
})

test('O-1: an empty file, CRLF, a byte order mark and bytes that are no UTF-8 are told, not hidden', async () => {
  project.write('empty', '')
  expect(await read({ path: 'empty' })).toMatchObject({
    content: '',
    last_line: 0,
    total_lines: 0,
    note: 'The file is empty.'
  })
  project.write('crlf', 'a\r\nb\r\n')
  expect(await read({ path: 'crlf' })).toMatchObject({
    content: '1\ta\r\n2\tb\r',
    note: expect.stringContaining('CRLF')
  })
  project.write('bom', '\ufeffa\nb')
  expect(await read({ path: 'bom' })).toMatchObject({
    content: '1\ta\n2\tb',
    note: expect.stringContaining('byte order mark')
  })
  project.write('latin1', Buffer.from([0x61, 0xe4, 0x62, 0x0a]))
  expect(await read({ path: 'latin1' })).toMatchObject({
    content: '1\ta\ufffdb',
    note: expect.stringContaining('not UTF-8')
  })
})

test('O-1: binary files, folders, devices and missing files fail with words that help', async () => {
  project.write('x.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))
  expect(await failure('x.png')).toBe('x.png is not text: a PNG image, 6 bytes. It was not read.')
  project.write('x.bin', Buffer.from('abc\0def'))
  expect(await failure('x.bin')).toContain('binary data, 7 bytes')
  project.write('wide.txt', Buffer.from('\ufeffhello', 'utf16le'))
  expect(await failure('wide.txt')).toContain('UTF-16 text')
  project.write('folder/inner.ts', '')
  expect(await failure('folder')).toBe('folder is a folder. It holds: inner.ts. Use glob to list files.')
  expect(await failure('folder/INNER.ts')).toBe('folder/INNER.ts does not exist. Beside it there is "inner.ts".')
  project.write('caf\u00e9.txt', 'x')
  expect(await failure('cafe\u0301.txt')).toContain('Beside it there is')
  execFileSync('mkfifo', [path.join(project.root, 'pipe')])
  expect(await failure('pipe')).toContain('named pipe')
  symlinkSync('/etc/passwd', path.join(project.root, 'sneaky'))
  expect(await failure('sneaky')).toContain('outside the project')
  expect(await failure('a\0b')).toContain('NUL')
})

test('O-1: a very long line is cut with a note, at a whole character', async () => {
  project.write('long', `short\n${'🌊'.repeat(5_000)}\nlast`)
  const { content, note } = await read({ path: 'long' })
  expect(content).toMatch(/^1\tshort\n2\t🌊{500} \[… 18000 more bytes\]\n3\tlast$/u)
  expect(note).toContain('1 long lines were cut')
})

test('O-2: what is read always fits into a row, and says where to go on', async () => {
  project.write('big.txt', Array.from({ length: 3_000 }, (_, line) => `${line} "quoted" \u0001`).join('\n'))
  let offset = 1
  const lines: string[] = []
  while (offset <= 3_000) {
    const page = await read({ path: 'big.txt', offset })
    expect(jsonBytes(page)).toBeLessThanOrEqual(MAX_TOOL_RESULT_BYTES)
    lines.push(...page.content.split('\n'))
    offset = page.last_line + 1
  }
  expect(lines).toHaveLength(3_000)
  expect(lines[2_999]).toBe('3000\t2999 "quoted" \u0001')
})

test('O-1: a huge file is read by range without being loaded or counted to its end', async () => {
  const file = openSync(path.join(project.root, 'huge.txt'), 'w')
  writeSync(file, 'first line\nsecond line\n')
  const block = Buffer.from(`${'z'.repeat(1_023)}\n`)
  for (let at = 0; at < 12_000; at++) writeSync(file, block)
  ftruncateSync(file, 400_000_000)
  closeSync(file)
  const before = process.memoryUsage().rss
  expect(await read({ path: 'huge.txt', limit: 1 })).toMatchObject({
    content: '1\tfirst line',
    total_lines: null,
    note: expect.stringContaining('Go on with offset 2')
  })
  expect((await read({ path: 'huge.txt', offset: 9_000, limit: 1 })).content.startsWith('9000\tzzz')).toBe(true)
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
})

test('O-1: an abort ends a read', async () => {
  const controller = new AbortController()
  controller.abort()
  const outcome = await fileRead.execute({ path: 'huge.txt' }, project.run({ abortSignal: controller.signal }))
  expect(outcome.kind).toBe('interrupted')
})

test('O-2: a spill opens as spill:<id>, every character of its longest line can be paged', async () => {
  const text = fc.sample(fc.string({ unit: 'grapheme', minLength: 4_000, maxLength: 9_000 }), { seed: 2, numRuns: 3 })
  for (const long of [...text, '👩‍👩‍👧'.repeat(2_000)].map((one) => one.replace(/[\n\0\r]/g, ' '))) {
    const { id } = await project.spill.write(`head\n${long}\ntail`)
    let joined = ''
    for (let offset = 1, total = 1; offset <= total;) {
      const page = await read({ path: `spill:${id}`, offset, limit: 2 })
      joined += page.content.replace(/^\d+\t/gm, '').replace(/\n/g, '')
      total = page.total_lines ?? 0
      offset = page.last_line + 1
    }
    expect(joined).toBe(`head${long}tail`)
  }
})

test('O-2: only a spill of this workspace opens, by its plain id', async () => {
  for (const id of ['none', '../a.txt', '/etc/passwd', '', 's1/../s1', '.', '..'])
    expect(await failure(`spill:${id}`)).toContain('is not a spill of this workspace')
})
