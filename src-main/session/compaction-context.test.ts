// K-1, K-2, K-5, K-7, K-8 in the whole app: what a compaction carries is stored with its boundary, goes with it
// wherever it goes, and is what later changes are told against.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { planFileOf } from '@common/agents/protected-paths'
import { MAX_ROW_BYTES } from '@common/constants'
import { rowKindOf } from '@common/rows/row-kinds'
import { replayOf } from '../context/testing/replay-of'
import { importHistory } from '../history/import-history'
import { rowsOfLines, type TestApp } from '../testing/test-app'
import { boundaryOf, calls, compactionRig, edit, SAID, todo, write } from './testing/compaction-rig'
import { seededRandom } from './testing/random'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const DONE = { text: 'done' }

describe('K-1 what the window is given', () => {
  it('is plan, edited files, to-do list; not what was undone, deleted or came back as it was', async () => {
    const rig = await compactionRig(cleanUps)
    const { test } = rig
    test.writeProject('kept.txt', 'one\n')
    for (const name of ['undone.txt', 'restored.txt', 'deleted.txt']) test.writeProject(name, 'one\n')
    rig.writePlan('# Plan A')
    await rig.work(
      SAID,
      calls(edit('kept.txt', 'one', 'two'), edit('undone.txt', 'one', 'two'), write('gone.txt', 'x\n')),
      calls(edit('restored.txt', 'one', 'two'), edit('deleted.txt', 'one', 'two')),
      calls(edit('kept.txt', 'two', 'three'), edit('undone.txt', 'two', 'one'), write('new.txt', 'n\n'), todo('later')),
      DONE
    )
    for (const name of ['gone.txt', 'deleted.txt']) rmSync(path.join(test.project, name))
    test.writeProject('restored.txt', 'one\n')
    test.writeProject('new.txt', 'by somebody else\n')
    await rig.compact()
    const header = await rig.header()
    const order = ['# Plan A', 'kept.txt: +2 −2', 'later'].map((words) => header?.text.indexOf(words) ?? -1)
    expect(order.every((at) => at > 0)).toBe(true)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(header?.text.indexOf('+three')).toBeLessThan(header?.text.indexOf('+two') ?? 0)
    expect(header?.text).toContain('new.txt: +1 −0 lines; changed by something else since')
    expect(header?.text).not.toMatch(/undone|gone|deleted|restored/)
    expect(header?.plan).toMatchObject({ path: planFileOf(test.workspaceId), content: '# Plan A' })
    // Files of the old window only: the next compaction has none, and its request has what this one carried.
    await rig.work(SAID, DONE)
    await rig.compact()
    expect(rig.server.requests.at(-1)?.rawBody).toContain('kept.txt: +2 −2')
    expect((await rig.header())?.text).not.toContain('kept.txt')
  })

  it('A-2 is the plan that the Plan agent wrote with its own tools', async () => {
    const rig = await compactionRig(cleanUps, { approvalMode: 'ask' })
    const { test, server } = rig
    const { workspaceId } = test
    await test.ask('workspace.update', { workspaceId, agentId: 'plan' })
    const file = planFileOf(workspaceId)
    await rig.work(
      SAID,
      calls(write(file, '# Mine\n'), write('src/no.txt', 'x')),
      calls(edit(file, 'Mine', 'Ours')),
      DONE
    )
    expect(readFileSync(path.join(test.project, file), 'utf8')).toBe('# Ours\n')
    expect(server.requests.at(-2)?.rawBody).toContain('its tool policy denies it')
    const { items } = await test.ask('context.carryOver', { workspaceId })
    expect(items).toEqual([{ kind: 'plan', id: 'plan', isOn: true, path: file, problem: null }])
    await rig.compact()
    await test.ask('workspace.update', { workspaceId, agentId: 'exec' })
    await rig.work('Carry it out.', DONE)
    expect(server.requests.at(-1)?.rawBody).toContain('# Ours')
    expect(server.problems).toEqual([])
  })
})

it('K-3 H-13 a summary over the size at which answers are divided is one boundary all the same, with its context', async () => {
  const rig = await compactionRig(cleanUps)
  rig.writePlan('# Plan A')
  const random = seededRandom(50_401)
  const delivery = { pieceChars: 16_384 }
  const said = Array.from({ length: 9_000 }, () => Math.floor(random() * 1e9).toString(36)).join(' ')
  await rig.work('Say much.', { text: said, delivery })
  await rig.work('/compact', { text: 'a'.repeat(MAX_ROW_BYTES + 9_000), delivery })
  expect((await rig.test.rows()).map(rowKindOf)).toEqual(['compaction-summary'])
  expect((await rig.header())?.plan?.content).toBe('# Plan A')
  const { page } = await rig.test.ask('workspace.open', { workspaceId: rig.test.workspaceId })
  expect(rowsOfLines(page.lines).at(-1)?.metadata).toMatchObject({ contextBoundaryKind: 'compaction' })
  expect(page.lines).not.toContain('postCompactionContext')
})

describe('K-2 the stored context', () => {
  it('is in a fork, an export and an import byte for byte, also where it is left out', async () => {
    const rig = await compactionRig(cleanUps)
    rig.writePlan('# Plan A\n\tsöme 🌊')
    await rig.work(SAID, calls(todo('later')), DONE)
    await rig.compact()
    await rig.work('Second.', DONE)
    const { test } = rig
    const boundary = await boundaryOf(test)
    await test.session.store.amendRow({ id: boundary.id }, { postCompactionContext: { omittedFromRequest: 900 } })
    const line = await boundaryLine(test)
    expect(line).toContain('söme 🌊')
    const { workspace } = await test.ask('row.fork', { workspaceId: test.workspaceId, rowId: null })
    const { file } = await test.ask('workspace.export', { workspaceId: test.workspaceId, format: 'jsonl' })
    const exported = readFileSync(file ?? '', 'utf8')
    expect(exported.split('\n')).toContain(line)
    // K-4 It stays out in a copy, whose requests count on from the parent's.
    await rig.restart(workspace)
    expect(await boundaryLine(rig.test)).toBe(line)
    await rig.work('In the copy.', DONE)
    expect(rig.server.requests.at(-1)?.rawBody).not.toContain('Plan A')
    expect((await rig.header())?.plan?.path).toBe(planFileOf(test.workspaceId))
  })

  it('is in an import as it was, and stays out there: request sequences count on from the mark', async () => {
    const rig = await compactionRig(cleanUps)
    rig.writePlan('# Plan A')
    await rig.work(SAID, DONE)
    await rig.compact()
    const { test } = rig
    const { id } = await boundaryOf(test)
    await test.session.store.amendRow({ id }, { postCompactionContext: { omittedFromRequest: 900 } })
    const line = await boundaryLine(test)
    const { file } = await test.ask('workspace.export', { workspaceId: test.workspaceId, format: 'jsonl' })
    const { projectId } = test.session.view
    const { workspace } = await test.ask('workspace.create', { projectId, model: 'anthropic:test-model' })
    await rig.restart(workspace)
    const { store, folder } = rig.test.session
    const into = { store, workspaceDir: folder, newId: () => crypto.randomUUID() }
    expect(await importHistory({ ...into, format: 'tidemark', path: file ?? '' })).toMatchObject({ ok: true })
    await rig.test.session.adoptImport()
    expect(await boundaryLine(rig.test)).toBe(line)
    await rig.work('Go on.', DONE)
    expect(rig.server.requests.at(-1)?.rawBody).not.toContain('Plan A')
    const { verdicts, summary } = await replayOf(rig.test)
    expect(verdicts.map(({ requestSequence }) => requestSequence)).toEqual([900])
    expect(summary.differing).toBe(0)
  })

  it('stays with an edit behind its boundary, and is gone with one before it: the window before is as it was', async () => {
    const rig = await compactionRig(cleanUps)
    const { test, server } = rig
    const { workspaceId } = test
    rig.writePlan('# Plan A')
    await rig.work(SAID, calls(todo('from before')), DONE)
    const [first] = await test.rows()
    await rig.compact()
    await rig.work('Second.', calls(todo('from after')), DONE)
    const second = (await test.rows())[1]
    server.push(DONE)
    const redone = test.nextEnd()
    await test.ask('row.edit', { workspaceId, rowId: second?.id ?? '', text: 'Second, better.' })
    await redone
    expect(server.requests.at(-1)?.rawBody).toMatch(/SUMMARY.*# Plan A.*Second, better\./s)
    expect(test.session.file.todo).toMatchObject([{ content: 'from before' }])
    server.push(DONE)
    const again = test.nextEnd()
    await test.ask('row.edit', { workspaceId, rowId: first?.id ?? '', text: SAID, confirmed: true })
    await again
    expect(server.requests.at(-1)?.rawBody).not.toMatch(/SUMMARY|Plan A/)
    expect((await test.rows()).map(rowKindOf)).toEqual(['person', 'assistant'])
    expect((await replayOf(test)).summary.differing).toBe(0)
  })

  it.each([
    ['/clear', 0],
    ['/clear --soft', 1]
  ])('is not in what comes after %s', async (command, rows) => {
    const rig = await compactionRig(cleanUps)
    rig.writePlan('# Plan A')
    await rig.work(SAID, DONE)
    await rig.compact()
    const { test } = rig
    const { workspaceId } = test
    const soft = command.endsWith('--soft')
    await test.ask('history.clear', { workspaceId, soft })
    expect(await test.rows()).toHaveLength(rows)
    rig.writePlan('# Plan B')
    await rig.work('Afresh.', DONE)
    expect(rig.server.requests.at(-1)?.rawBody).not.toMatch(/Plan A|Plan B|SUMMARY/)
  })
})

/** The stored line of the window's boundary. */
async function boundaryLine(test: TestApp): Promise<string> {
  const line = await test.session.store.rawLineOf(await boundaryOf(test))
  return (line.ok && line.value) || ''
}
