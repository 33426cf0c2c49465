import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { MemoryView } from '@common/contract/memory-views'
import type { RequestInput } from '@common/contract/requests'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'

const toClose: TestApp[] = []
afterEach(async () => {
  for (const test of toClose.splice(0)) await test.close()
})

async function app(): Promise<TestApp> {
  const test = await startTestApp()
  toClose.push(test)
  return test
}

const at = '/memories/global/style.md'

function write(test: TestApp, change: Partial<RequestInput<'memory.write'>> = {}) {
  return test.ask('memory.write', {
    workspaceId: test.workspaceId,
    path: at,
    text: 'Be brief.\n',
    version: null,
    ...change
  })
}

async function listed(test: TestApp): Promise<MemoryView[]> {
  return (await test.ask('memory.list', { workspaceId: test.workspaceId })).memories
}

describe('Y-3 the requests of the memory panel', () => {
  it('make, read, change, pin and delete a memory, and say where the deleted one is', async () => {
    const test = await app()
    const { workspaceId } = test
    const made = await write(test)
    expect(made).toMatchObject({ path: at, text: 'Be brief.\n' })
    expect(await test.ask('memory.read', { workspaceId, path: at })).toEqual(made)
    const changed = await write(test, { text: 'Be exact.\n', version: made.version })
    expect(changed.version).not.toBe(made.version)
    await test.ask('memory.pin', { workspaceId, path: at, pinned: true })
    expect(await listed(test)).toEqual([
      {
        path: at,
        scope: 'global',
        bytes: 10,
        modifiedAtMs: expect.any(Number),
        pinned: true,
        accessCount: 0,
        lastAccessedAtMs: null,
        preloaded: false,
        preloadCut: false,
        changedSincePreload: false,
        skipped: null
      }
    ])
    const { keptAt } = await test.ask('memory.delete', { workspaceId, path: at })
    expect(path.dirname(keptAt)).toBe(path.join(test.home, 'memories/global/.trash'))
    expect(readFileSync(keptAt, 'utf8')).toBe('Be exact.\n')
    expect(await listed(test)).toEqual([])
  })

  it('show all three scopes by path, with what the window in force was given and what not', async () => {
    const test = await app()
    const { workspaceId } = test
    await write(test)
    await write(test, { path: '/memories/project/long.md', text: 'x'.repeat(16_385) })
    await write(test, { path: '/memories/workspace/unused.md' })
    for (const name of [at, '/memories/project/long.md'])
      await test.ask('memory.pin', { workspaceId, path: name, pinned: true })
    const before = await test.ask('memory.list', { workspaceId })
    expect(before.windowBegun).toBe(false)
    expect(before.memories.map(({ preloaded }) => preloaded)).toEqual([false, false, false])
    await test.turn('Hello')
    const begun = await test.ask('memory.list', { workspaceId })
    expect(begun).toMatchObject({
      windowBegun: true,
      problems: [],
      memories: [
        { path: at, preloaded: true, changedSincePreload: false, skipped: null },
        { path: '/memories/project/long.md', preloaded: false, skipped: 'too-long' },
        { path: '/memories/workspace/unused.md', preloaded: false, skipped: null, pinned: false }
      ]
    })
    const { version } = await test.ask('memory.read', { workspaceId, path: at })
    await write(test, { text: 'Be exact and brief.\n', version })
    expect((await listed(test))[0]).toMatchObject({ preloaded: true, changedSincePreload: true })
    await test.ask('settings.set', { path: 'hotMemories', value: false })
    await test.turn('Again')
    expect((await listed(test)).map(({ preloaded, skipped }) => [preloaded, skipped])).toEqual(
      Array.from({ length: 3 }, () => [false, null])
    )
  })

  it('are for people: read-only and off stop agents alone', async () => {
    const test = await app()
    for (const value of ['read-only', 'off']) {
      await test.ask('settings.set', { path: 'memory', value })
      await write(test, { path: `/memories/global/${value}.md` })
    }
    expect(await listed(test)).toHaveLength(2)
  })

  it('answer what cannot be done with its kind and a sentence', async () => {
    const test = await app()
    const { workspaceId } = test
    await write(test)
    const dispatch = async (name: string, input: object): Promise<unknown> =>
      test.app.dispatch(name, { workspaceId, path: at, ...input })
    const failed = (kind: string) => ({ ok: false, error: { kind, message: expect.any(String) } })
    expect(await dispatch('memory.write', { text: 'x', version: null })).toEqual(failed('refused'))
    expect(await dispatch('memory.write', { text: 'x', version: 'of yesterday' })).toEqual(failed('refused'))
    expect(await dispatch('memory.read', { path: '/memories/global/none.md' })).toEqual(failed('not-found'))
    expect(await dispatch('memory.pin', { path: '/memories/global', pinned: true })).toEqual(failed('refused'))
    for (const out of ['/etc/passwd', '/memories/global/../../config.json', '/memories/global/a\0'])
      for (const name of ['memory.read', 'memory.write', 'memory.delete', 'memory.pin'])
        expect(await dispatch(name, { path: out, text: '', version: null, pinned: true })).toEqual(
          failed('invalid-input')
        )
    expect(await dispatch('memory.list', { workspaceId: 'none' })).toEqual(failed('not-found'))
    mkdirSync(path.join(test.home, 'memories/global/binary'), { recursive: true })
    writeFileSync(path.join(test.home, 'memories/global/binary/a.md'), new Uint8Array([0xff, 0xfe]))
    expect(await dispatch('memory.read', { path: '/memories/global/binary/a.md' })).toEqual(failed('refused'))
  })
})
