// K-5, K-7, K-8 in the whole app: the carried plan is what later changes of it are told against; windows without a
// stored context run as they are; what a person switched off is not carried.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { planFileOf } from '@common/agents/protected-paths'
import { windowFileName } from '@common/ids'
import { baselinesOf } from '@common/rows/file-baselines'
import { rowKindOf } from '@common/rows/row-kinds'
import { placeOf, replayOf } from '../context/testing/replay-of'
import { contentOf } from '../tools/file-content'
import { boundaryOf, calls, compactionRig, type CompactionRig, edit, SAID, todo, write } from './testing/compaction-rig'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const DONE = { text: 'done' }

async function compacted(plan = '# Plan A\n1. Tests\n'): Promise<CompactionRig> {
  const rig = await compactionRig(cleanUps)
  rig.writePlan(plan)
  await rig.work(SAID, DONE)
  await rig.compact()
  return rig
}

async function notices({ test }: CompactionRig): Promise<string[]> {
  const rows = (await test.rows()).filter((row) => rowKindOf(row) === 'file-change-notice')
  return rows.map(({ parts }) => JSON.stringify(parts))
}

describe('K-5 the carried plan', () => {
  it('is the baseline: what somebody changes after it is told with the next message, once, also after a restart', async () => {
    const rig = await compacted()
    await rig.work('Nothing changed.', DONE)
    expect(await notices(rig)).toEqual([])
    rig.writePlan('# Plan A\n1. More tests\n')
    await rig.restart()
    await rig.work('And now?', DONE)
    expect(await notices(rig)).toEqual([expect.stringContaining('-1. Tests\\n+1. More tests')])
    expect(rig.server.requests.at(-1)?.rawBody).toContain('+1. More tests')
    await rig.work('And then?', DONE)
    expect(await notices(rig)).toHaveLength(1)
  })

  it('is told against where it changed while the summary was written', async () => {
    const rig = await compactionRig(cleanUps)
    const { test, server } = rig
    rig.writePlan('# Plan A\n')
    await rig.work(SAID, DONE)
    server.push({ text: 'SUMMARY', delivery: { delayMs: 20 } })
    const done = test.nextEnd()
    await test.send('/compact')
    await server.request(1)
    rig.writePlan('# Plan B\n')
    await done
    expect((await rig.header())?.text).toContain('# Plan A')
    await rig.work('Go on.', DONE)
    expect(await notices(rig)).toEqual([expect.stringContaining('+# Plan B')])
  })

  it('gives way to what later rows know: the agent’s own edit is not told', async () => {
    const rig = await compacted()
    const { workspaceId } = rig.test
    await rig.test.ask('workspace.update', { workspaceId, agentId: 'plan' })
    const file = planFileOf(workspaceId)
    await rig.work('Change it.', calls(edit(file, 'Tests', 'Tools')), DONE)
    await rig.work('Go on.', DONE)
    expect(await notices(rig)).toEqual([])
    expect(baselinesOf(await rig.test.rows()).get(file)?.content).toBe(contentOf(Buffer.from('# Plan A\n1. Tools\n')))
  })

  it('is none where it was left out or switched off, and goes with its boundary', async () => {
    const rig = await compacted()
    const { test } = rig
    const { workspaceId } = test
    const file = planFileOf(workspaceId)
    const isKnown = async (): Promise<boolean> => baselinesOf(await test.rows()).has(file)
    expect(await isKnown()).toBe(true)
    const { id } = await boundaryOf(test)
    await test.session.store.amendRow({ id }, { postCompactionContext: { omittedFromRequest: 3 } })
    expect(await isKnown()).toBe(false)
    rig.writePlan('# Plan B')
    await rig.work('Go on.', DONE)
    expect(await notices(rig)).toEqual([])
    await test.session.store.amendRow({ id }, { postCompactionContext: { omittedFromRequest: undefined } })
    expect(await isKnown()).toBe(true)
    expect(await test.session.store.truncateFrom({ id }, { isConfirmed: true })).toMatchObject({ ok: true })
    expect(await isKnown()).toBe(false)
  })
})

describe('K-7 a boundary without a stored context', () => {
  /** Puts something else in the place of the field, as another version may; undefined leaves it out. */
  async function rewriteWith(rig: CompactionRig, postCompactionContext: unknown): Promise<void> {
    const { windows } = placeOf(rig.test)
    const row = await boundaryOf(rig.test)
    const name = path.join(windows, windowFileName(row.metadata.historySequence ?? 0))
    const [first = '', ...others] = readFileSync(name, 'utf8').split('\n')
    const { metadata, ...fields } = JSON.parse(first)
    const { postCompactionContext: _before, ...kept } = metadata
    await rig.test.app.close()
    const boundary = JSON.stringify({ ...fields, metadata: { postCompactionContext, ...kept } })
    writeFileSync(name, [boundary, ...others].join('\n'))
    await rig.restart()
  }

  it.each([
    ['nothing', undefined],
    ['a text', 'the plan'],
    ['another form', { text: 7, plan: [] }]
  ])('opens its window with %s in its place; the next compaction carries again', async (_name, instead) => {
    const rig = await compacted()
    await rewriteWith(rig, instead)
    expect((await rig.test.rows()).map(rowKindOf)).toEqual(['compaction-summary'])
    rig.writePlan('# Plan B')
    expect(await rig.work('Go on.', DONE)).toMatchObject({ outcome: 'completed' })
    expect(rig.server.requests.at(-1)?.rawBody).toContain('SUMMARY')
    expect(rig.server.requests.at(-1)?.rawBody).not.toMatch(/Plan A|Plan B/)
    await rig.work(SAID, DONE)
    await rig.compact('SUMMARY 2')
    expect((await rig.header())?.text).toContain('# Plan B')
    expect((await replayOf(rig.test)).summary.differing).toBe(0)
  })

  it('V-2 is named as the first message that is not what was sent, in each request that had it and in no other', async () => {
    const rig = await compacted()
    await rig.work('With it.', DONE)
    await rewriteWith(rig, undefined)
    await rig.work('Without it.', DONE)
    const { id } = await boundaryOf(rig.test)
    const { verdicts } = await replayOf(rig.test)
    expect(verdicts.map(({ result }) => result)).toEqual(['identical', 'identical', 'differs', 'identical'])
    expect(verdicts[2]?.firstDifference).toMatchObject({ part: 'message', index: 0, rowId: id })
    expect(verdicts[2]?.firstDifference?.what).toMatch(/is not what was sent: it had \d+ bytes of JSON and has \d+\./)
  })
})

describe('K-8 the switches', () => {
  it('say what the next compaction would carry, are kept, and count from it on', async () => {
    const rig = await compactionRig(cleanUps)
    const { workspaceId } = rig.test
    rig.writePlan('# Plan A')
    await rig.work(SAID, calls(write('a.txt', 'a\n'), write('b.txt', 'b\n'), todo('later')), DONE)
    const plan = { kind: 'plan', id: 'plan', isOn: true, path: planFileOf(workspaceId), problem: null }
    expect(await rig.test.ask('context.carryOver', { workspaceId })).toEqual({
      isOn: true,
      items: [
        plan,
        { kind: 'file', id: 'file:b.txt', isOn: true, path: 'b.txt', added: 1, removed: 0 },
        { kind: 'file', id: 'file:a.txt', isOn: true, path: 'a.txt', added: 1, removed: 0 },
        { kind: 'todo', id: 'todo', isOn: true, count: 1 }
      ]
    })
    await rig.test.ask('context.setCarryOver', { workspaceId, itemId: 'plan', isOn: false })
    await rig.test.ask('context.setCarryOver', { workspaceId, itemId: 'file:a.txt', isOn: false })
    await rig.restart()
    await rig.compact()
    const header = await rig.header()
    expect(header?.text).toMatch(/b\.txt.*later/s)
    expect(header?.text).not.toMatch(/Plan A|a\.txt/)
    expect(header).not.toHaveProperty('plan')
    // The window that runs keeps what it has.
    const off = await rig.test.ask('context.setCarryOver', { workspaceId, itemId: null, isOn: false })
    expect(off).toMatchObject({
      isOn: false,
      items: [
        { ...plan, isOn: false },
        { kind: 'todo', isOn: true }
      ]
    })
    await rig.work(SAID, DONE)
    expect(rig.server.requests.at(-1)?.rawBody).toContain('later')
    await rig.compact('SUMMARY 2')
    expect(await rig.header()).toBeUndefined()
    await rig.test.ask('context.setCarryOver', { workspaceId, itemId: null, isOn: true })
    await rig.work(SAID, DONE)
    await rig.compact('SUMMARY 3')
    expect((await rig.header())?.text).toContain('later')
  })

  it('read a workspace.json that holds something else as all on, and keep what they do not know', async () => {
    const rig = await compactionRig(cleanUps)
    const { workspaceId } = rig.test
    rig.writePlan('# Plan A')
    const { workspace: file } = placeOf(rig.test)
    const change = async (carryOver: unknown): Promise<void> => {
      await rig.test.app.close()
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), carryOver }))
      await rig.restart()
    }
    await change('all')
    expect(await rig.test.ask('context.carryOver', { workspaceId })).toMatchObject({
      isOn: true,
      items: [{ isOn: true }]
    })
    await change({ without: ['plan'], later: { deep: 1 } })
    const moved = await rig.test.ask('context.setCarryOver', { workspaceId, itemId: null, isOn: false })
    expect(moved).toMatchObject({ isOn: false, items: [{ isOn: false }] })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      carryOver: { off: true, without: ['plan'], later: { deep: 1 } }
    })
  })

  it('answer with what is left where the project is gone', async () => {
    const rig = await compactionRig(cleanUps)
    await rig.work(SAID, calls(write('a.txt', 'a\n'), todo('later')), DONE)
    rmSync(rig.test.project, { recursive: true })
    const { items } = await rig.test.ask('context.carryOver', { workspaceId: rig.test.workspaceId })
    expect(items.map(({ kind }) => kind)).toEqual(['todo'])
  })
})
