// K-4 in the whole app: a request that does not fit with what a compaction carried is sent once without it; the mark is
// on disk before it goes out.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { windowFileName } from '@common/ids'
import { placeOf, replayOf } from '../context/testing/replay-of'
import type { SeenRequest } from '../provider/testing/scripted-turn'
import { watchedFileSystem } from './testing/budget-rig'
import { boundaryOf, calls, compactionRig, type CompactionRig, SAID, todo } from './testing/compaction-rig'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const DONE = { text: 'done' }
const TOO_LONG = { fault: { kind: 'context-exceeded' } } as const

async function compacted(options?: Parameters<typeof compactionRig>[1]): Promise<CompactionRig> {
  const rig = await compactionRig(cleanUps, options)
  rig.writePlan('# Plan A')
  await rig.work(SAID, calls(todo('later')), DONE)
  await rig.compact()
  return rig
}

/** The mark as it is on disk now. */
function markOnDisk({ test }: CompactionRig): number | undefined {
  const { windows } = placeOf(test)
  const sequence = Number(test.session.store.currentWindowId.slice(2))
  const [line = ''] = readFileSync(path.join(windows, windowFileName(sequence)), 'utf8').split('\n')
  return JSON.parse(line).metadata.postCompactionContext?.omittedFromRequest
}

describe('K-4 a request that the provider finds too long', () => {
  it('goes out once more without it, the mark before it; so do all later ones, also after a restart', async () => {
    const rig = await compacted()
    const { test, server } = rig
    const before = (await boundaryOf(test)).metadata
    const tokens = before.postCompactionContext?.tokens ?? 0
    const marks: (number | undefined)[] = []
    const noted = (request: SeenRequest) => {
      marks.push(markOnDisk(rig))
      return request.index === 3 ? TOO_LONG : DONE
    }
    server.push(noted, noted)
    expect(await rig.work('Go on.')).toMatchObject({ outcome: 'completed', requests: 2 })
    expect(server.requests[3]?.rawBody).toContain('# Plan A')
    expect(server.requests[4]?.rawBody).toContain('SUMMARY')
    expect(server.requests[4]?.rawBody).toContain('Go on.')
    expect(server.requests[4]?.rawBody).not.toContain('Plan A')
    // The first request had none, the one that left it out had its own number on disk already.
    expect(marks).toEqual([undefined, 5])
    const after = (await boundaryOf(test)).metadata
    expect(after.postCompactionContext).toEqual({ ...before.postCompactionContext, omittedFromRequest: 5 })
    expect(tokens).toBeGreaterThan(10)
    expect(after.contextUsage?.inputTokens).toBe((before.contextUsage?.inputTokens ?? 0) - tokens)
    const told = test.events.find((event) => event.type === 'row-updated')
    expect(JSON.stringify(told)).not.toContain('postCompactionContext')
    await rig.work('And on.', DONE)
    await rig.restart()
    await rig.work('And after the restart.', DONE)
    for (const request of server.requests.slice(4)) expect(request.rawBody).not.toContain('Plan A')
    // V-2 With it up to the mark, without it from there on.
    expect((await replayOf(rig.test)).summary).toMatchObject({ requests: 7, differing: 0 })
    expect(server.problems).toEqual([])
  })

  it('stays out with an edit and with a fork back before the mark', async () => {
    const rig = await compacted()
    await rig.work('With it.', DONE)
    await rig.work('Without it.', TOO_LONG, DONE)
    const { test, server } = rig
    const { workspaceId } = test
    const early = (await test.rows())[1]
    const { workspace } = await test.ask('row.fork', { workspaceId, rowId: early?.id ?? '' })
    server.push(DONE)
    const redone = test.nextEnd()
    await test.ask('row.edit', { workspaceId, rowId: early?.id ?? '', text: 'Otherwise.' })
    await redone
    expect(server.requests.at(-1)?.rawBody).not.toContain('Plan A')
    expect((await replayOf(test)).summary.differing).toBe(0)
    await rig.restart(workspace)
    await rig.work('In the fork.', DONE)
    expect(server.requests.at(-1)?.rawBody).toContain('SUMMARY')
    expect(server.requests.at(-1)?.rawBody).not.toContain('Plan A')
    expect((await replayOf(rig.test)).summary).toMatchObject({ requests: 1, differing: 0 })
  })

  it('stays out where the retry never came to an answer: stopped, then the app started again', async () => {
    const rig = await compacted()
    const { test, server } = rig
    server.push(TOO_LONG, { fault: { kind: 'hang' } })
    const stopped = test.nextEnd()
    await test.send('Go on.')
    await server.request(4)
    await test.session.interrupt()
    expect(await stopped).toMatchObject({ outcome: 'interrupted' })
    await rig.restart()
    expect(markOnDisk(rig)).toBe(5)
    await rig.work('Again.', DONE)
    expect(server.requests.at(-1)?.rawBody).toMatch(/SUMMARY.*Go on\..*Again\./s)
    expect(server.requests.at(-1)?.rawBody).not.toContain('Plan A')
    expect((await replayOf(rig.test)).summary).toMatchObject({ requests: 6, differing: 0 })
  })

  it('is tried once: a second refusal is the turn’s end, and a window that carries nothing is not tried at all', async () => {
    const rig = await compacted()
    expect(await rig.work('Go on.', TOO_LONG, TOO_LONG)).toMatchObject({
      outcome: 'failed',
      reason: 'context_exceeded'
    })
    expect(rig.server.requests).toHaveLength(5)
    expect(await rig.work('Again.', TOO_LONG)).toMatchObject({ outcome: 'failed', reason: 'context_exceeded' })
    expect(rig.server.requests).toHaveLength(6)
  })

  it('is not tried again in a later step, nor for a summary', async () => {
    const rig = await compacted()
    expect(await rig.work('Go on.', calls(todo('x')), TOO_LONG)).toMatchObject({ outcome: 'failed' })
    expect(await rig.work('/compact', TOO_LONG)).toMatchObject({ outcome: 'failed' })
    expect(markOnDisk(rig)).toBeUndefined()
  })

  it('P-7 goes into a fresh window instead where one may begin, and not both in one turn', async () => {
    const rig = await compactionRig(cleanUps, {
      limits: { id: 'test-model', contextLimit: 200_000, maxOutputTokens: 2_000 }
    })
    await rig.test.ask('settings.set', { path: 'experiments.tokenBudget', value: true })
    rig.writePlan('# Plan A')
    await rig.work(SAID, DONE)
    await rig.compact()
    const boundary = await boundaryOf(rig.test)
    expect(await rig.work('Go on.', TOO_LONG, TOO_LONG)).toMatchObject({
      outcome: 'failed',
      reason: 'context_exceeded'
    })
    expect(rig.server.requests).toHaveLength(4)
    expect(rig.server.requests.at(-1)?.rawBody).not.toMatch(/Plan A|SUMMARY/)
    const line = await rig.test.session.store.rawLineOf({ id: boundary.id })
    expect(line.ok && line.value).not.toContain('omittedFromRequest')
  })

  it('is not sent where the mark cannot be written: the refusal stands, and why is told', async () => {
    let refuse = false
    const fs = watchedFileSystem((name, file) => {
      // A rename's first path: the edit's marker is made beside its name.
      if (refuse && name === 'rename' && file.includes('edit.json'))
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: name, path: file })
    })
    const rig = await compacted({ fs })
    refuse = true
    expect(await rig.work('Go on.', TOO_LONG)).toMatchObject({ outcome: 'failed', reason: 'context_exceeded' })
    refuse = false
    expect(rig.server.requests).toHaveLength(4)
    expect(markOnDisk(rig)).toBeUndefined()
    const notice = rig.test.events.find((event) => event.type === 'notice')
    expect(JSON.stringify(notice)).toContain('could not be left out')
    await rig.work('Again.', TOO_LONG, DONE)
    expect(markOnDisk(rig)).toBe(6)
  })
})

describe('K-4 a request that our own count refuses', () => {
  it('is sent without it where it fits then, before anything is stored of the message', async () => {
    // Ceiling 18 000; automatic handling off, so that nothing but the ceiling stands in the way.
    const limits = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
    const rig = await compactionRig(cleanUps, { limits })
    await rig.test.ask('settings.set', { path: 'autoThreshold', value: 1 })
    rig.writePlan(`# Plan A\n${'Do this, then that. '.repeat(1_400)}`)
    await rig.work(SAID, DONE)
    await rig.compact()
    const long = 'Say what you think of it, and be brief about it. '.repeat(900)
    expect(await rig.work(long, DONE)).toMatchObject({ outcome: 'completed', requests: 1 })
    expect(markOnDisk(rig)).toBe(3)
    expect(rig.server.requests.at(-1)?.rawBody).not.toContain('Plan A')
    expect((await replayOf(rig.test)).summary).toMatchObject({ requests: 3, differing: 0 })
  })

  it('C-2 is sent without it behind a compaction that made the room, and is not compacted for again', async () => {
    // Compaction at 15 000: what is carried stays below, the message with it is over the ceiling.
    const limits = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
    const rig = await compactionRig(cleanUps, { limits })
    rig.writePlan(`# Plan A\n${'Do this, then that. '.repeat(1_500)}`)
    await rig.work(SAID.repeat(4), { ...DONE, usage: { inputTokens: 14_000 } })
    const long = 'Say what you think of it, and be brief about it. '.repeat(700)
    expect(await rig.work(long, { text: 'SUMMARY' }, DONE)).toMatchObject({ outcome: 'completed', requests: 2 })
    expect(markOnDisk(rig)).toBe(3)
    expect(rig.server.requests.at(-1)?.rawBody).toContain('SUMMARY')
    expect(rig.server.requests.at(-1)?.rawBody).not.toContain('Plan A')
    expect((await replayOf(rig.test)).summary).toMatchObject({ requests: 3, differing: 0 })
  })

  it('leaves everything as it is where it would not fit either', async () => {
    const limits = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
    const rig = await compacted({ limits })
    await rig.test.ask('settings.set', { path: 'autoThreshold', value: 1 })
    const huge = 'Say what you think of it, and be brief about it. '.repeat(2_000)
    expect(await rig.work(huge)).toMatchObject({ outcome: 'context_budget_blocked' })
    expect(markOnDisk(rig)).toBeUndefined()
  })

  it('K-3 never arises where the window would be full at once: then nothing is carried', async () => {
    const limits = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
    const rig = await compactionRig(cleanUps, { limits })
    rig.writePlan('Do this, then that. '.repeat(2_700))
    rig.server.push({ text: 'one', usage: { inputTokens: 3_000 } })
    await rig.work('Look at the parser and say what is wrong with it. '.repeat(120))
    await rig.compact()
    expect(await rig.header()).toBeUndefined()
    expect((await boundaryOf(rig.test)).metadata.contextBoundaryKind).toBe('compaction')
  })
})
