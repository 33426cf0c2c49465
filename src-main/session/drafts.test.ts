import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { Drafts } from './drafts'

const picture = { sha256: 'ab'.repeat(32), mediaType: 'image/png', filename: 'a.png', bytes: 12 }

async function textOf(drafts: Drafts): Promise<string> {
  return (await drafts.read()).text
}

describe('a draft', () => {
  it('T-2 keeps its files until others are named', async () => {
    const path = tempWorkspace().path('drafts.json')
    const drafts = new Drafts(path)
    expect(await drafts.read()).toEqual({ text: '', attachments: [] })
    await drafts.save('look', [picture])
    await drafts.save('look at this')
    expect(await new Drafts(path).read()).toEqual({ text: 'look at this', attachments: [picture] })
    await drafts.save('', [])
    expect(await drafts.read()).toEqual({ text: '', attachments: [] })
  })

  it('T-2 keeps its text where its files do not read', async () => {
    const path = tempWorkspace().path('drafts.json')
    writeFileSync(path, JSON.stringify({ text: 'a', attachments: [{ path: '/etc/passwd' }] }))
    expect(await new Drafts(path).read()).toEqual({ text: 'a', attachments: [] })
  })

  it('T-2 comes back as it was saved last, also for another process', async () => {
    const path = tempWorkspace().path('drafts.json')
    const drafts = new Drafts(path)
    expect(await textOf(drafts)).toBe('')
    for (const text of ['H', 'He', 'Hello 🌊\n']) void drafts.save(text)
    expect(await textOf(drafts)).toBe('Hello 🌊\n')
    await drafts.settled()
    expect(await textOf(new Drafts(path))).toBe('Hello 🌊\n')
    await drafts.save('')
    expect(await textOf(new Drafts(path))).toBe('')
  })

  it('00 keeps fields of a newer version', async () => {
    const path = tempWorkspace().path('drafts.json')
    writeFileSync(path, '{"text":"a","mode":"turn-end"}')
    await new Drafts(path).save('b')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ text: 'b', mode: 'turn-end', attachments: [] })
  })

  it('T-2 reads as empty where its file is damaged, which is kept before the next save', async () => {
    const workspace = tempWorkspace()
    const path = workspace.path('drafts.json')
    const bytes = Buffer.from('{"text":"half a 🌊').subarray(0, -2)
    writeFileSync(path, bytes)
    const drafts = new Drafts(path)
    expect(await textOf(drafts)).toBe('')
    expect((await drafts.save('new')).ok).toBe(true)
    expect(await textOf(drafts)).toBe('new')
    const copy = readdirSync(workspace.dir).find((name) => name.includes('.damaged-')) ?? ''
    expect(readFileSync(join(workspace.dir, copy)).equals(bytes)).toBe(true)
  })

  it('answers in words when it cannot be saved, and is saved once it can', async () => {
    const path = tempWorkspace().path('drafts.json')
    mkdirSync(path)
    const drafts = new Drafts(path)
    expect(await textOf(drafts)).toBe('')
    expect(await drafts.save('a')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Could not save the draft') }
    })
    rmSync(path, { recursive: true })
    expect((await drafts.save('a')).ok).toBe(true)
  })
})
