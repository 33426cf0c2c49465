// Proves a person's search (S-9): page after page, across workspaces, and never an answer to an earlier question.
import { describe, expect, it } from 'vitest'
import { createFakeBridge } from '../../testing/fake-bridge'
import { dailyWorld } from '../../testing/fake-world'
import { createApp } from '../app-store'
import type { SearchAnswer } from '../search-state'
import { openSearch, runSearch, searchFurther, typeQuery, type LookUp } from './search-actions'
import { connectApp } from './start-app'

function hit(sequence: number): SearchAnswer['items'][number] {
  return {
    item_id: `i:${sequence}`,
    window_id: 'w:0',
    sequence,
    role: 'user',
    tool_name: null,
    snippet: 'retry',
    at: null,
    match_offset_chars: 0
  }
}

async function started() {
  const app = createApp(createFakeBridge(dailyWorld()), { sidebarShown: true, panelShown: false, sheet: null })
  connectApp(app, { onCommand: () => undefined, reloadedWorkspaceId: null })
  await new Promise<void>((resolve) => {
    const check = () => Object.keys(app.store.getState().workspaces).length > 0 && resolve()
    app.store.subscribe(check)
    check()
  })
  return { app, search: () => app.store.getState().search }
}

describe('S-9: searching past windows', () => {
  it('asks page after page until the beginning', async () => {
    const { app, search } = await started()
    openSearch(app, 'workspace', false)
    expect(app.store.getState()).toMatchObject({ panelTab: 'search', layout: { panelShown: true } })
    typeQuery(app, 'retry')
    const asked: unknown[] = []
    await runSearch(app, async (input) => {
      asked.push(input.cursor)
      return {
        ok: true,
        value: { items: [hit(9)], cursor: asked.length < 3 ? `c${asked.length}` : null, skipped_oversized_rows: 0 }
      }
    })
    expect(asked).toEqual([null, 'c1', 'c2'])
    expect(search()).toMatchObject({ phase: 'done', searchedIn: 'ws-1' })
    expect(search().hits).toHaveLength(3)
  })

  it('waits for the person once there is enough to read, then goes on', async () => {
    const { app, search } = await started()
    typeQuery(app, 'retry')
    const many: LookUp = async () => ({
      ok: true,
      value: { items: Array.from({ length: 20 }, (_, n) => hit(n)), cursor: 'more', skipped_oversized_rows: 0 }
    })
    await runSearch(app, many)
    expect(search()).toMatchObject({ phase: 'paused' })
    expect(search().hits).toHaveLength(60)
    await searchFurther(app, many)
    expect(search().hits).toHaveLength(120)
  })

  it('drops the answer to an earlier question', async () => {
    const { app, search } = await started()
    typeQuery(app, 'old')
    const answers: Array<() => void> = []
    const slow: LookUp = () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ ok: true, value: { items: [hit(1)], cursor: null, skipped_oversized_rows: 0 } }))
      })
    const first = runSearch(app, slow)
    typeQuery(app, 'new')
    await runSearch(app, async () => ({ ok: true, value: { items: [], cursor: null, skipped_oversized_rows: 0 } }))
    for (const answer of answers) answer()
    await first
    expect(search()).toMatchObject({ searched: 'new', hits: [], phase: 'done' })
  })

  it('tells of a workspace that cannot be searched and looks at the others', async () => {
    const { app, search } = await started()
    openSearch(app, 'everywhere', true)
    typeQuery(app, 'retry')
    await runSearch(app, async ({ workspaceId }) =>
      workspaceId === 'ws-3'
        ? { ok: false, error: { kind: 'io', message: 'It could not be read.' } }
        : { ok: true, value: { items: [hit(1)], cursor: null, skipped_oversized_rows: 0 } }
    )
    expect(search()).toMatchObject({ phase: 'done', problem: 'It could not be read.', searchedIn: 'everywhere' })
    expect(new Set(search().hits.map((each) => each.workspaceId)).size).toBe(4)
  })
})
