// Proves a person's search (S-9): page after page, across workspaces, and never an answer to an earlier question.
import { describe, expect, it } from 'vitest'
import { createFakeBridge } from '../../testing/fake-bridge'
import { dailyWorld, type FakeWorld } from '../../testing/fake-world'
import { textRow } from '../../testing/session-builders'
import { createApp } from '../app-store'
import { openSearch, runSearch, searchFurther, typeQuery } from './search-actions'
import { connectApp } from './start-app'

async function started(changes: Partial<FakeWorld> = {}) {
  const bridge = createFakeBridge({ ...dailyWorld(), ...changes })
  const app = createApp(bridge, { sidebarShown: true, panelShown: false, sheet: null })
  connectApp(app, { onCommand: () => undefined, reloadedWorkspaceId: null })
  await new Promise<void>((resolve) => {
    const check = () => app.store.getState().selectedWorkspaceId !== null && resolve()
    app.store.subscribe(check)
    check()
  })
  const asked = () => bridge.calls.filter(({ name }) => name === 'history.search').map(({ input }) => input)
  return { app, bridge, asked, search: () => app.store.getState().search }
}

const rows = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => textRow(`${prefix}${n}`, 'user', `retry ${prefix} ${n}`, n + 1))

describe('S-9: searching past windows', () => {
  it('asks page after page until the beginning, and finds memories with the first', async () => {
    const { app, asked, search } = await started({ sessions: { 'ws-1': { rows: rows(50, 'a') } } })
    openSearch(app, 'workspace', false)
    expect(app.store.getState()).toMatchObject({ panelTab: 'search', layout: { panelShown: true } })
    typeQuery(app, 'retr')
    await runSearch(app)
    expect(asked()).toEqual([
      { workspaceId: 'ws-1', query: 'retr', cursor: null },
      { workspaceId: 'ws-1', query: 'retr', cursor: '30' }
    ])
    expect(search()).toMatchObject({ phase: 'done', searchedIn: 'ws-1' })
    expect(
      search()
        .hits.map(({ rowId }) => rowId)
        .slice(0, 2)
    ).toEqual(['a49', 'a48'])
    expect(search().hits).toHaveLength(50)
    expect(search().memories.map(({ path }) => path)).toEqual(['/memories/workspace/context-notes.md'])
  })

  it('waits for the person once there is enough to read, then goes on', async () => {
    const { app, search } = await started({ sessions: { 'ws-1': { rows: rows(100, 'a') } } })
    typeQuery(app, 'retry')
    await runSearch(app)
    expect(search()).toMatchObject({ phase: 'paused' })
    expect(search().hits).toHaveLength(60)
    await searchFurther(app)
    expect(search()).toMatchObject({ phase: 'done' })
    expect(search().hits).toHaveLength(100)
  })

  it('drops the answer to an earlier question', async () => {
    const { app, search } = await started({ sessions: { 'ws-1': { rows: rows(3, 'a') } } })
    typeQuery(app, 'retry')
    const first = runSearch(app)
    typeQuery(app, 'nobody said this')
    await runSearch(app)
    await first
    expect(search()).toMatchObject({ searched: 'nobody said this', hits: [], phase: 'done' })
  })

  it('looks everywhere in one search, also where no workspace is on screen', async () => {
    const { app, asked, search } = await started({
      sessions: { 'ws-1': { rows: rows(2, 'a') }, 'ws-5': { rows: rows(2, 'b') } }
    })
    openSearch(app, 'everywhere', true)
    typeQuery(app, 'retry')
    await runSearch(app)
    expect(search().hits.map(({ workspaceId }) => workspaceId)).toEqual(['ws-1', 'ws-1', 'ws-5', 'ws-5'])
    openSearch(app, 'workspace', false)
    app.store.setState({ selectedWorkspaceId: null })
    await runSearch(app)
    expect(asked()).toEqual(Array.from({ length: 2 }, () => ({ workspaceId: null, query: 'retry', cursor: null })))
  })

  it('says that it could not go on, and can be begun again', async () => {
    const { app, bridge, search } = await started({ sessions: { 'ws-1': { rows: rows(2, 'a') } } })
    typeQuery(app, 'retry')
    bridge.world.failures = { 'history.search': { kind: 'io', message: 'It could not be read.' } }
    await runSearch(app)
    expect(search()).toMatchObject({ phase: 'failed', problems: ['It could not be read.'] })
    bridge.world.failures = {}
    await runSearch(app)
    expect(search()).toMatchObject({ phase: 'done', problems: [] })
  })
})
