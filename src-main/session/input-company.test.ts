import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CHANGE_NOTICE_DIFFS_CHARS, MAX_ROW_BYTES, MENTIONED_FILE_MAX_BYTES } from '@common/constants'
import { rowKindOf } from '@common/rows/row-kinds'
import { rowBytes } from '@common/rows/split-row'
import { SeenFiles } from '../tools/seen-files'
import { companyOf } from './input-company'
import { FileTalk, textOf } from './testing/file-talk'

let talk: FileTalk
beforeEach(() => (talk = new FileTalk()))
afterEach(() => talk.project.remove())
const at = (file: string): string => path.join(talk.project.root, file)

test('O-4: a file that somebody else changed is told once, with what changed', async () => {
  talk.project.write('src/a.ts', 'one\ntwo\nthree\n')
  await talk.read('src/a.ts')
  expect(await talk.send('Hello.')).toMatchObject({ notice: null })
  talk.project.write('src/a.ts', 'one\n2\nthree\n')
  const { notice } = await talk.send('Go on.')
  expect(notice).toBe(
    'src/a.ts changed on disk since you last saw it. The person, another program or a command did it; what you ' +
      'remember of the content is out of date.\n\nsrc/a.ts: +1 −1 lines\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three'
  )
  const row = talk.rows.at(-2)
  expect(row).toMatchObject({ role: 'user', metadata: { synthetic: true, uiVisible: true } })
  expect((await talk.send('Again.')).notice).toBeNull()
})

test('O-4: what an agent wrote, edited and mentioned itself is not told', async () => {
  await talk.step(['file_write', { path: 'a.md', content: 'one\n' }])
  await talk.step(['file_edit', { path: 'a.md', old_string: 'one', new_string: 'two' }])
  await talk.send('See @a.md.')
  expect((await talk.send('And?')).notice).toBeNull()
  expect(readFileSync(at('a.md'), 'utf8')).toBe('two\n')
})

test('O-4: calls that run side by side are taken in the order in which they came about', async () => {
  talk.project.write('a.txt', 'a b c\n')
  await talk.read('a.txt')
  await talk.step(['file_edit', { path: 'a.txt', old_string: 'a', new_string: 'x' }])
  await talk.step(['file_edit', { path: 'a.txt', old_string: 'x', new_string: 'y' }])
  // As if the second call of the step had come first: it stands first in the row.
  const parts = talk.rows.slice(-2).flatMap((row) => row.parts)
  talk.rows.splice(-2, 2, { id: 'both', role: 'assistant', parts: parts.toReversed(), metadata: {} })
  expect((await talk.send('Done?')).notice).toBeNull()
})

test('O-4: an edit of a file that somebody changed in between leaves that change to be told', async () => {
  talk.project.write('a.txt', 'one\ntwo\n')
  await talk.read('a.txt')
  appendFileSync(at('a.txt'), 'theirs\n')
  await talk.step(['file_edit', { path: 'a.txt', old_string: 'one', new_string: 'mine' }])
  expect((await talk.send('Go on.')).notice).toContain('+theirs')
  expect((await talk.send('Go on.')).notice).toBeNull()
})

test('O-4: a part of a changed file is no reason to forget what the rest was', async () => {
  talk.project.write('a.txt', 'one\ntwo\nthree\n')
  await talk.read('a.txt')
  talk.project.write('a.txt', 'ONE\ntwo\nthree\n')
  await talk.read('a.txt', { offset: 3 })
  expect((await talk.send('Go on.')).notice).toContain('-one\n+ONE')
  talk.project.write('a.txt', 'ONE\nTWO\nthree\n')
  await talk.read('a.txt')
  expect((await talk.send('Go on.')).notice).toBeNull()
})

test('O-4: what became of a file is said: deleted, moved, back, a folder, a link, not readable, no diff', async () => {
  const names = ['back.txt', 'dir.txt', 'gone.txt', 'link.txt', 'locked.txt', 'moved.txt', 'null.txt'] as const
  for (const name of names) {
    talk.project.write(name, `${name}\n`)
    await talk.read(name)
  }
  writeFileSync(path.join(talk.project.outside, 'secret.txt'), 'the secret\n')
  for (const name of ['back.txt', 'gone.txt', 'dir.txt', 'link.txt']) unlinkSync(at(name))
  mkdirSync(at('dir.txt'))
  symlinkSync(path.join(talk.project.outside, 'secret.txt'), at('link.txt'))
  renameSync(at('moved.txt'), at('elsewhere.txt'))
  writeFileSync(at('null.txt'), Buffer.from([1, 0, 2]))
  chmodSync(at('locked.txt'), 0)
  const isRoot = process.getuid?.() === 0
  const { notice, told } = await talk.send('What now?')
  expect(told).toEqual(names.filter((name) => !isRoot || name !== 'locked.txt'))
  for (const line of [
    'back.txt: deleted, or moved elsewhere',
    'dir.txt: a folder is in its place',
    'gone.txt: deleted, or moved elsewhere',
    'link.txt: it is, or lies behind, a symbolic link now, which was not followed',
    'moved.txt: deleted, or moved elsewhere',
    'null.txt: changed; binary, 3 bytes',
    ...(isRoot ? [] : ['locked.txt: it cannot be read any more'])
  ])
    expect(notice).toContain(line)
  expect(notice).not.toContain('the secret')
  expect((await talk.send('And now?')).notice).toBeNull()
  talk.project.write('back.txt', 'back.txt\n')
  expect((await talk.send('And now?')).notice).toContain('back.txt: the file is there again, 9 bytes')
})

test('O-4: a folder that turned into a link to elsewhere is not followed', async () => {
  talk.project.write('src/a.txt', 'inside\n')
  await talk.read('src/a.txt')
  rmSync(at('src'), { recursive: true })
  writeFileSync(path.join(talk.project.outside, 'a.txt'), 'outside\n')
  symlinkSync(talk.project.outside, at('src'))
  const { notice } = await talk.send('Go on.')
  expect(notice).toContain('src/a.txt: it is, or lies behind, a symbolic link now')
  expect(notice).not.toContain('outside\n')
})

test('O-4: files outside of the project and protected ones are not followed; the plan is', async () => {
  talk.project.write('.git/config', 'one\n')
  const outside = path.join(talk.project.outside, 'o.txt')
  writeFileSync(outside, 'one\n')
  expect(await talk.step(['file_read', { path: outside }], ['file_read', { path: '.git/config' }])).toEqual([
    'output-available',
    'output-available'
  ])
  await talk.step(['file_write', { path: '.tidemark/plans/ws-1.md', content: 'one\n' }])
  for (const file of [outside, '.git/config', '.tidemark/plans/ws-1.md']) talk.project.write(file, 'two\n')
  expect((await talk.send('Go on.')).told).toEqual(['.tidemark/plans/ws-1.md'])
})

test('O-4: a file that was only touched is read once and not told; an untouched one is not read', async () => {
  let reads = 0
  talk.seenFiles = new (class extends SeenFiles {
    override found(...found: Parameters<SeenFiles['found']>): void {
      reads++
      super.found(...found)
    }
  })()
  talk.project.write('a.txt', 'one\n')
  await talk.read('a.txt')
  await talk.send('One.')
  expect(reads).toBe(0)
  utimesSync(at('a.txt'), new Date(), new Date())
  expect((await talk.send('Two.')).notice).toBeNull()
  expect((await talk.send('Three.')).notice).toBeNull()
  expect(reads).toBe(1)
  talk.aheadMs = 0
  writeFileSync(at('a.txt'), 'two\n')
  expect((await talk.send('Four.')).told).toEqual(['a.txt'])
  // So fresh that another change could carry the same time: looked at again until it is not.
  await talk.send('Five.')
  expect(reads).toBe(3)
})

test('O-4: a change of the same size with its old time is found', async () => {
  talk.project.write('a.txt', 'one\n')
  utimesSync(at('a.txt'), 1_000, 1_000)
  await talk.read('a.txt')
  await talk.send('One.')
  writeFileSync(at('a.txt'), 'two\n')
  utimesSync(at('a.txt'), 1_000, 1_000)
  expect((await talk.send('Two.')).notice).toContain('-one\n+two')
})

test('O-4: CRLF, names of any script and names that could mislead', async () => {
  const names = ['Überblick – 概要 🌊.md', 'nfd-e\u0301.txt', 'two\nlines.txt', 'rtl\u202etxt.exe']
  for (const name of names) {
    talk.project.write(name, 'one\r\ntwo\r\n')
    await talk.read(name)
  }
  for (const name of names) talk.project.write(name, 'one\ntwo\n')
  const { notice, told } = await talk.send('Go on.')
  expect(told).toEqual(names.toSorted())
  for (const shown of [names[0], names[1], '"two\\nlines.txt"', '"rtl\\u{202e}txt.exe"'])
    expect(notice).toContain(`${shown}: +2 −2 lines, only how they end`)
})

test('O-4: a file of ten megabytes is compared, without a diff', async () => {
  const large = Buffer.alloc(11_000_000, 'ocean\n')
  talk.project.write('large.txt', large)
  await talk.read('large.txt', { limit: 5 })
  utimesSync(at('large.txt'), new Date(), new Date())
  expect((await talk.send('One.')).notice).toBeNull()
  large.write('OCEAN', 10_500_000)
  talk.project.write('large.txt', large)
  expect((await talk.send('Two.')).notice).toContain('large.txt: changed; too large for a diff, 11000000 bytes')
})

test('O-4: five hundred changed files are each named, and the row stays small', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `src/module-${index}/component-${index}.ts`)
  for (const [index, name] of names.entries()) talk.project.write(name, `export const value = ${index}\n`)
  for (let from = 0; from < names.length; from += 50)
    await talk.step(...names.slice(from, from + 50).map((name) => ['file_read', { path: name }] as const))
  expect((await talk.send('One.')).notice).toBeNull()
  for (const name of names) appendFileSync(at(name), 'export const more = true\n')
  const { notice, told } = await talk.send('Two.')
  expect(told).toEqual(names.toSorted())
  for (const name of names) expect(notice).toContain(name)
  expect(notice?.length).toBeLessThan(2 * CHANGE_NOTICE_DIFFS_CHARS + 500 * 100)
  expect(Math.max(...talk.rows.map(rowBytes))).toBeLessThan(MAX_ROW_BYTES)
  expect((await talk.send('Three.')).notice).toBeNull()
})

test('O-4: names that do not fit wait for the next message', async () => {
  const names = Array.from({ length: 14 }, (_, index) => `${'deep-folder-name/'.repeat(120)}${index}.txt`)
  for (const name of names) {
    talk.project.write(name, 'one\n')
    await talk.read(name)
  }
  for (const name of names) talk.project.write(name, 'two\n')
  const first = await talk.send('One.')
  const second = await talk.send('Two.')
  expect(first.notice).toContain(`${names.length - first.told.length} more changed files are named`)
  expect([...first.told, ...second.told].toSorted()).toEqual(names.toSorted())
  expect(first.told.length).toBeGreaterThan(5)
})

test('O-4: a message that was not stored moves no baseline', async () => {
  talk.project.write('a.txt', 'one\n')
  talk.project.write('b.txt', 'b\n')
  await talk.read('a.txt')
  talk.project.write('a.txt', 'two\n')
  expect(await talk.send('See @b.txt', true)).toMatchObject({ told: ['a.txt'] })
  talk.project.write('b.txt', 'B\n')
  expect(await talk.send('Go on.')).toMatchObject({ notice: expect.stringContaining('-one\n+two'), told: ['a.txt'] })
})

test('O-4: after a restart a change that was made while the app was closed is told, with what the rows prove', async () => {
  const texts = { 'bare.txt': 'one', 'bom.txt': '\ufeffone\r\n', 'seen.txt': '1\tone\n\n', 'same.txt': 'one\n' }
  for (const [name, text] of Object.entries(texts)) {
    talk.project.write(name, text)
    await talk.read(name)
  }
  await talk.step(['file_write', { path: 'mine.txt', content: 'first\n' }])
  await talk.step(['file_edit', { path: 'mine.txt', old_string: 'first', new_string: 'one' }])
  talk.project.write('mentioned.txt', 'one\n\none\n')
  talk.project.write('part.txt', 'one\ntwo\n')
  await talk.read('part.txt', { limit: 1 })
  await talk.send('See @mentioned.txt')
  const changed = ['bare.txt', 'bom.txt', 'mentioned.txt', 'mine.txt', 'part.txt', 'seen.txt']
  for (const name of changed) writeFileSync(at(name), readFileSync(at(name), 'utf8').replace('one', 'new'))
  talk.restart()
  const { notice, told } = await talk.send('Two.')
  expect(told).toEqual(changed)
  for (const name of changed) {
    if (name === 'part.txt') expect(notice).toContain('part.txt: changed, 8 bytes; there is no diff')
    else expect(notice).toContain(`${name}: +1 −1 lines`)
  }
})

test('O-4: a window that was reset, and an edit that cuts rows, take their baselines along', async () => {
  talk.project.write('a.txt', 'one\n')
  talk.project.write('b.txt', 'one\n')
  await talk.read('a.txt')
  const kept = talk.rows.length
  await talk.read('b.txt')
  talk.project.write('a.txt', 'two\n')
  talk.project.write('b.txt', 'two\n')
  const rows = talk.rows
  talk.rows = rows.slice(0, kept)
  expect((await talk.send('Only a.', true)).told).toEqual(['a.txt'])
  talk.rows = []
  expect((await talk.send('Nothing.')).told).toEqual([])
})

test('P-7: a copied snapshot brings its own first baseline, nothing newer and nothing else', async () => {
  talk.project.write('a.txt', 'one\n')
  talk.project.write('other.txt', 'one\n')
  await talk.read('other.txt')
  const { snapshots } = await talk.send('See @a.txt')
  talk.project.write('a.txt', 'two\n')
  talk.project.write('other.txt', 'two\n')
  talk.rows = snapshots.map((row) => ({ ...row, id: `${row.id}-copy`, metadata: { ...row.metadata, copyOf: row.id } }))
  expect(await talk.send('Go on.')).toMatchObject({ told: ['a.txt'], notice: expect.stringContaining('-one\n+two') })
})

test('O-4: a turn that goes on without a message has no company, and a missing project none to tell', async () => {
  talk.project.write('a.txt', 'one\n')
  await talk.read('a.txt')
  talk.project.write('a.txt', 'two\n')
  expect(await companyOf(null, talk.sources())).toEqual([])
  renameSync(talk.project.root, `${talk.project.root}-away`)
  expect((await talk.send('Hello?', true)).notice).toBeNull()
  renameSync(`${talk.project.root}-away`, talk.project.root)
  expect((await talk.send('Hello?')).told).toEqual(['a.txt'])
})

test('P-6 U-8: a mentioned file goes before the message, once, as it is now', async () => {
  talk.project.write('src/net/client.ts', 'export const MAX_ATTEMPTS = 4\n')
  talk.project.write('notes/my file.md', '# Notes\n')
  const { snapshots } = await talk.send(
    'Why (@src/net/client.ts)? See @./src/net/client.ts, @"notes/my file.md", me@src/net/client.ts and @nothing.ts.'
  )
  expect(snapshots.map(textOf)).toEqual([
    'src/net/client.ts, mentioned in the next message, as it is now (1 lines, 30 bytes):\n\nexport const MAX_ATTEMPTS = 4\n',
    'notes/my file.md, mentioned in the next message, as it is now (1 lines, 8 bytes):\n\n# Notes\n'
  ])
  expect(talk.rows.map(rowKindOf)).toEqual(['prelude', 'prelude', 'person'])
  expect(snapshots[0]?.metadata.machine).toMatchObject({
    type: 'prelude',
    source: 'file',
    path: 'src/net/client.ts',
    inputId: talk.rows.at(-1)?.id
  })
  talk.project.write('src/net/client.ts', 'export const MAX_ATTEMPTS = 5\n')
  expect(await talk.send('Now?')).toMatchObject({ told: ['src/net/client.ts'], snapshots: [] })
})

test('P-6: what may not or cannot be read stays plain text', async () => {
  talk.project.write('.git/config', 'x')
  talk.project.write('.tidemark/agents/a.md', 'x')
  talk.project.write('bin', Buffer.from([0, 1, 2]))
  writeFileSync(path.join(talk.project.outside, 'secret.txt'), 'x')
  symlinkSync(path.join(talk.project.outside, 'secret.txt'), at('out.txt'))
  mkdirSync(at('folder'))
  const outside = path.join(talk.project.outside, 'secret.txt')
  const text = `@.git/config @.tidemark/agents/a.md @bin @out.txt @folder @../outside/secret.txt @${outside} @/dev/null @ @@`
  expect(await talk.send(text)).toMatchObject({ snapshots: [], notice: null })
})

test('P-6: a link inside the project names the file that it leads to', async () => {
  talk.project.write('real.txt', 'one\n')
  symlinkSync('real.txt', at('alias.txt'))
  const { snapshots } = await talk.send('@alias.txt and @real.txt')
  expect(snapshots.map((row) => row.metadata.machine?.['path'])).toEqual(['real.txt'])
})

test('P-6: a long file gives head and tail, and says where to go on', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} 🌊`)
  talk.project.write('long.txt', `${lines.join('\n')}\n`)
  const { snapshots } = await talk.send('@long.txt')
  const text = textOf(snapshots[0] ?? { id: '', role: 'user', parts: [], metadata: {} })
  const [, first = '', last = '', bytes = ''] = /\[… lines (\d+) to (\d+) are left out, (\d+) bytes; /.exec(text) ?? []
  expect(text).toContain(`line ${Number(first) - 1} 🌊\n[… lines ${first}`)
  expect(text).toContain(`with offset ${first} goes on there …]\nline ${Number(last) + 1} 🌊\n`)
  expect(text.endsWith('line 5000 🌊\n')).toBe(true)
  expect(Buffer.byteLength(text)).toBeLessThan(MENTIONED_FILE_MAX_BYTES + 300)
  const left = lines
    .slice(Number(first) - 1, Number(last))
    .join('\n')
    .concat('\n')
  expect(Number(bytes)).toBe(Buffer.byteLength(left))
  // Only a part was given: what is changed in the middle is told.
  talk.project.write('long.txt', `${lines.with(2_500, 'changed').join('\n')}\n`)
  expect((await talk.send('@long.txt')).notice).toContain('+changed')
})

test('P-6: a picture or PDF becomes a genuine file part, of the attachments', async () => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(40)])
  talk.project.write('shot.png', png)
  talk.project.write('paper.pdf', '%PDF-1.7\n')
  const { snapshots } = await talk.send('@shot.png @paper.pdf')
  const files = snapshots.map((row) => row.parts[1])
  expect(files).toMatchObject([
    { type: 'file', mediaType: 'image/png', filename: 'shot.png', bytes: 48 },
    { type: 'file', mediaType: 'application/pdf', filename: 'paper.pdf' }
  ])
  const kept = path.join(talk.project.home, 'attachments', String(files[0]?.['url']).replace('attachment:', ''))
  expect(readFileSync(kept)).toEqual(png)
  talk.project.write('shot.png', Buffer.concat([png, png]))
  expect((await talk.send('Now?')).notice).toContain('shot.png: changed; binary, 96 bytes')
})

test('P-6: many mentions share their room, and more than twenty are not expanded', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `f${index}.txt`)
  for (const name of names) talk.project.write(name, 'x'.repeat(40_000))
  const { snapshots } = await talk.send(names.map((name) => `@${name}`).join(' '))
  expect(snapshots).toHaveLength(20)
  const bytes = snapshots.reduce((sum, row) => sum + rowBytes(row), 0)
  expect(bytes).toBeLessThan(131_072 + 20 * 2_000)
  expect(snapshots.at(-1)?.metadata.machine?.['seen']).toMatchObject({ isPart: true })
})

test('P-6: the words of the app mention nothing', async () => {
  talk.project.write('a.txt', 'one\n')
  const machine = { type: 'continue' }
  const input = { id: 'c', role: 'user' as const, parts: [{ type: 'text', text: '@a.txt' }], metadata: { machine } }
  expect(await companyOf(input, talk.sources())).toEqual([])
})
