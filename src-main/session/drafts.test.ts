import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { Drafts } from './drafts'

describe('a draft', () => {
  it('T-2 comes back as it was saved last, also for another process', async () => {
    const path = tempWorkspace().path('drafts.json')
    const drafts = new Drafts(path)
    expect(await drafts.read()).toBe('')
    for (const text of ['H', 'He', 'Hello 🌊\n']) void drafts.save(text)
    expect(await drafts.read()).toBe('Hello 🌊\n')
    await drafts.settled()
    expect(await new Drafts(path).read()).toBe('Hello 🌊\n')
    await drafts.save('')
    expect(await new Drafts(path).read()).toBe('')
  })

  it('00 keeps fields of a newer version', async () => {
    const path = tempWorkspace().path('drafts.json')
    writeFileSync(path, '{"text":"a","attachments":["x"]}')
    await new Drafts(path).save('b')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ text: 'b', attachments: ['x'] })
  })

  it('T-2 reads as empty where its file is damaged, which is kept before the next save', async () => {
    const workspace = tempWorkspace()
    const path = workspace.path('drafts.json')
    const bytes = Buffer.from('{"text":"half a 🌊').subarray(0, -2)
    writeFileSync(path, bytes)
    const drafts = new Drafts(path)
    expect(await drafts.read()).toBe('')
    expect((await drafts.save('new')).ok).toBe(true)
    expect(await drafts.read()).toBe('new')
    const copy = readdirSync(workspace.dir).find((name) => name.includes('.damaged-')) ?? ''
    expect(readFileSync(join(workspace.dir, copy)).equals(bytes)).toBe(true)
  })

  it('answers in words when it cannot be saved, and is saved once it can', async () => {
    const path = tempWorkspace().path('drafts.json')
    mkdirSync(path)
    const drafts = new Drafts(path)
    expect(await drafts.read()).toBe('')
    expect(await drafts.save('a')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Could not save the draft') }
    })
    rmSync(path, { recursive: true })
    expect((await drafts.save('a')).ok).toBe(true)
  })
})
