// Proves what a stored context may hold without harm (K-1, K-2, K-7): one that cannot be read counts as none and stays
// as it is on disk; one where none belongs reaches no request.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import { placeOf, replayOf } from '../context/testing/replay-of'
import { inForm } from '../history/testing/long-form'
import type { TestApp } from '../testing/test-app'
import { boundaryOf, compactionRig, SAID } from './testing/compaction-rig'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const DONE = { text: 'Done.' }
const windowFile = (place: Pick<TestApp, 'home' | 'workspaceId'>, windowId: string): string =>
  path.join(placeOf(place).windows, `${windowId.replace(':', '-')}.jsonl`)
const firstLine = (file: string): string => readFileSync(file, 'utf8').split('\n')[0] ?? ''

const CONTEXT = { text: 'CARRIED', tokens: 2, skillNames: [], builtAtMs: 1 }
const DAMAGED: Readonly<Record<string, unknown>> = {
  'text that is no text': { ...CONTEXT, text: { en: 'CARRIED' } },
  'no figures': { text: 'CARRIED' },
  'a plan of another form': { ...CONTEXT, plan: 'CARRIED' },
  'a mark that is no number': { ...CONTEXT, omittedFromRequest: 'soon' },
  'a list': ['CARRIED'],
  null: null
}

const NAMES = Object.keys(DAMAGED).filter((_, index) => index % inForm({ quick: 3, full: 1, long: 1 }) === 0)

describe.each(NAMES)('K-7 a stored context with %s', (name) => {
  it('counts as none: the window begins with its summary, stays so on disk and in a fork, and is compacted again', async () => {
    const rig = await compactionRig(cleanUps)
    await rig.work(SAID, DONE)
    await rig.compact('SUMMARY')
    const { test } = rig
    const { currentWindowId } = test.session.store
    const file = windowFile(test, currentWindowId)
    const row = JSON.parse(firstLine(file)) as { metadata: object }
    const changed = JSON.stringify({ ...row, metadata: { ...row.metadata, postCompactionContext: DAMAGED[name] } })
    await test.app.close()
    writeFileSync(file, readFileSync(file, 'utf8').replace(JSON.stringify(row), changed))
    await rig.restart()
    expect(rowKindOf(await boundaryOf(rig.test))).toBe('compaction-summary')
    await rig.work('Go on.', DONE)
    const sent = rig.server.requests.at(-1)?.rawBody
    expect(sent).toContain('SUMMARY')
    expect(sent).not.toContain('CARRIED')
    expect(sent).not.toContain('Look at the parser')
    expect(firstLine(file)).toBe(changed)
    const { workspace } = await rig.test.ask('row.fork', { workspaceId: test.workspaceId, rowId: null })
    expect(firstLine(windowFile({ ...test, workspaceId: workspace.workspaceId }, currentWindowId))).toBe(changed)
    await rig.work(SAID, DONE)
    expect(await rig.compact('SECOND')).toMatchObject({ outcome: 'completed' })
    expect((await replayOf(rig.test)).summary.differing).toBe(0)
    expect(rig.server.problems).toEqual([])
  })
})

it('K-1 R-4 a context on a row that is no summary is in no request, nor told to a watcher', async () => {
  const rig = await compactionRig(cleanUps)
  const { store } = rig.test.session
  const metadata = { postCompactionContext: CONTEXT }
  await store.appendMany([{ id: 'said', role: 'user', parts: [{ type: 'text', text: 'Said' }], metadata }])
  await store.appendMany([
    { id: 'reset', role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'reset', ...metadata } },
    { id: 'answer', role: 'assistant', parts: [{ type: 'text', text: 'Answer' }], metadata }
  ])
  await rig.work('Go on.', DONE)
  expect(rig.server.requests[0]?.rawBody).toContain('Answer')
  expect(rig.server.requests[0]?.rawBody).not.toContain('CARRIED')
  const page = await rig.test.ask('workspace.open', { workspaceId: rig.test.workspaceId })
  expect(JSON.stringify(page)).not.toContain('CARRIED')
  expect((await replayOf(rig.test)).summary).toMatchObject({ requests: 1, differing: 0 })
})

it('H-14 a late amendment of the boundary leaves its context and its mark byte for byte', async () => {
  const rig = await compactionRig(cleanUps)
  rig.writePlan('# Plan A\n\tsöme 🌊 "quoted" \\ \u0007')
  await rig.work(SAID, DONE)
  await rig.compact('SUMMARY')
  const { store } = rig.test.session
  const { id, metadata } = await boundaryOf(rig.test)
  await store.amendRow({ id }, { postCompactionContext: { omittedFromRequest: 900 } })
  const whole = firstLine(windowFile(rig.test, store.currentWindowId))
  const stored = /"postCompactionContext":(\{.*?"omittedFromRequest":900\})/.exec(whole)?.[1] ?? ''
  expect(JSON.parse(stored)).toEqual({ ...metadata.postCompactionContext, omittedFromRequest: 900 })
  for (const fields of [{ durationMs: 7 }, { costUsd: 1 }, { durationMs: undefined }]) {
    expect(await store.amendRow({ id }, fields)).toMatchObject({ ok: true })
    expect(firstLine(windowFile(rig.test, store.currentWindowId))).toContain(stored)
  }
})
