// Proves what the sidebar lists (U-1).
import { describe, expect, it } from 'vitest'
import { relativeTime } from '../frame/relative-time'
import { project } from '../testing/fake-world'
import { workspaceView } from '../testing/session-builders'
import { sidebarTree } from './sidebar-tree'
import { statusOf } from './workspace-status'

const workspaces = [
  workspaceView({ workspaceId: 'a', title: 'Old', updatedAtMs: 1 }),
  workspaceView({ workspaceId: 'b', title: 'New', updatedAtMs: 2 }),
  workspaceView({ workspaceId: 'c', title: 'Archived', updatedAtMs: 3, archived: true }),
  workspaceView({ workspaceId: 'd', title: 'Elsewhere', projectId: 'gone', projectPath: '/tmp/away' })
]
const ids = (tree: ReturnType<typeof sidebarTree>) =>
  tree.map((entry) => [entry.project.name, ...entry.workspaces.map((workspace) => workspace.workspaceId)])

describe('U-1: the sidebar', () => {
  it('lists the newest first, archived ones only when asked, and those of a removed project too', () => {
    const base = { projects: [project()], workspaces, filter: '' }
    expect(ids(sidebarTree({ ...base, archivedShown: false }))).toEqual([
      ['tidemark', 'b', 'a'],
      ['away', 'd']
    ])
    expect(ids(sidebarTree({ ...base, archivedShown: true }))[0]).toEqual(['tidemark', 'c', 'b', 'a'])
  })

  it('filters by title and leaves projects without a match out', () => {
    const base = { projects: [project(), project({ id: 'p-2', name: 'empty' })], workspaces, archivedShown: false }
    expect(ids(sidebarTree({ ...base, filter: ' nEw ' }))).toEqual([['tidemark', 'b']])
    expect(ids(sidebarTree({ ...base, filter: '' })).map(([name]) => name)).toContain('empty')
  })

  it('says the most pressing thing of a workspace, and never unread of the one on screen', () => {
    expect(statusOf(workspaceView({ waiting: true, phase: 'streaming', unread: true }), false)).toBe('waiting')
    expect(statusOf(workspaceView({ phase: 'settling', unread: true }), false)).toBe('running')
    expect(statusOf(workspaceView({ unread: true }), false)).toBe('unread')
    expect(statusOf(workspaceView({ unread: true }), true)).toBe('idle')
  })

  it('tells ages in few characters', () => {
    const now = Date.UTC(2026, 5, 15)
    const ago = (minutes: number) => relativeTime(now - minutes * 60_000, now)
    expect([ago(0.5), ago(5), ago(150), ago(60 * 50)]).toEqual(['now', '5m', '2h', '2d'])
    expect(relativeTime(Date.UTC(2024, 0, 2), now)).toContain('2024')
  })
})
