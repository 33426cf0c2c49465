import { chmodSync, existsSync, linkSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { applyPatch } from 'diff'
import { afterAll, expect, test } from 'vitest'
import { MAX_STORED_DIFF_CHARS } from '@common/constants'
import type { ToolInput, ToolOutput } from '@common/tools/tool-contracts'
import { changeDiff } from './change-diff'
import { fileEdit } from './file-edit'
import { fileWrite } from './file-write'
import { tempProject } from './testing/temp-project'

const project = tempProject()
afterAll(() => project.remove())
const at = (file: string): string => path.join(project.root, file)
const text = (file: string): string => readFileSync(at(file), 'utf8')

async function edit(input: ToolInput<'file_edit'>): Promise<ToolOutput<'file_edit'>> {
  const outcome = await fileEdit.execute(input, project.run())
  if (outcome.kind !== 'done') throw new Error(outcome.message)
  return outcome.output
}

async function editFailure(old_string: string, new_string = 'new', file = 'a.ts'): Promise<string> {
  const outcome = await fileEdit.execute({ path: file, old_string, new_string }, project.run())
  return outcome.kind === 'failed' ? outcome.message : `unexpected ${outcome.kind}`
}

async function write(file: string, content: string): Promise<ToolOutput<'file_write'>> {
  const outcome = await fileWrite.execute({ path: file, content }, project.run())
  if (outcome.kind !== 'done') throw new Error(outcome.message)
  return outcome.output
}

test('O-1: file_write makes folders, keeps the mode of a file and tells the diff', async () => {
  expect(await write('new/deep/a.txt', 'one\ntwo\n')).toMatchObject({
    path: 'new/deep/a.txt',
    created: true,
    bytes: 8,
    added: 2,
    removed: 0
  })
  chmodSync(at('new/deep/a.txt'), 0o750)
  const output = await write('new/deep/a.txt', 'one\n2\n')
  expect(output).toMatchObject({ created: false, added: 1, removed: 1, diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2' })
  expect(text('new/deep/a.txt')).toBe('one\n2\n')
  expect(statSync(at('new/deep/a.txt')).mode & 0o777).toBe(0o750)
  expect(readdirSync(at('new/deep'))).toEqual(['a.txt'])
  expect(await write('new/deep/a.txt', 'one\n2\n')).toMatchObject({
    diff: '',
    note: 'The file already had this content.'
  })
})

test('O-1: file_write refuses a folder, a device and a file used as a folder', async () => {
  for (const file of ['new', 'new/deep/a.txt/b', '/dev/null']) {
    const outcome = await fileWrite.execute({ path: file, content: 'x' }, project.run({ allowedPaths: ['/dev/null'] }))
    expect([file, outcome.kind]).toEqual([file, 'failed'])
  }
})

test('O-2: no link leads a write out of the project, and a link inside it stays a link', async () => {
  symlinkSync(project.outside, at('exit'))
  symlinkSync(path.join(project.outside, 'made.txt'), at('dangling'))
  for (const file of ['exit/x.txt', 'dangling', '../outside/x.txt', '.git/hooks/x', '.tidemark/agents/x.md']) {
    const outcome = await fileWrite.execute({ path: file, content: 'x' }, project.run())
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('nobody allowed that') })
  }
  expect(readdirSync(project.outside)).toEqual([])
  expect(existsSync(at('.git'))).toBe(false)
  project.write('real.txt', 'old')
  symlinkSync('real.txt', at('alias.txt'))
  await write('alias.txt', 'new')
  expect(text('real.txt')).toBe('new')
})

test('O-2: a hard link to a file elsewhere is parted, the other name keeps its content', async () => {
  project.write('../outside/shared.txt', 'theirs')
  linkSync(path.join(project.outside, 'shared.txt'), at('shared.txt'))
  await write('shared.txt', 'mine')
  expect(readFileSync(path.join(project.outside, 'shared.txt'), 'utf8')).toBe('theirs')
  rmSync(path.join(project.outside, 'shared.txt'))
})

test('O-1: file_edit replaces exactly once, or everywhere when asked', async () => {
  project.write('a.ts', 'let a = 1\nlet b = 1\n')
  expect(await edit({ path: 'a.ts', old_string: 'a = 1', new_string: 'a = $& $1' })).toMatchObject({
    replacements: 1,
    added: 1,
    removed: 1
  })
  expect(text('a.ts')).toBe('let a = $& $1\nlet b = 1\n')
  expect(await edit({ path: 'a.ts', old_string: 'let', new_string: 'const', replace_all: true })).toMatchObject({
    replacements: 2
  })
})

test('O-1: file_edit fails clearly on no match, several matches, no change', async () => {
  project.write('a.ts', 'function a() {\n\treturn 1\n}\nx\nx\n')
  expect(await editFailure('x')).toBe(
    'old_string was found 2 times in a.ts, at lines 4, 5. Give more of the text around it, or set replace_all.'
  )
  expect(await editFailure('function a() {\n  return 1\n}')).toContain(
    'The same lines with other white space begin at line 1'
  )
  expect(await editFailure('function a() {\n  return 2\n}')).toContain(
    'Its first line is at line 1; what follows there differs.'
  )
  expect(await editFailure('nowhere')).toContain('was not found in a.ts')
  expect(await editFailure('x', 'x')).toContain('nothing would change')
  expect(await editFailure('x', 'y', 'missing.ts')).toBe('missing.ts does not exist.')
  expect(text('a.ts')).toBe('function a() {\n\treturn 1\n}\nx\nx\n')
})

test('O-1: file_edit keeps the line endings of the file', async () => {
  project.write('crlf.txt', '\ufeffa\r\nb\r\nc\r\n')
  const output = await edit({ path: 'crlf.txt', old_string: 'a\nb', new_string: 'A\nB\nBB' })
  expect(text('crlf.txt')).toBe('\ufeffA\r\nB\r\nBB\r\nc\r\n')
  expect(output.note).toContain('CRLF')
  await edit({ path: 'crlf.txt', old_string: 'c', new_string: 'c\nd' })
  expect(text('crlf.txt')).toBe('\ufeffA\r\nB\r\nBB\r\nc\r\nd\r\n')
  project.write('lf.txt', 'a\nb\n')
  await edit({ path: 'lf.txt', old_string: 'a\r\nb', new_string: 'x\r\ny' })
  expect(text('lf.txt')).toBe('x\ny\n')
})

test('O-1: file_edit leaves bytes that are no UTF-8 as they are', async () => {
  project.write('latin1.txt', Buffer.from([0xe4, 0x61, 0xff, 0x62]))
  await edit({ path: 'latin1.txt', old_string: 'a', new_string: 'ü' })
  expect([...readFileSync(at('latin1.txt'))]).toEqual([0xe4, 0xc3, 0xbc, 0xff, 0x62])
})

test('A-3: the preview shows exactly what will change, and changes nothing', async () => {
  project.write('p.txt', 'old\n')
  const touch = await fileEdit.touch({ path: 'p.txt', old_string: 'old', new_string: 'new' }, project.run())
  expect(touch).toMatchObject({
    ok: true,
    value: {
      effect: 'edit',
      outside: false,
      paths: [at('p.txt')],
      subject: { kind: 'change', diff: '@@ -1,1 +1,1 @@\n-old\n+new', created: false }
    }
  })
  expect(await fileWrite.touch({ path: '../outside/n.txt', content: 'x' }, project.run())).toMatchObject({
    ok: true,
    value: { outside: true, subject: { created: true } }
  })
  expect((await fileEdit.touch({ path: 'p.txt', old_string: 'none', new_string: 'new' }, project.run())).ok).toBe(false)
  expect(text('p.txt')).toBe('old\n')
  expect(readdirSync(project.outside)).toEqual([])
})

test('O-1: a diff leads from the old text to the new one, small or given up on', () => {
  const lines = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '  x'), { maxLength: 30 })
    .map((all) => all.map((line) => `${line}\n`).join(''))
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const { diff } = changeDiff('f', before, after, 1_000_000)
      if (before === after) expect(diff).toBe('')
      else expect(applyPatch(before, `--- f\n+++ f\n${diff}\n`)).toBe(after)
    }),
    { seed: 4 }
  )
  const [old, now] = ['a', 'b'].map((name) => Array.from({ length: 3_000 }, (_, line) => `${name}${line}\n`).join(''))
  const big = changeDiff('f', `same\n${old}`, `same\n${now}`, 5_000_000)
  expect([big.added, big.removed]).toEqual([3_000, 3_000])
  expect(applyPatch(`same\n${old}`, `--- f\n+++ f\n${big.diff}\n`)).toBe(`same\n${now}`)
  const cut = changeDiff('f', old ?? '', now ?? '', MAX_STORED_DIFF_CHARS)
  expect(cut.diff.length).toBeLessThan(MAX_STORED_DIFF_CHARS + 100)
  expect(cut.diff).toMatch(/more lines of the diff$/)
})
