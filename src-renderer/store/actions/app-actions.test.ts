// Proves the actions against an in-memory main: starting, joining a running stream (T-3), never losing a
// typed text (T-2), letting go of what is not used.
import { describe, expect, it } from 'vitest'
import { createFakeBridge } from '../../testing/fake-bridge'
import { dailyWorld, project } from '../../testing/fake-world'
import { rowOf, textRow, workspaceView } from '../../testing/session-builders'
import type { FakeWorld } from '../../testing/fake-world'
import { createApp } from '../app-store'
import { draftOf } from '../draft-state'
import { attachFile, sendDraft, typeDraft } from './draft-actions'
import { loadOlder, trimHistory } from './page-actions'
import { selectWorkspace } from './session-actions'
import { connectApp } from './start-app'

function started(changes: Partial<FakeWorld> = {}) {
  const bridge = createFakeBridge(changes)
  const app = createApp(bridge, { sidebarShown: true, panelShown: true, sheet: null })
  const stop = connectApp(app, { onCommand: () => undefined, reloadedWorkspaceId: null })
  const until = (ready: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => ready() && resolve()
      app.store.subscribe(check)
      app.drafts.subscribe(check)
      check()
    })
  return { app, bridge, stop, until, session: () => app.store.getState().sessions['ws-1'] }
}

const oneWorkspace = {
  projects: [project()],
  workspaces: [workspaceView()],
  openWorkspaceId: 'ws-1'
}

describe('starting', () => {
  it('U-1: opens what was open last', async () => {
    const { app, until, session } = started(dailyWorld())
    await until(() => session()?.loaded === true)
    expect(app.store.getState().selectedWorkspaceId).toBe('ws-1')
  })

  it('F-12: asks for the conversation before all else, and shows the frame once it is there', async () => {
    const { app, bridge, until, session } = started(dailyWorld())
    const loadedWhenReady = new Promise<boolean>((resolve) =>
      app.store.subscribe(({ start }) => start.kind === 'ready' && resolve(session()?.loaded === true))
    )
    expect(await loadedWhenReady).toBe(true)
    await until(() => bridge.calls.some(({ name }) => name === 'providers.detect'))
    const names = bridge.calls.map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['app.start', 'workspace.open'])
    expect(names.at(-1)).toBe('providers.detect')
  })

  it('U: --project opens a folder that has no workspace with a new one', async () => {
    const { app, until } = started({ projects: [project()], openProjectId: 'p-1' })
    await until(() => app.store.getState().sessions['ws-1']?.loaded === true)
    expect(Object.keys(app.store.getState().workspaces)).toEqual(['ws-1'])
  })

  it('a main that cannot start says so and can be asked again', async () => {
    const { app, until } = started({ failures: { 'app.start': { kind: 'io', message: 'No.' } } })
    await until(() => app.store.getState().start.kind === 'failed')
    expect(app.store.getState().start).toEqual({ kind: 'failed', message: 'No.' })
  })
})

describe('T-3: joining a stream', () => {
  it('events that come while the snapshot is on its way are neither lost nor doubled', async () => {
    const { app, bridge, until, session } = started({ projects: [project()], workspaces: [workspaceView()] })
    await until(() => app.store.getState().start.kind === 'ready')
    const opening = selectWorkspace(app, 'ws-1')
    const main = bridge.sessionOf('ws-1')
    main.emit({ type: 'row-appended', row: textRow('a', 'user', 'one', 1) })
    await opening
    main.emit({ type: 'row-appended', row: textRow('b', 'assistant', 'two', 2) })
    await until(() => session()?.history.rows.length === 2)
    expect(session()?.history.rows.map((row) => row.id)).toEqual(['a', 'b'])
  })

  it('a lost batch leads to a new snapshot by itself', async () => {
    const { bridge, until, session } = started(oneWorkspace)
    await until(() => session()?.loaded === true)
    const main = bridge.sessionOf('ws-1')
    main.emit({ type: 'row-appended', row: textRow('a', 'user', 'one', 1) })
    bridge.publish({
      channel: 'session',
      workspaceId: 'ws-1',
      firstSequence: 90,
      events: [{ type: 'history-rewritten' }]
    })
    expect(session()?.link.kind).toBe('opening')
    // Main's own numbers never reach 90 here: after a few snapshots the window says that it cannot follow.
    await until(() => session()?.link.kind === 'failed')
    expect(session()?.history.rows).toHaveLength(1)
    expect(bridge.calls.filter((call) => call.name === 'workspace.open')).toHaveLength(5)
  })
})

describe('T-2: a typed text', () => {
  it('leaves the field only once main took it', async () => {
    const { app, bridge, until, session } = started(oneWorkspace)
    await until(() => session()?.loaded === true)
    bridge.world.failures = { 'turn.send': { kind: 'locked', message: 'Locked.' } }
    typeDraft(app, 'ws-1', 'keep me')
    expect(await sendDraft(app, 'ws-1', 'tool-end')).toBe(false)
    expect(draftOf(app.drafts.getState(), 'ws-1')).toMatchObject({ text: 'keep me', sending: false })
    expect(app.store.getState().notices.map((entry) => entry.notice.message)).toEqual(['Locked.'])
    bridge.world.failures = {}
    expect(await sendDraft(app, 'ws-1', 'tool-end')).toBe(true)
    expect(draftOf(app.drafts.getState(), 'ws-1').text).toBe('')
  })

  it('typed while a send is on its way stays', async () => {
    const { app, until, session } = started(oneWorkspace)
    await until(() => session()?.loaded === true)
    typeDraft(app, 'ws-1', 'first')
    const sending = sendDraft(app, 'ws-1', 'tool-end')
    expect(await sendDraft(app, 'ws-1', 'tool-end')).toBe(false)
    typeDraft(app, 'ws-1', 'first and more')
    await sending
    expect(draftOf(app.drafts.getState(), 'ws-1').text).toBe(' and more')
  })

  it('comes back with the workspace after a reload', async () => {
    const { app, bridge, until, session } = started(oneWorkspace)
    await until(() => session()?.loaded === true)
    typeDraft(app, 'ws-1', 'half a thought')
    await attachFile(app, 'ws-1', new File(['log'], 'crash.log', { type: 'text/plain' }))
    const again = createApp(bridge, { sidebarShown: true, panelShown: true, sheet: null })
    connectApp(again, { onCommand: () => undefined, reloadedWorkspaceId: 'ws-1' })
    await new Promise<void>((resolve) => {
      again.drafts.subscribe(() => resolve())
    })
    const draft = draftOf(again.drafts.getState(), 'ws-1')
    expect(draft.text).toBe('half a thought')
    expect(draft.attachments.map((each) => [each.filename, each.state.kind])).toEqual([['crash.log', 'ready']])
  })

  it('H-13: a text over 128 KB is not sent and not lost', async () => {
    const { app, bridge, until, session } = started(oneWorkspace)
    await until(() => session()?.loaded === true)
    typeDraft(app, 'ws-1', 'é'.repeat(70_000))
    expect(await sendDraft(app, 'ws-1', 'tool-end')).toBe(false)
    expect(draftOf(app.drafts.getState(), 'ws-1').text).toHaveLength(70_000)
    expect(bridge.calls.some((call) => call.name === 'turn.send')).toBe(false)
  })
})

describe('F-19: memory', () => {
  it('pages back through a long history and lets go of it at the end', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) =>
      rowOf(`r${n}`, 'user', [{ type: 'text', text: `${n}` }], n + 1)
    )
    const { app, until, session } = started({ ...oneWorkspace, sessions: { 'ws-1': { rows } } })
    await until(() => session()?.loaded === true)
    while ((session()?.history.rows.length ?? 0) < 1_000) await loadOlder(app, 'ws-1')
    expect(session()?.history.rows[0]?.id).toBe('r0')
    trimHistory(app, 'ws-1')
    expect(session()?.history.rows).toHaveLength(400)
    expect(session()?.history.rows.at(-1)?.id).toBe('r999')
    await loadOlder(app, 'ws-1')
    expect(session()?.history.rows).toHaveLength(480)
    expect(session()?.history.rows[0]?.id).toBe('r520')
  })

  it('follows only the workspace on screen and keeps the last few to be shown at once', async () => {
    const workspaces = Array.from({ length: 7 }, (_, n) => workspaceView({ workspaceId: `ws-${n + 1}` }))
    const { app, bridge, until } = started({ projects: [project()], workspaces })
    await until(() => app.store.getState().start.kind === 'ready')
    for (const { workspaceId } of workspaces) await selectWorkspace(app, workspaceId)
    expect(Object.keys(app.store.getState().sessions)).toEqual(['ws-4', 'ws-5', 'ws-6', 'ws-7'])
    expect(bridge.calls.filter((call) => call.name === 'workspace.close')).toHaveLength(6)
    const { sessions } = app.store.getState()
    expect(Object.values(sessions).map((session) => session.link.kind)).toEqual([
      'opening',
      'opening',
      'opening',
      'following'
    ])
  })
})
