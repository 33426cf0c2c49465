import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listMemories } from './list-memories'
import { tempMemories, type TempMemories } from './testing/temp-memories'
import { countAccess, pinMemory } from './use-memory'
import { renameMemory } from './write-memory'

const INDEX = '.memory-index.json'
const stored = (temp: TempMemories): unknown => JSON.parse(readFileSync(temp.fileOf('project', INDEX), 'utf8'))

describe('Y-1 pins and access counts', () => {
  it('are kept beside the memories in one private file', async () => {
    const temp = tempMemories()
    temp.put('project', 'topic/a.md', 'a')
    await pinMemory(temp.store, '/memories/project/topic/a.md', true)
    await countAccess(temp.store, '/memories/project/topic/a.md')
    await countAccess(temp.store, '/memories/project/topic/a.md')
    expect(stored(temp)).toEqual({
      version: 1,
      memories: { 'topic/a.md': { pinned: true, accessCount: 2, lastAccessedAtMs: expect.any(Number) } }
    })
    expect(statSync(temp.fileOf('project', INDEX)).mode & 0o777).toBe(0o600)
    await pinMemory(temp.store, '/memories/project/topic/a.md', false)
    expect(stored(temp)).toMatchObject({ memories: { 'topic/a.md': { pinned: false, accessCount: 2 } } })
    expect(await pinMemory(temp.store, '/memories/project/none.md', true)).toMatchObject({ error: { kind: 'missing' } })
  })

  it('keep what another version wrote there', async () => {
    const temp = tempMemories()
    temp.put('project', 'a.md', 'a')
    const theirs = { pinned: true, colour: 'red', accessCount: 'many' }
    temp.put(
      'project',
      INDEX,
      JSON.stringify({ version: 9, tags: ['x'], memories: { 'a.md': theirs, 'b.md': { note: 1 } } })
    )
    await countAccess(temp.store, '/memories/project/a.md')
    expect(stored(temp)).toMatchObject({
      tags: ['x'],
      memories: { 'a.md': { pinned: true, colour: 'red', accessCount: 1 }, 'b.md': { note: 1 } }
    })
    await renameMemory(temp.store, '/memories/project/a.md', '/memories/project/c.md')
    expect(stored(temp)).toMatchObject({ memories: { 'c.md': { colour: 'red', accessCount: 1 } } })
  })

  it.each([
    ['half a file', '{"memories": {"a.md": {"pin'],
    ['no object', '[]'],
    ['nothing', ''],
    ['memories of another form', '{"memories": 7}'],
    ['bytes that are no text', new Uint8Array([0xff, 0x00, 0xfe])]
  ])('begin anew after damage (%s), which is kept aside; no memory is lost', async (_what, damage) => {
    const logged: string[] = []
    const log = { info: () => undefined, warn: (event: string) => void logged.push(event), error: () => undefined }
    const temp = tempMemories({ log })
    temp.put('project', 'a.md', 'a')
    temp.put('project', INDEX, damage)
    const before = readFileSync(temp.fileOf('project', INDEX))
    expect(await listMemories(temp.store)).toMatchObject({
      memories: [{ pinned: false, accessCount: 0 }],
      problems: []
    })
    expect(await pinMemory(temp.store, '/memories/project/a.md', true)).toMatchObject({ ok: true })
    expect(await listMemories(temp.store)).toMatchObject({ memories: [{ pinned: true, accessCount: 0 }] })
    const aside = temp.namesIn('project').find((name) => name.startsWith(`${INDEX}.damaged-`)) ?? ''
    expect(readFileSync(temp.fileOf('project', aside))).toEqual(before)
    expect(temp.textOf('project', 'a.md')).toBe('a')
    expect(logged).toEqual(['memory-index-damaged'])
  })

  it('cannot reach what every object has', async () => {
    const temp = tempMemories()
    temp.put('project', 'constructor', 'a')
    temp.put('project', INDEX, '{"memories":{"__proto__":{"pinned":true,"accessCount":9}}}')
    expect(await listMemories(temp.store)).toMatchObject({ memories: [{ pinned: false, accessCount: 0 }] })
    await countAccess(temp.store, '/memories/project/constructor')
    expect(await listMemories(temp.store)).toMatchObject({ memories: [{ pinned: false, accessCount: 1 }] })
    expect('pinned' in {}).toBe(false)
  })

  it('that cannot be written fail no reader', async () => {
    const logged: unknown[] = []
    const log = { info: () => undefined, warn: (...all: unknown[]) => void logged.push(all), error: () => undefined }
    const temp = tempMemories({ log })
    temp.put('project', 'private name.md', 'secret text')
    temp.put('project', `${INDEX}/in-the-way`, '')
    await countAccess(temp.store, '/memories/project/private name.md')
    expect(logged).toEqual([['memory-use-not-counted', { reason: 'io' }]])
    expect(await listMemories(temp.store)).toMatchObject({
      memories: [{ path: '/memories/project/private name.md' }],
      problems: [expect.stringContaining('Could not read the pins and counts')]
    })
  })
})
