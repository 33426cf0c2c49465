import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGuarded } from './open-guarded'
import { pathFormProblem } from './path-form'
import { guardForRun, guardPath } from './path-guard'
import { tempProject } from './testing/temp-project'

const project = tempProject()
const { root, outside } = project
afterAll(() => project.remove())

beforeAll(() => {
  project.write('src/a.ts', 'a')
  project.write('../outside/secret.txt', 'secret')
  symlinkSync(outside, path.join(root, 'link-out'))
  symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'file-out'))
  symlinkSync(path.join(outside, 'not-yet.txt'), path.join(root, 'dangling'))
  symlinkSync('src', path.join(root, 'link-in'))
  symlinkSync('loop-b', path.join(root, 'loop-a'))
  symlinkSync('loop-a', path.join(root, 'loop-b'))
  symlinkSync('.git', path.join(root, 'innocent'))
  mkdirSync(path.join(root, '.git'))
})

async function placeOf(input: string): Promise<string> {
  const guarded = await guardPath(root, input)
  return guarded.ok ? `${guarded.value.place} ${guarded.value.relative}` : `refused: ${guarded.error}`
}

test('O-2: paths are resolved against the project, links followed', async () => {
  expect(await placeOf('src/a.ts')).toBe('inside src/a.ts')
  expect(await placeOf('./src/../src/new/file.ts')).toBe('inside src/new/file.ts')
  expect(await placeOf(path.join(root, 'src'))).toBe('inside src')
  expect(await placeOf('.')).toBe('inside .')
  expect(await placeOf('link-in/a.ts')).toBe('inside src/a.ts')
})

test('O-2: .. , absolute paths, the home folder and links that leave are outside', async () => {
  expect(await placeOf('../outside/secret.txt')).toBe(`outside ${outside}/secret.txt`)
  expect(await placeOf('src/../../outside')).toBe(`outside ${outside}`)
  expect(await placeOf('/etc/passwd')).toMatch(/^outside \/etc\/passwd/)
  expect(await placeOf('~/x')).toMatch(new RegExp(`^outside ${homedir()}`))
  expect(await placeOf('link-out/secret.txt')).toBe(`outside ${outside}/secret.txt`)
  expect(await placeOf('link-out/new/file')).toBe(`outside ${outside}/new/file`)
  expect(await placeOf('file-out')).toBe(`outside ${outside}/secret.txt`)
  expect(await placeOf('dangling')).toBe(`outside ${outside}/not-yet.txt`)
  expect(await placeOf(`${root}-sibling/x`)).toBe(`outside ${root}-sibling/x`)
})

test('A-3: .git and .tidemark are protected, through links and in other letter cases too', async () => {
  expect(await placeOf('.git/hooks/pre-commit')).toBe('protected .git/hooks/pre-commit')
  expect(await placeOf('innocent/config')).toBe('protected .git/config')
  expect(await placeOf('.TIDEMARK/agents/x.md')).toBe('protected .TIDEMARK/agents/x.md')
  expect(await placeOf('src/.git')).toBe('protected src/.git')
})

test('O-2: forms that no file has are refused with words', async () => {
  for (const input of [
    '',
    '  ',
    'a\0b',
    'x'.repeat(5_000),
    'file:///etc/passwd',
    'C:\\Windows',
    '\\\\server\\share',
    'loop-a',
    'src/a.ts/b'
  ])
    expect([input.slice(0, 20), (await placeOf(input)).startsWith('refused: ')]).toEqual([input.slice(0, 20), true])
  for (const input of ['C:foo', 'CON', 'src\\nul.txt', 'a.txt:stream', '\\\\?\\C:\\x', '\\\\.\\PhysicalDrive0', 'com1'])
    expect([input, pathFormProblem(input, 'win32') !== null]).toEqual([input, true])
  for (const input of ['C:\\x', 'D:/x', 'src\\a.ts', 'console.ts', 'comic'])
    expect([input, pathFormProblem(input, 'win32')]).toEqual([input, null])
})

test('O-2: no spelling of dots and separators leaves the project unnoticed', async () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    'src',
    'a.ts',
    '',
    '\uff0e\uff0e',
    '%2e%2e',
    '..\u200b',
    'link-in',
    'link-out',
    '. .',
    '...'
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
      const guarded = await guardPath(root, pieces.join('/'))
      if (!guarded.ok) return
      const { absolute, place } = guarded.value
      const isBelow = absolute === root || absolute.startsWith(`${root}/`)
      expect(place === 'outside').toBe(!isBelow)
      expect(absolute.split('/')).not.toContain('..')
    }),
    { seed: 9, numRuns: 300 }
  )
})

test('O-2: what the approval does not cover is refused again when the call runs', async () => {
  const run = project.run()
  expect(await guardForRun(run, 'file-out')).toMatchObject({
    ok: false,
    error: expect.stringContaining('outside the project')
  })
  expect(await guardForRun(run, 'innocent/config')).toMatchObject({
    ok: false,
    error: expect.stringContaining('nobody allowed')
  })
  for (const file of ['file-out', 'innocent/config']) {
    const guarded = await guardPath(root, file)
    const allowedPaths = guarded.ok ? [guarded.value.absolute] : []
    expect((await guardForRun({ ...run, allowedPaths }, file)).ok).toBe(true)
    // Leave for one path is none for another.
    expect((await guardForRun({ ...run, allowedPaths }, '../elsewhere')).ok).toBe(false)
  }
})

test('O-2: a link put in place of a file after the check is not followed', async () => {
  project.write('swap/file.txt', 'mine')
  const guarded = await guardPath(root, 'swap/file.txt')
  if (!guarded.ok) throw new Error(guarded.error)
  rmSync(path.join(root, 'swap/file.txt'))
  symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'swap/file.txt'))
  expect(await openGuarded(guarded.value)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('symbolic link') }
  })
  renameSync(path.join(root, 'swap'), path.join(root, 'swap-old'))
  symlinkSync(outside, path.join(root, 'swap'))
  writeFileSync(path.join(outside, 'file.txt'), 'theirs')
  expect(await openGuarded(guarded.value)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('was replaced') }
  })
})

test('O-2: a FIFO, a device and a socket are refused at once', async () => {
  execFileSync('mkfifo', [path.join(root, 'pipe')])
  for (const input of ['pipe', '/dev/zero', '/dev/tty']) {
    const guarded = await guardPath(root, input)
    const opened = guarded.ok ? await openGuarded(guarded.value) : guarded
    expect([input, opened]).toEqual([
      input,
      { ok: false, error: { kind: 'other', message: expect.stringContaining('only regular files') } }
    ])
  }
})

test('O-2: a missing project folder is said, not thrown', async () => {
  expect(await guardPath(path.join(root, 'gone'), 'x')).toEqual({
    ok: false,
    error: 'x: the project folder is not there.'
  })
})
