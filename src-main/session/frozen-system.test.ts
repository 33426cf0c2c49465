import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { freezeSystem, readFrozenSystem } from './frozen-system'

const key = { windowId: 'w:0', agentId: 'exec', projectPath: '/home/me/project' }
const TEXT = 'You are a coding agent.\n- Date: 2026-07-01\n🌊'

async function frozen() {
  const dir = tempWorkspace().path('request-parts')
  const stored = await freezeSystem(dir, TEXT, key)
  if (stored === null) throw new Error('it was not stored')
  return { dir, stored }
}

describe('the frozen system text', () => {
  it('W-0 comes back byte for byte for the same window, agent and project', async () => {
    const { dir, stored } = await frozen()
    expect(stored).toEqual({ ...key, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await readFrozenSystem(dir, stored, key)).toBe(TEXT)
    expect(readdirSync(dir)).toEqual([`${stored.sha256}.txt`])
    expect(statSync(dir).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['another window', { windowId: 'w:41' }],
    ['another agent', { agentId: 'plan' }],
    ['a moved project', { projectPath: '/elsewhere' }]
  ])('W-0 is built anew for %s', async (_name, change) => {
    const { dir, stored } = await frozen()
    expect(await readFrozenSystem(dir, stored, { ...key, ...change })).toBeNull()
  })

  it('is built anew where nothing was frozen, or its file is gone, changed or not readable', async () => {
    const { dir, stored } = await frozen()
    expect(await readFrozenSystem(dir, null, key)).toBeNull()
    expect(await readFrozenSystem(dir, undefined, key)).toBeNull()
    expect(await readFrozenSystem(dir, { ...stored, sha256: 'gone' }, key)).toBeNull()
    writeFileSync(join(dir, `${stored.sha256}.txt`), `${TEXT} and more`)
    expect(await readFrozenSystem(dir, stored, key)).toBeNull()
    mkdirSync(join(dir, 'folder.txt'))
    expect(await readFrozenSystem(dir, { ...stored, sha256: 'folder' }, key)).toBeNull()
  })

  it('reads no file outside of its folder, whatever a file on disk names', async () => {
    const { dir, stored } = await frozen()
    writeFileSync(join(dir, '..', 'secret.txt'), TEXT)
    expect(await readFrozenSystem(dir, { ...stored, sha256: '../secret' }, key)).toBeNull()
  })

  it('is not frozen where it cannot be stored, which costs a cache and no turn', async () => {
    const workspace = tempWorkspace()
    writeFileSync(workspace.path('request-parts'), 'a file in the way')
    expect(await freezeSystem(workspace.path('request-parts'), TEXT, key)).toBeNull()
  })
})
