// H-10, H-12, T-2, T-6, R-8 as a person meets them: edit from here, delete, fork, clear, and the same while a turn runs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { RequestFailure } from '@common/contract/bridge'
import type { RequestInput, RequestName } from '@common/contract/requests'
import { isKnownPart, type Row } from '@common/rows/row-schema'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { acquireOwnerLock } from '../files/owner-lock'
import { systemClock } from '../files/system-clock'
import { rowsOfLines, startTestApp, type TestApp } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

async function rig(turns: readonly TurnSource[], model = {}): Promise<{ server: ScriptedServer; test: TestApp }> {
  const server = await startScriptedServer({ turns })
  toClose.push(server)
  const entry = scriptedEntry('anthropic', server.baseUrl, { id: 'test-model', ...model })
  const test = await startTestApp({ providers: [entry], model: 'anthropic:test-model' })
  toClose.push(test)
  return { server, test }
}

function latch(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

function textOf(row: Row | undefined): string {
  return (row?.parts ?? []).map((part) => (isKnownPart(part) && part.type === 'text' ? part.text : '')).join('')
}

async function refusal<Name extends RequestName>(
  test: TestApp,
  name: Name,
  input: RequestInput<Name>
): Promise<RequestFailure> {
  const answer = await test.app.dispatch(name, input)
  if (answer.ok) throw new Error(`${name} was carried out`)
  return answer.error
}

/** The conversation as the last request sent it. */
function lastMessages(server: ScriptedServer): string {
  const body = server.requests.at(-1)?.body as { messages: unknown } | undefined
  return JSON.stringify(body?.messages)
}

const texts = async (test: TestApp): Promise<string[]> => (await test.rows()).map(textOf)
const folderOf = (test: TestApp): string => path.join(test.home, 'workspaces', test.workspaceId)

test('H-10 P-6 an edited message takes the snapshots of the files that it mentioned along, and a fork before it too', async () => {
  const { test, server } = await rig([{ text: 'one' }, { text: 'better' }])
  await test.turn('first')
  const machine = { type: 'prelude', source: 'file', path: 'a.ts' }
  const snapshot = (number: number): Row => ({
    id: `m2-file-${number}`,
    role: 'user',
    parts: [{ type: 'text', text: `snapshot ${number}` }],
    metadata: { synthetic: true, uiVisible: true, machine }
  })
  const message: Row = { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'See @a.ts, @b.ts' }], metadata: {} }
  await test.session.store.appendMany([snapshot(1), snapshot(2), message])
  const { workspaceId } = test
  const { workspace } = await test.ask('row.fork', { workspaceId, rowId: 'm2', inclusive: false })
  const fork = await test.app.services.sessions.open(workspace.workspaceId)
  const forked = fork.ok ? await fork.value.store.activeWindow() : null
  expect(forked?.ok === true ? forked.value.rows.map(textOf) : null).toEqual(['first', 'one'])
  const ended = test.nextEnd()
  await test.ask('row.edit', { workspaceId, rowId: 'm2', text: 'nothing of it' })
  await ended
  expect(await texts(test)).toEqual(['first', 'one', 'nothing of it', 'better'])
  expect(lastMessages(server)).not.toContain('snapshot')
})

test('H-10 an edited message takes the place of the old one and of all after it, and is answered', async () => {
  const { test, server } = await rig([{ text: 'one' }, { text: 'two' }, { text: 'better' }])
  await test.turn('first')
  await test.turn('second')
  const [, , second] = await test.rows()
  const before = test.events.length
  const ended = test.nextEnd()
  const { workspaceId } = test
  const answer = await test.ask('row.edit', { workspaceId, rowId: second?.id ?? '', text: 'second, better' })
  expect(answer).toMatchObject({ kind: 'sent', accepted: 'started' })
  expect(await ended).toMatchObject({ outcome: 'completed' })
  expect(await texts(test)).toEqual(['first', 'one', 'second, better', 'better'])
  const rows = await test.rows()
  expect(rows.map((row) => row.metadata.historySequence)).toEqual([1, 2, 5, 6])
  const sent = lastMessages(server)
  expect(sent).toContain('second, better')
  expect(sent).not.toContain('"two"')
  const told = test.events.slice(before).map((event) => event.type)
  expect(told.indexOf('history-rewritten')).toBeLessThan(told.indexOf('row-appended'))
  const snapshot = await test.ask('workspace.open', { workspaceId })
  expect(rowsOfLines(snapshot.page.lines)).toEqual(rows)
  expect(snapshot.workspace.rows).toBe(4)
  expect(snapshot.queue).toEqual([])
  expect(server.problems).toEqual([])
})

test('H-10 an edit across a boundary asks first, says what it takes, and does it once it is confirmed', async () => {
  const { test } = await rig([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
  await test.turn('first')
  const { workspaceId } = test
  await test.ask('history.clear', { workspaceId, soft: true })
  await test.turn('second')
  const windows = await test.ask('windows.list', { workspaceId })
  expect(windows.windows).toMatchObject([
    { windowId: 'w:0', kind: 'root', rows: 2, current: false },
    { windowId: 'w:3', kind: 'reset', rows: 3, current: true }
  ])
  const page = await test.ask('workspace.open', { workspaceId })
  expect(page.windowStarts).toEqual([0, 3])
  const first = rowsOfLines(page.page.lines)[0]?.id ?? ''
  const asked = await test.ask('row.edit', { workspaceId, rowId: first, text: 'changed' })
  expect(asked).toMatchObject({ kind: 'needs-confirmation', rows: 5, windows: 1 })
  expect(asked.kind === 'needs-confirmation' && asked.message).toContain('5 rows')
  expect((await test.ask('windows.list', { workspaceId })).windows).toHaveLength(2)
  const ended = test.nextEnd()
  await test.ask('row.edit', { workspaceId, rowId: first, text: 'changed', confirmed: true })
  await ended
  expect(await texts(test)).toEqual(['changed', 'three'])
  expect((await test.ask('windows.list', { workspaceId })).windows).toMatchObject([{ windowId: 'w:0', rows: 2 }])
  expect(await test.ask('window.verify', { workspaceId, windowId: 'w:0' })).toMatchObject({ kind: 'verified', rows: 2 })
})

test('H-10 T-1 edits are refused while a turn runs; a fork is not, and does not disturb it', async () => {
  const held = latch()
  const { test, server } = await rig([
    { text: 'one' },
    async () => {
      await held.opened
      return { text: 'two' }
    }
  ])
  await test.turn('first')
  const [row] = await test.rows()
  const rowId = row?.id ?? ''
  const { workspaceId } = test
  const ended = test.nextEnd()
  await test.send('second')
  await server.request(1)
  for (const failure of [
    await refusal(test, 'row.edit', { workspaceId, rowId, text: 'x' }),
    await refusal(test, 'row.delete', { workspaceId, rowId }),
    await refusal(test, 'history.clear', { workspaceId, soft: false }),
    await refusal(test, 'history.clear', { workspaceId, soft: true }),
    await refusal(test, 'turn.send', { workspaceId, text: '/clear', attachments: [], mode: 'turn-end' })
  ]) {
    expect(failure).toMatchObject({ kind: 'busy', message: expect.stringContaining('Stop it first') })
  }
  const { workspace } = await test.ask('row.fork', { workspaceId, rowId: null, inclusive: true })
  expect(workspace).toMatchObject({ title: 'first (fork)', rows: 3, costUsd: 0 })
  held.open()
  expect(await ended).toMatchObject({ outcome: 'completed' })
  expect(await texts(test)).toEqual(['first', 'one', 'second', 'two'])
  const fork = await test.ask('workspace.open', { workspaceId: workspace.workspaceId })
  expect(rowsOfLines(fork.page.lines).map(textOf)).toEqual(['first', 'one', 'second'])
  expect(server.problems).toEqual([])
})

test('H-10 V-1 a fork before a message has it as a draft, with its files, and counts requests on', async () => {
  const { test, server } = await rig([{ text: 'one' }, { text: 'two' }, { text: 'in the fork' }])
  const { workspaceId } = test
  await test.turn('first')
  const { attachment } = await test.ask('attachment.add', {
    workspaceId,
    filename: 'notes.txt',
    mediaType: 'text/plain',
    bytes: new TextEncoder().encode('attached words')
  })
  const ended = test.nextEnd()
  await test.ask('turn.send', { workspaceId, text: 'second', attachments: [attachment], mode: 'turn-end' })
  await ended
  const second = (await test.rows())[2]
  const { workspace } = await test.ask('row.fork', { workspaceId, rowId: second?.id ?? '', inclusive: false })
  const forkId = workspace.workspaceId
  const snapshot = await test.ask('workspace.open', { workspaceId: forkId })
  expect(rowsOfLines(snapshot.page.lines).map(textOf)).toEqual(['first', 'one'])
  expect(snapshot.draft).toBe('second')
  expect(snapshot.draftAttachments).toEqual([attachment])
  const read = await test.ask('attachment.read', { workspaceId: forkId, sha256: attachment.sha256 })
  expect(new TextDecoder().decode(read.bytes)).toBe('attached words')
  const session = await test.app.services.sessions.open(forkId)
  if (!session.ok) throw new Error(session.error)
  const forkEnded = new Promise<void>((resolve) =>
    session.value.events.subscribe(({ events }) => events.some(({ type }) => type === 'turn-ended') && resolve())
  )
  await test.ask('turn.send', { workspaceId: forkId, text: 'third', attachments: [], mode: 'turn-end' })
  await forkEnded
  const rows = await session.value.store.activeWindow()
  const answer = rows.ok ? rows.value.rows.at(-1) : undefined
  expect(textOf(answer)).toBe('in the fork')
  expect(answer?.parts.find((part) => part.type === 'step')).toMatchObject({ requestSequence: 3 })
  expect(await texts(test)).toEqual(['first', 'one', 'second', 'two'])
  // The prefix that the parent sent is the prefix that the fork sends: the provider's cache stays warm.
  const bodies = server.requests.map(({ body }) => body as { system: unknown })
  expect(bodies[2]?.system).toEqual(bodies[0]?.system)
  expect(readdirSync(path.join(test.home, 'workspaces')).filter((name) => name.startsWith('.'))).toEqual([])
})

test('H-10 a deleted row is gone from the next request; what cannot be deleted or edited says why', async () => {
  const { test, server } = await rig([{ text: 'one' }, { text: 'two' }])
  const { workspaceId } = test
  await test.turn('a secret')
  const [person, answer] = await test.rows()
  expect(await refusal(test, 'row.edit', { workspaceId, rowId: answer?.id ?? '', text: 'x' })).toMatchObject({
    kind: 'refused'
  })
  expect(await refusal(test, 'row.edit', { workspaceId, rowId: 'nobody', text: 'x' })).toMatchObject({
    kind: 'not-found'
  })
  expect(await refusal(test, 'row.edit', { workspaceId, rowId: person?.id ?? '', text: ' ' })).toMatchObject({
    kind: 'invalid-input'
  })
  await test.ask('row.delete', { workspaceId, rowId: person?.id ?? '' })
  expect(await refusal(test, 'row.delete', { workspaceId, rowId: person?.id ?? '' })).toMatchObject({
    kind: 'not-found'
  })
  await test.turn('next')
  expect(lastMessages(server)).not.toContain('a secret')
  expect(readFileSync(path.join(folderOf(test), 'cut-rows.jsonl'), 'utf8')).toContain('a secret')
  await test.ask('history.clear', { workspaceId, soft: true })
  const divider = (await test.rows())[0]?.id ?? ''
  expect(await refusal(test, 'row.delete', { workspaceId, rowId: divider })).toMatchObject({ kind: 'refused' })
})

test('H-12 a message that was not sent can be edited: its capsule goes, the new text is sent', async () => {
  const { test } = await rig([{ text: 'short enough' }], { contextLimit: 6_000, maxOutputTokens: 500 })
  const { workspaceId } = test
  const blocked = await test.turn('long words. '.repeat(6_000))
  expect(blocked.outcome).toBe('context_budget_blocked')
  const [capsule] = await test.rows()
  expect(capsule?.metadata.machine?.type).toBe('rejected-input')
  const ended = test.nextEnd()
  await test.ask('row.edit', { workspaceId, rowId: capsule?.id ?? '', text: 'short' })
  expect(await ended).toMatchObject({ outcome: 'completed' })
  expect(await texts(test)).toEqual(['short', 'short enough'])
})

test('T-6 R-4 /clear empties the conversation and drops what was derived from it; the cut rows stay on disk', async () => {
  const { test, server } = await rig([
    {
      text: 'planned',
      toolCalls: [{ id: 'c1', name: 'todo', input: { items: [{ content: 'do it', status: 'pending' }] } }]
    },
    { text: 'one' },
    { text: 'two' }
  ])
  const { workspaceId } = test
  await test.turn('a first question')
  expect(test.session.file.todo).toHaveLength(1)
  const clear = { workspaceId, text: ' /clear ', attachments: [], mode: 'turn-end' as const }
  expect(await test.ask('turn.send', clear)).toEqual({
    accepted: 'needs-confirmation',
    rows: 2,
    windows: 1,
    message: expect.stringMatching(/^This cuts all 2 rows\. What is cut is kept in cut-rows\.jsonl/)
  })
  expect(await test.rows()).toHaveLength(2)
  const sent = await test.ask('turn.send', { ...clear, confirmed: true })
  expect(sent.accepted).toBe('done')
  const snapshot = await test.ask('workspace.open', { workspaceId })
  expect(snapshot).toMatchObject({ page: { lines: '' }, usage: null, todo: [], queue: [] })
  expect(snapshot.workspace.rows).toBe(0)
  expect(test.session.file.frozenSystem).toBeNull()
  expect(readFileSync(path.join(folderOf(test), 'cut-rows.jsonl'), 'utf8')).toContain('a first question')
  await test.turn('afresh')
  expect(lastMessages(server)).not.toContain('a first question')
  expect((await test.rows()).map((row) => row.metadata.historySequence)).toEqual([3, 4])
  const { requestSequence } = test.session.file
  expect(requestSequence).toBe(3)
})

test('T-6 /clear --soft begins a fresh window and keeps every row on screen; once is enough', async () => {
  const { test, server } = await rig([{ text: 'one' }, { text: 'two' }])
  const { workspaceId } = test
  await test.turn('first')
  for (let times = 0; times < 3; times++)
    await test.ask('turn.send', { workspaceId, text: '/clear  --soft', attachments: [], mode: 'turn-end' })
  await test.turn('second')
  const snapshot = await test.ask('workspace.open', { workspaceId })
  const rows = rowsOfLines(snapshot.page.lines)
  expect(rows.map(textOf)).toEqual(['first', 'one', '', 'second', 'two'])
  expect(rows[2]?.metadata).toMatchObject({ contextBoundaryKind: 'reset', historySequence: 3 })
  expect(rows[2]?.metadata.machine).toBeUndefined()
  expect(lastMessages(server)).not.toContain('first')
  expect(existsSync(path.join(folderOf(test), 'cut-rows.jsonl'))).toBe(false)
})

test('a text that is no command of ours is sent as it is, also with a slash', async () => {
  const { test } = await rig([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
  for (const text of ['/etc/hosts is empty', '/clearly not', '/clear --hard']) await test.turn(text)
  expect((await texts(test)).filter((_text, index) => index % 2 === 0)).toEqual([
    '/etc/hosts is empty',
    '/clearly not',
    '/clear --hard'
  ])
  const { commands } = await test.ask('commands.list', { projectId: null })
  expect(commands.map(({ name }) => name)).toEqual(['/clear', '/compact'])
})

test('T-2 what waits in the queue is sent after an edit, and machine entries are dropped with the cut rows', async () => {
  const { test } = await rig([{ text: 'one' }, { text: 'better' }, { text: 'waited' }])
  const { workspaceId } = test
  await test.turn('first')
  const [first] = await test.rows()
  const { queue } = test.session
  const entry = { text: 'waiting', attachments: [], mode: 'turn-end' as const, held: false, queuedAtMs: 1 }
  await queue.add({ ...entry, id: 'waits', source: 'person' })
  await queue.add({ ...entry, id: 'machine', text: 'Continue.', source: 'machine' })
  const answers = test.event('row-appended', ({ row }) => textOf(row) === 'waited')
  await test.ask('row.edit', { workspaceId, rowId: first?.id ?? '', text: 'first, better' })
  await answers
  expect(await texts(test)).toEqual(['first, better', 'better', 'waiting', 'waited'])
})

test('H-7 H-10 another process that shows the conversation takes a new snapshot after an edit', async () => {
  const { test } = await rig([{ text: 'one' }, { text: 'two' }])
  await test.turn('first')
  await test.turn('second')
  const other = await startTestApp({ again: test })
  toClose.push(other)
  await other.session.snapshot()
  const [, , second] = await test.rows()
  const { workspaceId } = test
  await test.ask('row.delete', { workspaceId, rowId: second?.id ?? '' })
  await other.session.tellForeignRows()
  await other.event('history-rewritten')
  const snapshot = await other.ask('workspace.open', { workspaceId })
  expect(rowsOfLines(snapshot.page.lines).map(textOf)).toEqual(['first', 'one', 'two'])
  expect(snapshot.workspace.rows).toBe(3)
})

test('H-7 H-10 another process that sees the rows of an edit before its workspace.json waits for that', async () => {
  const { test } = await rig([{ text: 'one' }, { text: 'two' }])
  await test.turn('first')
  await test.turn('second')
  await test.app.close()
  const other = await startTestApp({ again: test })
  toClose.push(other)
  await other.session.snapshot()
  const editor = await startTestApp({ again: test })
  toClose.push(editor)
  const { folder, store } = editor.session
  const lock = await acquireOwnerLock(path.join(folder, 'turn.lock'), { waitMs: 0, clock: systemClock })
  if (!lock.ok) throw new Error(lock.error.message)
  const [, , second] = await editor.rows()
  expect(await store.deleteRow({ id: second?.id ?? '' })).toMatchObject({ ok: true })
  const told = other.event('history-rewritten')
  void other.session.tellForeignRows()
  // Long enough to have read the file as it is, had it not waited.
  await Promise.race([told, systemClock.sleep(150)])
  const file = path.join(folder, 'workspace.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), rows: 3 }))
  lock.value.release()
  await told
  expect(other.session.view.rows).toBe(3)
})
