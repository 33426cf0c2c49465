import { execFileSync } from 'node:child_process'
import { existsSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GLOB_MAX_PATHS, GREP_MAX_MATCHES } from '@common/constants'
import type { ToolInput, ToolOutput } from '@common/tools/tool-contracts'
import { glob } from './glob'
import { grep } from './grep'
import { ripgrep, ripgrepPath, unpackedPath } from './ripgrep'
import { tempProject } from './testing/temp-project'
import type { ToolRun } from './tool-types'

const project = tempProject()
afterAll(() => project.remove())
const at = (file: string): string => path.join(project.root, file)

beforeAll(() => {
  execFileSync('git', ['init', '-q'], { cwd: project.root })
  project.write('.gitignore', 'node_modules\ngenerated.ts\n')
  project.write('src/a.ts', 'const needle = 1\n')
  project.write('src/deep/b.tsx', 'needle\r\nNEEDLE (a.b)\n')
  project.write('.hidden/c.ts', 'needle\n')
  project.write('node_modules/x/d.ts', 'needle\n')
  project.write('generated.ts', 'needle\n')
  project.write('.git/needle.ts', 'needle\n')
  project.write('.tidemark/agents/needle.md', 'needle\n')
  project.write('bin.dat', Buffer.from('needle\0needle\n'))
  project.write('../outside/o.ts', 'needle\n')
  symlinkSync(project.outside, at('exit'))
  let seconds = 1_000
  for (const file of ['.hidden/c.ts', 'src/a.ts', 'src/deep/b.tsx']) utimesSync(at(file), seconds, seconds++)
})

async function globbed(input: ToolInput<'glob'>, overrides: Partial<ToolRun> = {}): Promise<ToolOutput<'glob'>> {
  const outcome = await glob.execute(input, project.run(overrides))
  if (outcome.kind !== 'done') throw new Error(`${outcome.kind}: ${outcome.message}`)
  return outcome.output
}

async function grepped(input: ToolInput<'grep'>, overrides: Partial<ToolRun> = {}): Promise<ToolOutput<'grep'>> {
  const outcome = await grep.execute(input, project.run(overrides))
  if (outcome.kind !== 'done') throw new Error(`${outcome.kind}: ${outcome.message}`)
  return outcome.output
}

async function files(input: ToolInput<'grep'>): Promise<string[]> {
  return [...new Set((await grepped(input)).matches.map((match) => match.path))]
}

test('O-1: glob lists files newest first, hidden ones too, without what is ignored or protected', async () => {
  expect(await globbed({ pattern: '**/*.{ts,tsx}' })).toEqual({
    paths: ['src/deep/b.tsx', 'src/a.ts', '.hidden/c.ts'],
    total: 3,
    truncated: false
  })
  expect((await globbed({ pattern: '*.tsx' })).paths).toEqual(['src/deep/b.tsx'])
  expect((await globbed({ pattern: 'src/*.ts' })).paths).toEqual(['src/a.ts'])
  expect((await globbed({ pattern: '*.tsx', path: 'src' })).paths).toEqual(['src/deep/b.tsx'])
  expect((await globbed({ pattern: `${project.root}/src/*.ts` })).paths).toEqual(['src/a.ts'])
  expect((await globbed({ pattern: 'nothing' })).paths).toEqual([])
})

test('O-1: grep finds lines with their numbers, in the order of the paths', async () => {
  expect(await grepped({ pattern: 'needle' })).toEqual({
    matches: [
      { path: '.hidden/c.ts', line: 1, text: 'needle' },
      { path: 'src/a.ts', line: 1, text: 'const needle = 1' },
      { path: 'src/deep/b.tsx', line: 1, text: 'needle' }
    ],
    total: 3,
    truncated: false
  })
  expect((await grepped({ pattern: '(a.b)', literal: true })).total).toBe(1)
  expect((await grepped({ pattern: 'NEEDLE', ignore_case: true, path: 'src/deep/b.tsx' })).total).toBe(2)
  expect(await files({ pattern: 'needle', glob: '*.tsx' })).toEqual(['src/deep/b.tsx'])
  expect(await files({ pattern: 'needle', glob: 'src/**' })).toEqual(['src/a.ts', 'src/deep/b.tsx'])
  expect(await files({ pattern: 'needle', glob: 'deep/*.tsx', path: 'src' })).toEqual(['src/deep/b.tsx'])
  expect(await files({ pattern: 'needle', glob: '!*.tsx' })).toEqual(['.hidden/c.ts', 'src/a.ts'])
  expect((await grepped({ pattern: 'needle\\r?\\nNEEDLE' })).matches.map((match) => match.line)).toEqual([1, 2])
})

test('O-2: what is protected or outside is searched only when it is named and allowed', async () => {
  expect(await grep.execute({ pattern: 'needle', path: '.git' }, project.run())).toMatchObject({ kind: 'failed' })
  expect(
    (await grepped({ pattern: 'needle', path: '.git' }, { allowedPaths: [path.join(project.root, '.git')] })).total
  ).toBe(1)
  for (const folder of ['exit', '..', project.outside]) {
    expect(await glob.execute({ pattern: '**', path: folder }, project.run())).toMatchObject({ kind: 'failed' })
    expect(
      (
        await globbed(
          { pattern: '*.ts', path: folder },
          { allowedPaths: [project.outside, path.dirname(project.root)] }
        )
      ).paths
    ).toContain(`${project.outside}/o.ts`)
  }
})

test('O-1: a regular expression or a glob that is none fails with words', async () => {
  expect(await grep.execute({ pattern: '(' }, project.run())).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('unclosed group')
  })
  expect(await grep.execute({ pattern: '(?=x)' }, project.run())).toMatchObject({ kind: 'failed' })
  expect(await grep.execute({ pattern: 'a\0b' }, project.run())).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('NUL')
  })
  expect(await grep.execute({ pattern: 'x', glob: '{a,b}'.repeat(20) }, project.run())).toMatchObject({
    kind: 'failed'
  })
  expect(await glob.execute({ pattern: '{a,b}'.repeat(20) }, project.run())).toMatchObject({ kind: 'failed' })
  expect(await glob.execute({ pattern: '**', path: 'missing' }, project.run())).toMatchObject({
    kind: 'failed',
    message: 'missing does not exist.'
  })
  expect(await glob.execute({ pattern: '**', path: 'src/a.ts' }, project.run())).toMatchObject({ kind: 'failed' })
  expect(
    await grep.execute({ pattern: 'x', path: '/dev/zero' }, project.run({ allowedPaths: ['/dev/zero'] }))
  ).toMatchObject({
    kind: 'failed'
  })
})

test('O-2: names and patterns that look like options or commands are only names and patterns', async () => {
  for (const name of [
    '--files',
    '-e',
    '$(touch pwned)',
    '; touch pwned;',
    '`touch pwned`',
    '\'quote".txt',
    'new\nline.txt',
    '-rf/--pre=x'
  ])
    project.write(`odd/${name}`, 'odd-content\n')
  const found = await files({ pattern: 'odd-content' })
  expect(found).toContain('odd/new\nline.txt')
  expect(found).toHaveLength(8)
  expect((await globbed({ pattern: 'odd/**' })).total).toBe(8)
  expect((await grepped({ pattern: '--pre=touch', path: 'odd/--files' })).total).toBe(0)
  expect((await grepped({ pattern: 'odd', path: 'odd/-e' })).total).toBe(1)
  expect((await grepped({ pattern: '-e' })).total).toBe(0)
  for (const pattern of ['--pre=touch pwned', '--files', '!**'])
    expect((await globbed({ pattern })).total).toBeLessThan(2)
  expect((await grepped({ pattern: 'odd', glob: '--pre=touch' })).total).toBe(0)
  expect(existsSync(at('pwned'))).toBe(false)
})

test('O-1: long lines are cut, many matches and paths are capped and counted', async () => {
  project.write('many/long.txt', `${'y'.repeat(100_000)}haystack\n`)
  const [match] = (await grepped({ pattern: 'y+haystack' })).matches
  expect(match?.text.length).toBeLessThan(600)
  expect(match?.text).toContain('[... omitted end of long line]')
  project.write('many/lines.txt', 'straw\n'.repeat(GREP_MAX_MATCHES + 50))
  const capped = await grepped({ pattern: 'straw' })
  expect([capped.matches.length, capped.total, capped.truncated]).toEqual([
    GREP_MAX_MATCHES,
    GREP_MAX_MATCHES + 50,
    true
  ])
  for (let file = 0; file < GLOB_MAX_PATHS + 5; file++) project.write(`lots/${file}.x`, '')
  const listed = await globbed({ pattern: '*.x' })
  expect([listed.paths.length, listed.total, listed.truncated]).toEqual([GLOB_MAX_PATHS, GLOB_MAX_PATHS + 5, true])
})

test('O-1: a binary file that is named is told as no match, and its notice is never taken for one', async () => {
  expect((await grepped({ pattern: 'needle', path: 'bin.dat' })).matches).toEqual([])
})

test('O-2: a search ends at its time limit and at an abort', async () => {
  const endless = (overrides: { abortSignal?: AbortSignal; timeoutMs?: number }) =>
    // Standard input is empty for every search; a FIFO keeps this one waiting.
    ripgrep({
      args: ['--regexp=x', '--', at('fifo')],
      cwd: project.root,
      env: {},
      abortSignal: new AbortController().signal,
      separator: 10,
      onRecord: () => true,
      ...overrides
    })
  execFileSync('mkfifo', [at('fifo')])
  expect(await endless({ timeoutMs: 50 })).toEqual({ ok: true, value: 'timeout' })
  const controller = new AbortController()
  const running = endless({ abortSignal: controller.signal })
  setImmediate(() => controller.abort())
  expect(await running).toEqual({ ok: true, value: 'aborted' })
  const outcome = await grep.execute({ pattern: 'x' }, project.run({ abortSignal: controller.signal }))
  expect(outcome.kind).toBe('interrupted')
})

test('O-1: the binary is found, and beside the archive in a packaged app', () => {
  expect(existsSync(ripgrepPath())).toBe(true)
  expect(unpackedPath('/opt/app/resources/app.asar/node_modules/rg')).toBe(
    '/opt/app/resources/app.asar.unpacked/node_modules/rg'
  )
  expect(unpackedPath('C:\\app\\app.asar\\rg.exe')).toBe('C:\\app\\app.asar.unpacked\\rg.exe')
})
