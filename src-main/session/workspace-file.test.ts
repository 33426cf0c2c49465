import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempWorkspace } from '../history/testing/temp-workspace'
import type { TempWorkspace } from '../history/testing/temp-workspace'
import { readWorkspaceFile, WorkspaceFile, writeWorkspaceFile } from './workspace-file'

const file = WorkspaceFile.parse({
  id: 'w1',
  title: 'Fix the 🌊 parser',
  projectPath: '/home/me/project',
  model: 'anthropic:sea-1',
  grants: [{ kind: 'tool', toolName: 'file_edit' }],
  todo: [{ content: 'read', status: 'completed' }]
})

function copiesIn(workspace: TempWorkspace): Buffer[] {
  return readdirSync(workspace.dir)
    .filter((name) => name.startsWith('workspace.json.damaged-'))
    .map((name) => readFileSync(join(workspace.dir, name)))
}

describe('workspace.json', () => {
  it('00 comes back as it was written, private to its owner', async () => {
    const path = tempWorkspace().path('workspace.json')
    expect(await writeWorkspaceFile(path, file)).toEqual({ ok: true, value: undefined })
    expect(await readWorkspaceFile(path, 'w1')).toEqual({ file, damage: null })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is null where there is no workspace', async () => {
    expect(await readWorkspaceFile(tempWorkspace().path('workspace.json'), 'w1')).toBeNull()
  })

  it('00 keeps unknown fields of a newer version, and goes by the name of its folder', async () => {
    const path = tempWorkspace().path('workspace.json')
    writeFileSync(path, JSON.stringify({ id: 'someone-else', title: 'A', goal: { text: 'ship', state: 'active' } }))
    const read = await readWorkspaceFile(path, 'w1')
    expect(read).toMatchObject({ damage: null, file: { id: 'w1', title: 'A', goal: { text: 'ship' } } })
    await writeWorkspaceFile(path, read?.file ?? file)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ id: 'w1', goal: { text: 'ship', state: 'active' } })
  })

  it('loses one bad field alone, says which, and keeps the file as it was before it writes', async () => {
    const workspace = tempWorkspace()
    const path = workspace.path('workspace.json')
    const text = JSON.stringify({ ...file, approvalMode: 'ask-a-friend', todo: [{ content: 'x', status: 'soon' }] })
    writeFileSync(path, text)
    const read = await readWorkspaceFile(path, 'w1')
    expect(read?.file).toEqual({ ...file, approvalMode: 'ask', todo: [] })
    expect(read?.damage).toBe(
      `${path} has values that cannot be used (approvalMode, todo); defaults stand in for them.`
    )
    expect((await writeWorkspaceFile(path, read?.file ?? file)).ok).toBe(true)
    expect(copiesIn(workspace).map(String)).toEqual([text])
  })

  it('keeps a grant of a kind that only a newer version knows', async () => {
    const path = tempWorkspace().path('workspace.json')
    writeFileSync(path, JSON.stringify({ ...file, grants: [{ kind: 'domain', host: 'example.org' }] }))
    expect((await readWorkspaceFile(path, 'w1'))?.file.grants).toEqual([{ kind: 'domain', host: 'example.org' }])
  })

  it('opens after a cut at any byte, and keeps what was there byte for byte before it writes', async () => {
    const whole = Buffer.from(`${JSON.stringify(file)}\n`)
    for (let length = 0; length < whole.length - 1; length += 7) {
      const workspace = tempWorkspace()
      const path = workspace.path('workspace.json')
      const bytes = whole.subarray(0, length)
      writeFileSync(path, bytes)
      const read = await readWorkspaceFile(path, 'w1')
      expect(read).toMatchObject({
        damage: `${path} does not parse.`,
        file: { id: 'w1', title: 'Recovered workspace' }
      })
      expect((await writeWorkspaceFile(path, file)).ok).toBe(true)
      expect(copiesIn(workspace).map((copy) => copy.equals(bytes))).toEqual([true])
      expect(await readWorkspaceFile(path, 'w1')).toEqual({ file, damage: null })
    }
  })

  it('keeps a second damage beside the first', async () => {
    const workspace = tempWorkspace()
    const path = workspace.path('workspace.json')
    for (const text of ['{"title":', 'null']) {
      writeFileSync(path, text)
      await writeWorkspaceFile(path, file)
    }
    expect(copiesIn(workspace).map(String).toSorted()).toEqual(['null', '{"title":'])
  })

  it('tells a file that cannot be read as damage, and never writes over it', async () => {
    const path = tempWorkspace().path('workspace.json')
    mkdirSync(path)
    const read = await readWorkspaceFile(path, 'w1')
    expect(read?.file.title).toBe('Recovered workspace')
    expect(read?.damage).toContain('Could not read the workspace')
    const written = await writeWorkspaceFile(path, file)
    expect(written.ok ? '' : written.error).toContain('Could not save the workspace')
    expect(statSync(path).isDirectory()).toBe(true)
  })
})
