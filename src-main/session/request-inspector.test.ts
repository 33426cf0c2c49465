// V-3 on the whole app: what a person is told of a request is what went over the wire, section by section.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { InspectedPart } from '@common/contract/inspector-views'
import { placeOf } from '../context/testing/replay-of'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import { bash, replayRig, type ReplayRig } from './testing/replay-rig'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** Ceiling 18 000, rollover point 15 000, warning point 9 000 at the default threshold. */
const SMALL = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }

function asking({ test }: ReplayRig) {
  const { workspaceId } = test
  return {
    list: (windowId: string | null = null, before: number | null = null, limit = 100) =>
      test.ask('inspector.requests', { workspaceId, windowId, before, limit }),
    request: (requestSequence: number) => test.ask('inspector.request', { workspaceId, requestSequence }),
    text: (requestSequence: number, piece: InspectedPart, offset = 0) =>
      test.ask('inspector.text', { workspaceId, requestSequence, piece, offset }),
    find: (requestSequence: number, query: string) =>
      test.ask('inspector.find', { workspaceId, requestSequence, query })
  }
}

const at = (inputTokens: number, turn: ScriptedTurn): ScriptedTurn => ({
  ...turn,
  usage: { inputTokens, cacheReadTokens: 600, cacheWriteTokens: 200, outputTokens: 40 }
})

it('V-3 lists requests newest first with their cache figures, page by page and window by window', async () => {
  const made = await replayRig(cleanUps, SMALL)
  const ask = asking(made)
  await made.test.ask('settings.set', { path: 'experiments.tokenBudget', value: true })
  made.server.push(at(200, bash('echo one')), at(15_200, bash('echo roll')), at(400, { text: 'In the fresh window.' }))
  await made.test.send('Work until it is done.')
  await made.test.event('turn-ended', ({ continues }) => !continues)
  const { requests, total, before } = await ask.list()
  expect(requests.map(({ requestSequence }) => requestSequence)).toEqual([3, 2, 1])
  expect({ total, before }).toEqual({ total: 3, before: null })
  const [third, second, first] = requests
  expect(first).toMatchObject({ outcome: 'answered', prefix: null, brokenBy: null, hitShare: 600 / 1_000 })
  expect(second?.usage).toEqual({ fresh: 15_200, cached: 600, written: 200, output: 40 })
  expect(second?.brokenBy).toBeNull()
  expect(second?.prefix?.stableBytes).toBeGreaterThan(1_000)
  expect(third?.brokenBy).toMatch(/^A fresh window began\. .* is the first that changed\.$/)
  const page = await ask.list(null, 3, 1)
  expect(page.requests.map(({ requestSequence }) => requestSequence)).toEqual([2])
  expect(page.before).toBe(2)
  const root = await ask.list('w:0')
  expect(root.requests.map(({ requestSequence }) => requestSequence)).toEqual([2, 1])
  // The log grows; what is known of it is read on.
  made.server.push({ text: 'More.' })
  await made.test.turn('And now?')
  expect((await ask.list()).requests[0]).toMatchObject({ requestSequence: 4, outcome: 'answered' })
})

it('V-3 shows what the model saw, proved by its hashes, and what it did not see', async () => {
  const made = await replayRig(cleanUps)
  const ask = asking(made)
  await made.turn('anthropic', 'List the files.', bash('echo needle'), { text: 'Done.' })
  await made.turn('responses', 'And now you.', { text: 'Yes.' })
  const content = await ask.request(3)
  expect(content.proof).toEqual({ kind: 'identical' })
  expect(content.messages.map(({ label }) => label)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  const rows = await made.test.rows()
  expect(content.messages[0]?.rowId).toBe(rows[0]?.id)
  expect(content.messages[1]?.rowId).toBe(rows[1]?.id)
  expect(content.messages.every(({ tokens }) => (tokens ?? 0) > 0)).toBe(true)
  expect(content.sections?.tools).toBeGreaterThan(500)
  expect(content.sections?.system).toBeGreaterThan(100)
  const system = await ask.text(3, { part: 'system', index: 0 })
  expect(system.text).toContain('Project folder')
  const wire = made.server.requests[2]?.rawBody ?? ''
  const said = await ask.text(3, { part: 'message', index: 4 })
  expect(wire).toContain(said.text)
  // Another provider's thinking is not sent, and that is said.
  expect(content.leftOut).toEqual([
    { what: '1 piece of thinking', why: expect.stringContaining('signed itself'), rowId: null }
  ])
  expect(content.difference?.first).toContain('The model changed from anthropic:test-model to responses:test-model')
  const { pieces } = await ask.find(3, 'NEEDLE')
  expect(pieces).toEqual([
    { part: 'message', index: 1 },
    { part: 'message', index: 2 }
  ])
})

it('V-3 tells how a request differs from the one before it', async () => {
  const made = await replayRig(cleanUps)
  const ask = asking(made)
  await made.turn('anthropic', 'List the files.', bash('ls'), { text: 'Done.' })
  const second = await ask.request(2)
  expect(second.previousSequence).toBe(1)
  expect(second.difference).toEqual({ shared: 1, added: 2, removed: 0, first: null, diff: '' })
  expect(second.messages.map(({ isNew }) => isNew)).toEqual([false, true, true])
  await made.test.ask('history.clear', { workspaceId: made.test.workspaceId, soft: false })
  await made.turn('anthropic', 'Something else.', { text: 'Yes.' })
  const third = await ask.request(3)
  expect(third.proof).toEqual({ kind: 'identical' })
  expect(third.difference).toMatchObject({ shared: 0, added: 1, removed: 3 })
  expect(third.difference?.first).toContain('Message 1 (user) is the first that changed.')
  expect(third.difference?.diff).toContain('-List the files.')
  expect(third.difference?.diff).toContain('+Something else.')
  // The cut rows are read again for a request that held them.
  expect((await ask.request(2)).proof).toEqual({ kind: 'identical' })
})

it('V-3 names rows that are kept and not sent, and those that an edit cut before', async () => {
  const made = await replayRig(cleanUps)
  const ask = asking(made)
  await made.turn('anthropic', 'First.', { text: 'One.' })
  const [, answer] = await made.test.rows()
  await made.test.ask('row.delete', { workspaceId: made.test.workspaceId, rowId: answer?.id ?? '' })
  await made.turn('anthropic', 'Second.', { text: 'Two.' })
  await made.test.ask('history.clear', { workspaceId: made.test.workspaceId, soft: true })
  await made.turn('anthropic', 'Third.', { text: 'Three.' })
  const second = await ask.request(2)
  expect(second.leftOut).toEqual([
    { what: '1 row', why: 'An edit of the history cut it before this request.', rowId: answer?.id }
  ])
  const third = await ask.request(3)
  expect(third.leftOut.map(({ what, why }) => `${what}: ${why}`)).toEqual([
    '1 earlier window: Only the newest window is sent; session_history finds what they hold.',
    '1 reset boundary: A mark in the history, not a message.'
  ])
})

it('V-3 says of a request that cannot be built again why, and shows what there is', async () => {
  const made = await replayRig(cleanUps)
  const ask = asking(made)
  await made.turn('anthropic', 'List the files.', { text: 'Done.' })
  const file = path.join(placeOf(made.test).root, 'windows', 'w-0.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').replace('List the files.', 'Burn the files.'))
  const content = await ask.request(1)
  expect(content.proof).toMatchObject({ kind: 'differs', message: expect.stringContaining('not what was sent') })
  expect(content.messages[0]?.preview).toBe('Burn the files.')
  await expect(ask.request(9)).rejects.toThrow('There is no request 9')
})

it('V-3 gives a long text page by page, none of them longer than what crosses at once', async () => {
  const made = await replayRig(cleanUps)
  const ask = asking(made)
  const long = '🌊'.repeat(30_000) + 'a'.repeat(10_000)
  await made.turn('anthropic', long, { text: 'Long.' })
  let [text, offset] = ['', 0]
  for (let pages = 0; pages < 4; pages++) {
    const page = await ask.text(1, { part: 'message', index: 0 }, offset)
    expect(page.text.length).toBeLessThanOrEqual(65_536)
    text += page.text
    if (page.nextOffset === null) break
    offset = page.nextOffset
  }
  expect(text).toBe(long)
})

it('V-3 K-1 C-1 shows the request for a summary, and what the window behind it was given', async () => {
  const made = await replayRig(cleanUps)
  const ask = asking(made)
  await made.turn('anthropic', `Tell me of the tides. ${'A long story. '.repeat(200)}`, { text: 'They come and go.' })
  made.server.push({ text: 'The person asked about tides.' })
  const compacted = made.test.nextEnd()
  await made.test.send('/compact')
  expect(await compacted).toMatchObject({ outcome: 'completed' })
  await made.turn('anthropic', 'And the moon?', { text: 'It pulls.' })
  const { requests } = await ask.list()
  expect(requests.map(({ kind }) => kind)).toEqual(['turn', 'compaction', 'turn'])
  expect((await ask.request(2)).proof).toEqual({ kind: 'identical' })
  const after = await ask.request(3)
  expect(after.proof).toEqual({ kind: 'identical' })
  expect((await ask.text(3, { part: 'message', index: 0 })).text).toContain('The person asked about tides.')
  expect(after.leftOut.map(({ what }) => what)).toEqual(['1 earlier window'])
})
