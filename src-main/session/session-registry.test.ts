import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'

const toClose: TestApp[] = []
afterEach(async () => {
  for (const test of toClose.splice(0)) await test.close()
})

async function started(): Promise<{ test: TestApp; workspaces: string }> {
  const test = await startTestApp()
  toClose.push(test)
  return { test, workspaces: join(test.home, 'workspaces') }
}

describe('the list of workspaces', () => {
  it('00 holds a workspace whose file does not parse or cannot be read, so that nothing seems lost', async () => {
    const { test, workspaces } = await started()
    mkdirSync(join(workspaces, 'cut', 'windows'), { recursive: true })
    writeFileSync(join(workspaces, 'cut', 'workspace.json'), '{"title": "Half a ti')
    mkdirSync(join(workspaces, 'unreadable', 'workspace.json'), { recursive: true })
    mkdirSync(join(workspaces, 'empty'))
    const { workspaces: listed } = await test.ask('app.start', {})
    const titles = Object.fromEntries(listed.map(({ workspaceId, title }) => [workspaceId, title]))
    expect(titles).toMatchObject({ cut: 'Recovered workspace', unreadable: 'Recovered workspace' })
    expect(titles).not.toHaveProperty('empty')
  })
})

describe('opening a workspace', () => {
  it('T-2 fails in words where its queue cannot be read, keeps nothing open, and works once it can', async () => {
    const { test } = await started()
    const { projectId } = test.session.view
    const { workspace } = await test.ask('workspace.create', { projectId })
    const folder = join(test.home, 'workspaces', workspace.workspaceId)
    mkdirSync(join(folder, 'queue.json'))
    const failed = await test.app.dispatch('workspace.open', { workspaceId: workspace.workspaceId })
    expect(failed).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(failed.ok ? '' : failed.error.message).toContain('Could not open the workspace')
    expect(readdirSync(folder).filter((name) => name.includes('.lock'))).toEqual([])
    rmSync(join(folder, 'queue.json'), { recursive: true })
    const opened = await test.ask('workspace.open', { workspaceId: workspace.workspaceId })
    expect(opened.queue).toEqual([])
  })

  it.each(['', '..', 'a/b', 'UPPER', '-x', 'x'.repeat(101)])(
    'refuses the id %j, which names no folder of ours',
    async (id) => {
      const { test } = await started()
      expect(await test.app.services.sessions.open(id)).toMatchObject({ ok: false })
      expect(await test.app.services.sessions.view(id)).toBeNull()
    }
  )

  it('T-1 opens none while or after the app closes, and none that is being deleted', async () => {
    const { test } = await started()
    const { workspaceId } = test
    const open = () => test.app.dispatch('workspace.open', { workspaceId })
    const removing = test.app.dispatch('workspace.delete', { workspaceId })
    const meanwhile = await Promise.all(Array.from({ length: 5 }, open))
    expect(await removing).toMatchObject({ ok: true })
    for (const answer of [...meanwhile, await open()]) expect(answer).toMatchObject({ ok: false })
    expect(existsSync(test.session.folder)).toBe(false)
    const { projectId } = test.session.view
    const { workspace } = await test.ask('workspace.create', { projectId })
    const closing = test.app.close()
    const late = test.app.dispatch('workspace.open', { workspaceId: workspace.workspaceId })
    expect(await late).toMatchObject({ ok: false, error: { message: expect.stringContaining('closing') } })
    await closing
  })

  it('opens a workspace once, however many ask at the same moment', async () => {
    const { test } = await started()
    const { projectId } = test.session.view
    const { workspace } = await test.ask('workspace.create', { projectId })
    const { sessions } = test.app.services
    const [first, second] = await Promise.all([
      sessions.open(workspace.workspaceId),
      sessions.open(workspace.workspaceId)
    ])
    expect(first.ok && second.ok && first.value === second.value).toBe(true)
  })
})
