import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_MEMORIES_PER_SCOPE, MAX_MEMORY_FILE_BYTES, MAX_TRASHED_MEMORIES } from '@common/constants'
import { ok } from '@common/result'
import { listMemories } from './list-memories'
import { readMemory, viewMemory } from './read-memory'
import { tempMemories, type TempMemories } from './testing/temp-memories'
import { countAccess, pinMemory } from './use-memory'
import { createMemory, deleteMemory, editMemory, renameMemory, saveMemory } from './write-memory'

const create = (temp: TempMemories, path: string, text = 'A note.\n', replace = false) =>
  createMemory(temp.store, { path, text, replace })

async function uses(temp: TempMemories): Promise<Record<string, [boolean, number]>> {
  const { memories } = await listMemories(temp.store)
  return Object.fromEntries(memories.map(({ path, pinned, accessCount }) => [path, [pinned, accessCount]]))
}

describe('Y-1 memories on disk', () => {
  it('are plain files below the home, by scope, and private', async () => {
    const temp = tempMemories()
    for (const scope of ['global', 'project', 'workspace'])
      await create(temp, `/memories/${scope}/topic/a.md`, `${scope}\n`)
    const files = ['memories/global', 'projects/p-1/memories', 'workspaces/ws-1/memories'].map((folder) =>
      join(temp.home, folder, 'topic/a.md')
    )
    expect(temp.textOf('project', 'topic/a.md')).toBe('project\n')
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
      expect(statSync(join(file, '../..')).mode & 0o777).toBe(0o700)
    }
    expect(temp.namesIn('project')).toEqual(['topic'])
  })

  it('are never written over in a scope that others share, and kept where they are replaced', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/a.md', 'first\n')
    expect(await create(temp, '/memories/project/a.md', 'second\n')).toMatchObject({
      ok: false,
      error: { kind: 'exists', message: expect.stringContaining('already exists') }
    })
    expect(temp.textOf('project', 'a.md')).toBe('first\n')
    const replaced = await create(temp, '/memories/project/a.md', 'second\n', true)
    expect(temp.textOf('project', 'a.md')).toBe('second\n')
    const keptAt = replaced.ok ? (replaced.value.replacedKeptAt ?? '') : ''
    expect(temp.textOf('project', keptAt.slice(temp.fileOf('project', '').length))).toBe('first\n')
    expect(await create(temp, '/memories/project/a.md', 'second\n', true)).toMatchObject({
      value: { replacedKeptAt: null }
    })
  })

  it('are edited as a whole or not at all', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/a.md', 'one\n')
    expect(await editMemory(temp.store, '/memories/project/a.md', (text) => ok(`${text}two\n`))).toMatchObject({
      ok: true,
      value: { bytes: 8 }
    })
    const refused = await editMemory(temp.store, '/memories/project/a.md', () => ({ ok: false, error: 'no such text' }))
    expect(refused).toEqual({ ok: false, error: { kind: 'refused', message: 'no such text' } })
    expect(temp.textOf('project', 'a.md')).toBe('one\ntwo\n')
    expect(await editMemory(temp.store, '/memories/project/b.md', ok)).toMatchObject({ error: { kind: 'missing' } })
  })

  it('go to the trash of their scope when they are deleted, folders too, and the trash has an end', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/topic/a.md', 'a\n')
    const deleted = await deleteMemory(temp.store, '/memories/project/topic')
    const keptAt = deleted.ok ? deleted.value.keptAt : ''
    expect(keptAt.startsWith(temp.fileOf('project', '.trash/'))).toBe(true)
    expect(temp.textOf('project', join(keptAt.slice(temp.fileOf('project', '').length), 'a.md'))).toBe('a\n')
    expect(await listMemories(temp.store)).toEqual({ memories: [], problems: [] })
    for (let index = 0; index < MAX_TRASHED_MEMORIES + 3; index++) temp.put('project', `.trash/2000-${index}`, 'old')
    await create(temp, '/memories/project/b.md')
    await deleteMemory(temp.store, '/memories/project/b.md')
    expect(temp.namesIn('project', '.trash')).toHaveLength(MAX_TRASHED_MEMORIES)
    expect(temp.namesIn('project', '.trash').at(-1)).toContain('b.md')
  })

  it('are renamed within and across scopes with their pins and counts, and never over another', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/workspace/topic/a.md', 'a\n')
    await create(temp, '/memories/project/b.md', 'b\n')
    await pinMemory(temp.store, '/memories/workspace/topic/a.md', true)
    await countAccess(temp.store, '/memories/workspace/topic/a.md')
    expect(await renameMemory(temp.store, '/memories/workspace/topic/a.md', '/memories/project/b.md')).toMatchObject({
      error: { kind: 'exists' }
    })
    expect(await renameMemory(temp.store, '/memories/workspace/topic', '/memories/project/moved')).toMatchObject({
      ok: true
    })
    expect(await uses(temp)).toEqual({
      '/memories/project/b.md': [false, 0],
      '/memories/project/moved/a.md': [true, 1]
    })
    expect(
      await renameMemory(temp.store, '/memories/project/moved/a.md', '/memories/project/moved/A.md')
    ).toMatchObject({
      ok: true
    })
    expect(await uses(temp)).toMatchObject({ '/memories/project/moved/A.md': [true, 1] })
    expect(await renameMemory(temp.store, '/memories/project/moved', '/memories/project/moved/in/it')).toMatchObject({
      error: { kind: 'refused' }
    })
    expect(await renameMemory(temp.store, '/memories/project/gone.md', '/memories/project/c.md')).toMatchObject({
      error: { kind: 'missing' }
    })
  })

  it('forget their pin with a deletion', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/a.md')
    await pinMemory(temp.store, '/memories/project/a.md', true)
    await deleteMemory(temp.store, '/memories/project/a.md')
    await create(temp, '/memories/project/a.md')
    expect(await uses(temp)).toEqual({ '/memories/project/a.md': [false, 0] })
  })

  it('have limits: bytes, number, and text alone', async () => {
    const temp = tempMemories()
    const big = 'x'.repeat(MAX_MEMORY_FILE_BYTES + 1)
    expect(await create(temp, '/memories/project/a.md', big)).toMatchObject({ error: { kind: 'refused' } })
    expect(await create(temp, '/memories/project/a.md', 'a\0b')).toMatchObject({ error: { kind: 'refused' } })
    expect(temp.namesIn('project')).toEqual([])
    temp.put('project', 'binary.md', new Uint8Array([0xff, 0xfe, 0x41]))
    temp.put('project', 'with-nul.md', 'a\0b')
    temp.put('project', 'big.md', big)
    for (const name of ['binary.md', 'with-nul.md', 'big.md']) {
      expect(await readMemory(temp.store, `/memories/project/${name}`)).toMatchObject({ error: { kind: 'refused' } })
      expect(await editMemory(temp.store, `/memories/project/${name}`, ok)).toMatchObject({ ok: false })
    }
    expect(temp.textOf('project', 'big.md')).toBe(big)
    for (let index = 3; index < MAX_MEMORIES_PER_SCOPE; index++) temp.put('project', `m/${index}.md`, '')
    expect(await create(temp, '/memories/project/one-more.md')).toMatchObject({
      error: { kind: 'refused', message: expect.stringContaining('delete some') }
    })
    expect(await create(temp, '/memories/global/one-more.md')).toMatchObject({ ok: true })
    expect(await renameMemory(temp.store, '/memories/global/one-more.md', '/memories/project/x.md')).toMatchObject({
      error: { kind: 'refused' }
    })
    expect(await renameMemory(temp.store, '/memories/project/m', '/memories/project/n')).toMatchObject({ ok: true })
  })

  it('are not there for a workspace without a project, or with a project id that is a path', async () => {
    for (const projectId of ['', '../../outside', 'a/b', '..']) {
      const temp = tempMemories({ projectId })
      expect(temp.store.folders.project).toBeNull()
      expect(await create(temp, '/memories/project/a.md')).toMatchObject({ error: { kind: 'refused' } })
      expect(await viewMemory(temp.store, '/memories')).toMatchObject({ ok: true, value: { memories: [] } })
    }
  })

  it('tell what is in the way, and change nothing', async () => {
    const temp = tempMemories()
    temp.put('workspace', '../memories', 'a file where the folder should be')
    spawnSync('mkfifo', [temp.put('project', 'pipe.md', '').replace('pipe.md', 'fifo.md')])
    for (const [path, kind] of [
      ['/memories/workspace/a.md', 'io'],
      ['/memories/project/fifo.md', 'refused']
    ] as const) {
      const results = [
        await create(temp, path, 'x', true),
        await readMemory(temp.store, path),
        await deleteMemory(temp.store, path),
        await renameMemory(temp.store, path, '/memories/project/b.md'),
        await pinMemory(temp.store, path, true)
      ]
      for (const result of results) expect(result).toMatchObject({ ok: false, error: { kind } })
    }
    expect(await listMemories(temp.store)).toMatchObject({
      memories: [{ path: '/memories/project/pipe.md' }],
      problems: [expect.stringContaining('Could not read the memories'), expect.any(String)]
    })
    expect(temp.textOf('workspace', '../memories')).toBe('a file where the folder should be')
  })

  it.skipIf(process.getuid?.() === 0)('tell a disk that refuses', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/a.md', 'one\n')
    chmodSync(temp.fileOf('project', ''), 0o500)
    expect(await create(temp, '/memories/project/a.md', 'two\n', true)).toMatchObject({ error: { kind: 'io' } })
    expect(temp.textOf('project', 'a.md')).toBe('one\n')
  })
})

describe('Y-1 a person’s change', () => {
  it('is never made over a text that they have not seen', async () => {
    const temp = tempMemories()
    const save = (text: string, version: string | null) =>
      saveMemory(temp.store, { path: '/memories/project/a.md', text, version })
    const first = await save('one\n', null)
    const version = first.ok ? first.value.version : ''
    expect(await save('two\n', null)).toMatchObject({ error: { kind: 'exists' } })
    expect(await save('two\n', version)).toMatchObject({ ok: true, value: { text: 'two\n' } })
    expect(await save('three\n', version)).toMatchObject({
      error: { kind: 'refused', message: expect.stringContaining('changed meanwhile') }
    })
    await deleteMemory(temp.store, '/memories/project/a.md')
    expect(await save('three\n', version)).toMatchObject({ error: { kind: 'missing' } })
    expect(temp.namesIn('project')).toEqual(['.memory-index.json', '.trash'])
  })
})

describe('Y-1 no way out of a scope', () => {
  it('leads through a link, be it a file, a folder or the last of several', async () => {
    const temp = tempMemories()
    writeFileSync(join(temp.outside, 'secret.md'), 'sk-planted-0451')
    mkdirSync(join(temp.outside, 'folder'))
    temp.put('project', 'real/a.md', 'inside\n')
    symlinkSync(join(temp.outside, 'secret.md'), temp.fileOf('project', 'link.md'))
    symlinkSync(temp.outside, temp.fileOf('project', 'way'))
    symlinkSync(join(temp.outside, 'not-yet.md'), temp.fileOf('project', 'dangling.md'))
    symlinkSync(temp.fileOf('project', 'real'), temp.fileOf('project', 'inner'))
    for (const name of ['link.md', 'way/secret.md', 'dangling.md', 'inner/a.md', 'way/folder/new.md']) {
      const path = `/memories/project/${name}`
      const results = [
        await readMemory(temp.store, path),
        await viewMemory(temp.store, path),
        await create(temp, path, 'planted\n', true),
        await editMemory(temp.store, path, ok),
        await saveMemory(temp.store, { path, text: 'planted\n', version: null }),
        await deleteMemory(temp.store, path),
        await renameMemory(temp.store, path, '/memories/project/out.md'),
        await renameMemory(temp.store, '/memories/project/real/a.md', path),
        await pinMemory(temp.store, path, true)
      ]
      for (const result of results) expect(result).toMatchObject({ ok: false, error: { kind: 'refused' } })
      expect(JSON.stringify(results)).not.toContain('sk-planted')
    }
    const { memories } = await listMemories(temp.store)
    expect(memories.map(({ path }) => path)).toEqual(['/memories/project/real/a.md'])
    expect(JSON.stringify(await viewMemory(temp.store, '/memories'))).not.toContain('link.md')
    expect(statSync(join(temp.outside, 'secret.md')).size).toBe(15)
  })

  it('leads through a trash that is a link', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/a.md')
    for (let index = 0; index < MAX_TRASHED_MEMORIES + 5; index++) writeFileSync(join(temp.outside, `${index}`), '')
    symlinkSync(temp.outside, temp.fileOf('project', '.trash'))
    expect(await deleteMemory(temp.store, '/memories/project/a.md')).toMatchObject({ ok: false })
    expect(temp.textOf('project', 'a.md')).toBe('A note.\n')
    expect(statSync(join(temp.outside, '0')).isFile()).toBe(true)
  })

  it('leads over a name that another disk takes for the same', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/Notes.md')
    await create(temp, '/memories/project/topic/Größe.md')
    for (const path of [
      '/memories/project/notes.md',
      '/memories/project/Topic/x.md',
      '/memories/project/topic/GRÖSSE.md'.replace('SS', 'ß')
    ])
      expect(await create(temp, path, 'x', true)).toMatchObject({ error: { kind: 'exists' } })
    expect(await readMemory(temp.store, '/memories/project/notes.md')).toMatchObject({
      error: { kind: 'missing', message: expect.stringContaining('"Notes.md"') }
    })
    expect(await readMemory(temp.store, '/memories/project/topic/Gr\u006f\u0308ße.md')).toMatchObject({ ok: true })
  })

  it('leads through a scope itself', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/a.md')
    for (const path of ['/memories', '/memories/project', '/memories/project/']) {
      expect(await deleteMemory(temp.store, path)).toMatchObject({ error: { kind: 'refused' } })
      expect(await create(temp, path, 'x', true)).toMatchObject({ ok: false })
      expect(await renameMemory(temp.store, path, '/memories/global/all')).toMatchObject({ ok: false })
    }
    expect(await create(temp, '/memories/project/a.md/b.md')).toMatchObject({ error: { kind: 'refused' } })
    expect(temp.textOf('project', 'a.md')).toBe('A note.\n')
  })

  it('makes no folder for a path that cannot be', async () => {
    const temp = tempMemories()
    await create(temp, '/memories/project/../../x.md')
    await create(temp, '/memories/Project/x.md')
    await readMemory(temp.store, '/memories/project/x.md')
    expect(() => temp.namesIn('project')).toThrow('ENOENT')
  })
})
