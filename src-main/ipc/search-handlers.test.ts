import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { PersonHit } from '@common/contract/search-views'
import type { NewRow } from '@common/rows/row-schema'
import { rowsOfLines, startTestApp, type TestApp } from '../testing/test-app'

const toClose: TestApp[] = []
afterEach(async () => {
  for (const test of toClose.splice(0)) await test.close()
})

async function app(): Promise<TestApp> {
  const test = await startTestApp()
  toClose.push(test)
  return test
}

const said = (id: string, text: string): NewRow => ({ id, role: 'user', parts: [{ type: 'text', text }], metadata: {} })
const reset: NewRow = { id: 'reset', role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'reset' } }

/** Another workspace of the same project. */
async function another(test: TestApp, rows: readonly NewRow[]): Promise<string> {
  const { workspace } = await test.ask('workspace.create', { projectId: test.session.view.projectId })
  const opened = await test.app.services.sessions.open(workspace.workspaceId)
  if (!opened.ok) throw new Error(opened.error)
  await opened.value.store.appendMany(rows)
  return workspace.workspaceId
}

async function searchAll(test: TestApp, workspaceId: string | null, limit: number): Promise<PersonHit[]> {
  const hits: PersonHit[] = []
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof search>> = await search(test, workspaceId, 'needle', cursor, limit)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    hits.push(...page.items)
    if (page.cursor === null) return hits
    cursor = page.cursor
  }
}

function search(test: TestApp, workspaceId: string | null, query: string, cursor: string | null = null, limit = 30) {
  return test.ask('history.search', { workspaceId, query, cursor, limit })
}

it('S-9 a person searches one workspace and all of them, with every hit once in pages of any size', async () => {
  const test = await app()
  await test.session.store.appendMany([said('a', 'needle a'), said('b', 'hay'), said('c', 'Needle c')])
  await test.session.store.appendMany([reset])
  await test.session.store.appendMany([said('d', 'needle d')])
  const other = await another(test, [said('e', 'needle e'), said('f', 'needle f')])
  await another(test, [said('g', 'hay')])
  for (const limit of [1, 2, 30]) {
    expect((await searchAll(test, test.workspaceId, limit)).map(({ rowId }) => rowId)).toEqual(['d', 'c', 'a'])
    const everywhere = await searchAll(test, null, limit)
    expect(everywhere.map(({ rowId }) => rowId).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'a',
      'c',
      'd',
      'e',
      'f'
    ])
    expect(new Set(everywhere.map(({ workspaceId }) => workspaceId))).toEqual(new Set([test.workspaceId, other]))
  }
  const page = await search(test, test.workspaceId, 'needle')
  expect(page).toMatchObject({ exhausted: true, cursor: null, skipped_oversized_rows: 0, memories: [] })
  expect(page.problems).toEqual([])
  expect(page.items.map(({ windowNumber }) => windowNumber)).toEqual([2, 1, 1])
  expect(page.items[1]).toMatchObject({ window_id: 'w:0', sequence: 3, role: 'user', matchStart: 0, matchLength: 6 })
  expect(statSync(path.join(test.home, 'install-key')).size).toBe(32)
})

it('S-9 a conversation that cannot be read is named, and the others are searched', async () => {
  const test = await app()
  await test.session.store.appendMany([said('a', 'needle')])
  const other = await another(test, [said('b', 'needle')])
  await test.ask('workspace.update', { workspaceId: other, title: 'Broken one' })
  const windows = path.join(test.home, 'workspaces', other, 'windows')
  renameSync(windows, `${windows}-away`)
  writeFileSync(windows, 'no folder')
  const page = await search(test, null, 'needle')
  expect(page.items.map(({ rowId }) => rowId)).toEqual(['a'])
  expect(page.problems).toEqual([expect.stringMatching(/^“Broken one” was not searched: .+/)])
  expect(
    await test.app.dispatch('history.search', { workspaceId: other, query: 'needle', cursor: null })
  ).toMatchObject({ ok: false, error: { kind: 'io' } })
})

it('S-9 memories and notes are found, each once, on the first page', async () => {
  const test = await app()
  const global = path.join(test.home, 'memories', 'global')
  const notes = path.join(test.session.folder, 'memories')
  for (const folder of [global, notes]) mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(global, 'style.md'), `${'x'.repeat(300)} prefers NEEDLE over pin`)
  writeFileSync(path.join(notes, 'context-notes.md'), 'needle: still open')
  await test.session.store.appendMany([said('a', 'needle'), said('b', 'needle')])
  await another(test, [said('c', 'needle')])
  const page = await search(test, null, 'needle', null, 1)
  expect(page.memories.map(({ path: name }) => name).toSorted((a, b) => a.localeCompare(b))).toEqual([
    '/memories/global/style.md',
    '/memories/workspace/context-notes.md'
  ])
  const style = page.memories.find(({ path: name }) => name.endsWith('style.md'))
  expect(style?.snippet.slice(style.matchStart, style.matchStart + style.matchLength)).toBe('NEEDLE')
  expect((await search(test, null, 'needle', page.cursor, 1)).memories).toEqual([])
  expect(readFileSync(path.join(global, 'style.md'), 'utf8')).toContain('NEEDLE')
})

it('S-9 a hit is shown on a page around it, which goes on both ways', async () => {
  const test = await app()
  const { workspaceId } = test
  await test.session.store.appendMany(
    Array.from({ length: 400 }, (_, at) => said(`p${at}`, at === 120 ? 'needle' : `row ${at}`))
  )
  const { items } = await search(test, workspaceId, 'needle')
  const { rowId = '', sequence = null } = items[0] ?? {}
  const page = await test.ask('workspace.pageAround', { workspaceId, rowId, sequence })
  const ids = rowsOfLines(page.lines).map((row) => row.id)
  expect(ids).toContain('p120')
  const older = await test.ask('workspace.page', { workspaceId, before: page.before ?? '' })
  const newer = await test.ask('workspace.pageAfter', { workspaceId, after: page.after ?? '' })
  expect(rowsOfLines(older.lines).at(-1)?.id).toBe(`p${Number(ids[0]?.slice(1)) - 1}`)
  expect(rowsOfLines(newer.lines)[0]?.id).toBe(`p${Number(ids.at(-1)?.slice(1)) + 1}`)
  expect(newer.after).not.toBeNull()
})

it('S-9 what cannot be answered says so', async () => {
  const test = await app()
  const { workspaceId } = test
  await test.session.store.appendMany([said('a', 'needle'), said('b', 'needle')])
  const kindOf = async (name: string, input: object): Promise<string> => {
    const answer = await test.app.dispatch(name, input)
    return answer.ok ? 'ok' : answer.error.kind
  }
  const query = { query: 'needle', limit: 1 }
  expect(await kindOf('history.search', { ...query, workspaceId: 'gone', cursor: null })).toBe('not-found')
  expect(await kindOf('history.search', { ...query, workspaceId: '../../etc', cursor: null })).toBe('not-found')
  for (const cursor of [
    'x',
    `${workspaceId}|`,
    `${workspaceId}|AAAA`,
    `${workspaceId}|${'A'.repeat(90)}`,
    '../../etc|'
  ])
    expect([cursor, await kindOf('history.search', { ...query, workspaceId: null, cursor })]).toEqual([
      cursor,
      cursor === `${workspaceId}|` ? 'ok' : 'invalid-input'
    ])
  const first = await search(test, workspaceId, 'needle', null, 1)
  expect(await kindOf('history.search', { ...query, query: 'other', workspaceId, cursor: first.cursor })).toBe(
    'invalid-input'
  )
  expect(await kindOf('workspace.pageAround', { workspaceId, rowId: 'nobody', sequence: null })).toBe('not-found')
  expect(await kindOf('workspace.pageAfter', { workspaceId, after: 'p1.0.0.1' })).toBe('io')
})
