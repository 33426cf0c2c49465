// Proves a jump to a row far away (S-9, F-19): one page, both ways on from there, back to the end, and a stream that
// goes on meanwhile stays at the end of the history.
import { describe, expect, it } from 'vitest'
import { PAGE_ROWS } from '@common/constants'
import type { Bridge } from '@common/contract/bridge'
import { createFakeBridge } from '../../testing/fake-bridge'
import type { FakeSession } from '../../testing/fake-session'
import { dailyWorld } from '../../testing/fake-world'
import { textRow } from '../../testing/session-builders'
import { createApp } from '../app-store'
import { jumpDone, jumpToRow } from './jump-actions'
import { loadNewer, loadOlder, showLatest, trimHistory } from './page-actions'
import { selectWorkspace } from './session-actions'
import { connectApp } from './start-app'

const ROWS = 6_000
const rowsOf = (prefix: string, count = ROWS) =>
  Array.from({ length: count }, (_, n) => textRow(`${prefix}${n}`, 'user', `row ${n}`, n + 1))
const jumpOf = (n: number, changes = {}) => ({
  workspaceId: 'ws-1',
  rowId: `a${n}`,
  sequence: n + 1,
  words: 'row',
  ...changes
})

/** `onAnswer` hears what main answered before the window does. */
async function started(onAnswer: (name: string, main: FakeSession) => void = () => undefined) {
  const sessions = { 'ws-1': { rows: rowsOf('a') }, 'ws-5': { rows: rowsOf('b', 500) } }
  const bridge = createFakeBridge({ ...dailyWorld(), sessions })
  const main = bridge.sessionOf('ws-1')
  const heard: Bridge = {
    onEvent: bridge.onEvent,
    request: async (name, input) => {
      const answer = await bridge.request(name, input)
      onAnswer(name, main)
      return answer
    }
  }
  const app = createApp(heard, { sidebarShown: true, panelShown: false, sheet: null })
  connectApp(app, { onCommand: () => undefined, reloadedWorkspaceId: null })
  await selectWorkspace(app, 'ws-1')
  const session = (workspaceId = 'ws-1') => app.store.getState().sessions[workspaceId]!
  const ids = (workspaceId = 'ws-1') => session(workspaceId).history.rows.map((row) => Number(row.id.slice(1)))
  const pages = () => bridge.calls.map(({ name }) => name).filter((name) => name.startsWith('workspace.page'))
  return { app, session, ids, pages, main }
}

/** The numbers from one to the other, side by side. */
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe('S-9: a jump to a row far away', () => {
  it('costs one page whatever the distance; older and newer pages go on from there', async () => {
    const { app, ids, pages } = await started()
    await jumpToRow(app, jumpOf(100))
    expect(app.store.getState().jump).toEqual(jumpOf(100))
    expect(pages()).toEqual(['workspace.pageAround'])
    expect(ids()).toEqual(range(60, 139))
    jumpDone(app)
    await loadOlder(app, 'ws-1')
    await loadNewer(app, 'ws-1')
    expect(ids()).toEqual(range(0, 219))
    expect(pages()).toEqual(['workspace.pageAround', 'workspace.page', 'workspace.pageAfter'])
  })

  it('asks for nothing when the row is in memory', async () => {
    const { app, pages } = await started()
    await jumpToRow(app, jumpOf(ROWS - 3))
    expect(app.store.getState().jump).toEqual(jumpOf(ROWS - 3))
    expect(pages()).toEqual([])
  })

  it('opens the other workspace at the row', async () => {
    const { app, ids } = await started()
    await jumpToRow(app, jumpOf(3, { workspaceId: 'ws-5', rowId: 'b3' }))
    expect(app.store.getState()).toMatchObject({ selectedWorkspaceId: 'ws-5', jump: { rowId: 'b3' } })
    expect(ids('ws-5')).toEqual(range(0, 42))
  })

  it('says that a row is gone, and stays where it is', async () => {
    const { app, ids } = await started()
    const before = ids()
    await jumpToRow(app, jumpOf(7, { rowId: 'cut' }))
    expect(app.store.getState().jump).toBeNull()
    expect(app.store.getState().notices[0]?.notice.message).toMatch(/no longer in this conversation/)
    expect(ids()).toEqual(before)
  })
})

describe('S-9, T-3: a stream that goes on while the past is on screen', () => {
  it('is counted, not put behind rows that it does not follow; the way back shows it', async () => {
    const { app, main, ids, session } = await started()
    await jumpToRow(app, jumpOf(100))
    main.emit({ type: 'row-appended', row: textRow('a6000', 'user', 'new', 6_001) })
    main.emit({ type: 'live-started', row: textRow('live', 'assistant', 'on', 6_002) })
    expect(ids()).toEqual(range(60, 139))
    expect(session().history.newerRows).toBe(1)
    await showLatest(app, 'ws-1')
    expect(ids().at(-1)).toBe(6_000)
    expect(session().history).toMatchObject({ after: null, newerRows: 0, span: 2 })
    expect(session().live?.id).toBe('live')
  })

  it('is not lost where a row comes while the last page is on its way, nor doubled', async () => {
    let comes = 2
    const { app, ids, session, pages } = await started((name, main) => {
      const isLast = name === 'workspace.pageAfter' && session().pagingNewer === 'loading'
      if (!isLast || comes === 0) return
      const number = ROWS + 2 - comes
      comes -= 1
      main.emit({ type: 'row-appended', row: textRow(`a${number}`, 'user', 'new', number + 1) })
    })
    await jumpToRow(app, jumpOf(ROWS - 120))
    expect(ids().at(-1)).toBe(ROWS - 81)
    await loadNewer(app, 'ws-1')
    if (session().history.after !== null) await loadNewer(app, 'ws-1')
    expect(pages().filter((name) => name === 'workspace.pageAfter').length).toBeGreaterThan(1)
    expect(ids()).toEqual(range(ROWS - 160, ROWS + 1))
    expect(session().history).toMatchObject({ after: null, newerRows: 0 })
  })
})

describe('F-19: reading on and on', () => {
  it('keeps a bounded number of rows, upward and downward, each once and in order', async () => {
    const { app, ids, session } = await started()
    for (let page = 0; page < 60; page += 1) await loadOlder(app, 'ws-1')
    expect(ids().length).toBeLessThanOrEqual(2_000 + PAGE_ROWS)
    expect(ids()).toEqual(range(ids()[0] ?? 0, ids().at(-1) ?? 0))
    expect(session().history.after).not.toBeNull()
    trimHistory(app, 'ws-1')
    expect(ids().length).toBeGreaterThan(400)
    while (session().history.after !== null) await loadNewer(app, 'ws-1')
    expect(ids().length).toBeLessThanOrEqual(2_000 + PAGE_ROWS)
    expect(ids()).toEqual(range(ids()[0] ?? 0, ROWS - 1))
  })
})
