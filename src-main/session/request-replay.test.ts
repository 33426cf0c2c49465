// V-1, V-2 on the whole app: what went out is built again from the files alone, and every change of it is named.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { RolloverRow } from '@common/rows/rollover-row'
import type { NewRow } from '@common/rows/row-schema'
import { envelopesOf, placeOf, replayOf } from '../context/testing/replay-of'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import { bash, replayRig, type ReplayRig } from './testing/replay-rig'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** A rollover as it is written: boundary, lead-in and input in one batch. */
function rolloverBatch(id: string, text: string): NewRow[] {
  const boundary: NewRow = {
    id: `${id}-boundary`,
    role: 'assistant',
    parts: [],
    metadata: {
      synthetic: true,
      machine: {
        type: 'context-window-rollover',
        rolloverId: id,
        reason: 'on-send',
        previousWindowId: 'w:0',
        flushOpportunity: false,
        contextTokens: 900,
        maxTokens: 1_000
      },
      contextBoundaryKind: 'reset'
    }
  }
  RolloverRow.parse(boundary)
  return [
    boundary,
    {
      id: `${id}-lead-in`,
      role: 'user',
      parts: [{ type: 'text', text: 'You are in a fresh window.' }],
      metadata: { synthetic: true, uiVisible: false, machine: { type: 'context-window-lead-in', rolloverId: id } }
    },
    { id: `${id}-input`, role: 'user', parts: [{ type: 'text', text }], metadata: { rolloverId: id } }
  ]
}

async function expectIdentical({ test, server }: ReplayRig): Promise<void> {
  const { verdicts, summary } = await replayOf(test)
  expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
  expect(summary).toEqual({ requests: server.requests.length, differing: 0, damagedLines: 0 })
}

describe('V-2 every request that went out', () => {
  it('is built again identically after tools, thinking, retries, two providers, a stop, a restart and a rollover', async () => {
    const made = await replayRig(cleanUps)
    const { server } = made
    await made.turn('anthropic', 'List the files.', bash('ls'), bash('pwd'), { text: 'Done.' })
    await made.turn('responses', 'And now you.', bash('echo "söme 🌊"'), { thinking: 'So.', text: 'Yes.' })
    await made.turn(
      'anthropic',
      'Again.',
      { fault: { kind: 'rate-limit' } },
      { fault: { kind: 'overloaded' } },
      { text: 'At last.' }
    )
    const image = await made.test.session.attachments.put(Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png')
    const attachments = [{ ...image, mediaType: 'image/png', filename: 'wave.png', bytes: 8 }]
    server.push({ text: 'A wave.' })
    const seen = made.test.nextEnd()
    await made.test.ask('turn.send', {
      workspaceId: made.test.workspaceId,
      text: 'What is it?',
      attachments,
      mode: 'tool-end'
    })
    expect(await seen).toMatchObject({ outcome: 'completed' })
    // Stopped while the second step streams.
    server.push(bash('true'), { text: 'One moment, this takes', fault: { kind: 'hang', afterEvents: 4 } })
    const stopped = made.test.nextEnd()
    await made.test.send('Stop me.')
    await server.request(server.requests.length + 1)
    await made.test.event('text-delta', ({ text }) => text.includes('One'))
    await made.test.session.interrupt()
    expect(await stopped).toMatchObject({ outcome: 'interrupted' })
    await made.restart()
    await made.turn('anthropic', 'Go on.', bash('date'), { text: 'Here.' })
    const stored = await made.test.session.store.appendMany(rolloverBatch('r1', 'Work on.'))
    expect(stored.ok).toBe(true)
    await made.turn('responses', 'In the fresh window.', bash('ls'), { text: 'Fresh.' })
    expect(server.problems).toEqual([])
    const envelopes = envelopesOf(made.test)
    expect(new Set(envelopes.map(({ windowId }) => windowId)).size).toBe(2)
    expect(envelopes.map(({ requestSequence }) => requestSequence)).toEqual(
      server.requests.map((_, index) => index + 1)
    )
    await expectIdentical(made)
  })
})

/** Puts `after` for `before` in a file of the workspace, as somebody with an editor does. */
function change({ test }: ReplayRig, file: string[], before: string, after: string): void {
  const name = path.join(placeOf(test).root, ...file)
  const text = readFileSync(name, 'utf8')
  expect(text).toContain(before)
  writeFileSync(name, text.replace(before, after))
}

/** Ceiling 18 000, rollover point 15 000, warning point 9 000 at the default threshold. */
const SMALL = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }

it('V-2 R-5 W-0 is built again identically across warnings, rollovers, an emergency and a restart', async () => {
  const made = await replayRig(cleanUps, SMALL)
  const at = (inputTokens: number, turn: ScriptedTurn): ScriptedTurn => ({ ...turn, usage: { inputTokens } })
  await made.test.ask('settings.set', { path: 'experiments.tokenBudget', value: true })
  made.server.push(
    at(9_500, bash('echo warn')),
    at(10_500, bash('echo notes')),
    at(15_200, bash('echo roll')),
    at(4_000, { text: 'In the fresh window.' })
  )
  await made.test.send('Work until it is done.')
  await made.test.event('turn-ended', ({ continues }) => !continues)
  made.server.push({ fault: { kind: 'context-exceeded' } }, at(3_000, { text: 'In another.' }))
  await made.test.turn('Too long for the provider.')
  await made.restart()
  made.server.push(at(3_500, { text: 'Still here.' }))
  await made.test.turn('And now?')
  expect(made.server.problems).toEqual([])
  const rolled = new Set(envelopesOf(made.test).map(({ windowId }) => windowId))
  expect(rolled.size).toBe(3)
  await expectIdentical(made)
})

describe('V-2 what is not as it was sent', () => {
  it('is named by message, role and row, from the first request on that held it', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'List the files.', bash('ls'), { text: 'Done.' })
    await made.turn('anthropic', 'Thanks.', { text: 'Gladly.' })
    const [person, answer] = await made.test.rows()
    change(made, ['windows', 'w-0.jsonl'], '"command":"ls"', '"command":"la"')
    const { verdicts, summary } = await replayOf(made.test)
    expect(verdicts.map(({ result }) => result)).toEqual(['identical', 'differs', 'differs'])
    expect(verdicts[1]?.firstDifference).toMatchObject({
      part: 'message',
      index: 1,
      role: 'assistant',
      rowId: answer?.id,
      rowIds: [answer?.id],
      what: 'The content of this message is not what was sent, at the same length.'
    })
    expect(summary).toMatchObject({ requests: 3, differing: 2 })
    change(made, ['windows', 'w-0.jsonl'], 'List the files.', 'List all the files.')
    const [first] = (await replayOf(made.test)).verdicts
    expect(first?.firstDifference).toMatchObject({ index: 0, role: 'user', rowId: person?.id })
    expect(first?.firstDifference?.bytesNow).toBe((first?.firstDifference?.bytesThen ?? 0) + 4)
  })

  it('is nothing that no request ever held: times, figures, durations', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'List the files.', bash('ls'), { text: 'Done.' })
    await made.turn('anthropic', 'Thanks.', { text: 'Gladly.' })
    change(made, ['windows', 'w-0.jsonl'], '"timestamp":', '"timestamp":1')
    change(made, ['windows', 'w-0.jsonl'], '"outputTokens":', '"outputTokens":9')
    change(made, ['windows', 'w-0.jsonl'], '"agentId":"exec"', '"agentId":"plan"')
    await expectIdentical(made)
  })

  it('may be the system text, a tool, an attachment, or a row that does not parse', async () => {
    const made = await replayRig(cleanUps)
    const file = await made.test.session.attachments.put(Buffer.from('%PDF-1.4 tide'), 'application/pdf')
    const attachments = [{ ...file, mediaType: 'application/pdf', filename: 'tide.pdf', bytes: 13 }]
    made.server.push({ text: 'High.' })
    const end = made.test.nextEnd()
    await made.test.ask('turn.send', {
      workspaceId: made.test.workspaceId,
      text: 'Tides?',
      attachments,
      mode: 'tool-end'
    })
    await end
    const { attachments: folder, requestParts } = placeOf(made.test)
    const [envelope] = envelopesOf(made.test)
    const differenceNow = async () => (await replayOf(made.test)).verdicts[0]?.firstDifference
    expect(await differenceNow()).toBeNull()
    renameSync(path.join(folder, file.sha256), path.join(folder, 'elsewhere'))
    expect(await differenceNow()).toMatchObject({ part: 'message', index: 0, role: 'user' })
    renameSync(path.join(folder, 'elsewhere'), path.join(folder, file.sha256))
    const parts = readdirSync(requestParts).length
    expect(parts).toBe(1 + (envelope?.tools?.length ?? 0))
    const tool = envelope?.tools?.[2]
    rmSync(path.join(requestParts, `${tool?.sha256}.txt`))
    expect(await differenceNow()).toMatchObject({
      part: 'tool',
      index: 2,
      what: expect.stringContaining(tool?.name ?? '?')
    })
    writeFileSync(path.join(requestParts, `${envelope?.system.sha256}.txt`), 'You are a pirate.')
    expect(await differenceNow()).toMatchObject({ part: 'system', bytesThen: envelope?.system.bytes })
    change(made, ['windows', 'w-0.jsonl'], '{"id":', '{"id:')
    await made.restart()
    expect(await differenceNow()).toMatchObject({ part: 'system' })
  })

  it('is named where a row cannot be read any more, with the sequences that are missing', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', { text: 'Two.' })
    await made.turn('anthropic', 'Three.', { text: 'Four.' })
    change(made, ['windows', 'w-0.jsonl'], '"text":"Two."', '"text:"Two."')
    const { verdicts } = await replayOf(made.test)
    expect(verdicts.map(({ result }) => result)).toEqual(['identical', 'differs'])
    expect(verdicts[1]?.firstDifference).toMatchObject({
      index: 0,
      role: 'user',
      missingRows: [[2, 2]],
      what: expect.stringContaining('cannot be read: 2.')
    })
  })
})

describe('V-2 H-10 requests of rows that were cut or copied since', () => {
  it('are built from the cut rows, and are named when those are gone too', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', bash('ls'), { text: 'Two.' })
    await made.turn('anthropic', 'Three.', bash('pwd'), { text: 'Four.' })
    const third = (await made.test.rows())[2]
    made.server.push({ text: 'Five.' })
    const edited = made.test.nextEnd()
    const { workspaceId } = made.test
    await made.test.ask('row.edit', { workspaceId, rowId: third?.id ?? '', text: 'Another three.' })
    await edited
    await expectIdentical(made)
    const { verdicts } = await replayOf(made.test)
    expect(verdicts.map(({ cutRows }) => cutRows)).toEqual([0, 0, 1, 2, 0])
    await made.test.ask('history.clear', { workspaceId, soft: false })
    await made.turn('anthropic', 'From the start.', { text: 'Yes.' })
    await expectIdentical(made)
    rmSync(placeOf(made.test).cutRows)
    const after = await replayOf(made.test)
    expect(after.summary).toMatchObject({ requests: 6, differing: 5 })
    expect(after.verdicts[1]?.firstDifference).toMatchObject({ missingRows: [[1, 1]], rowId: null })
    expect(after.verdicts[5]?.result).toBe('identical')
  })

  it('are a fork’s own only, and their numbers go on from its parent’s', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', bash('ls'), { text: 'Two.' })
    const whole = { workspaceId: made.test.workspaceId, rowId: null, inclusive: true }
    const { workspace } = await made.test.ask('row.fork', whole)
    await made.restart({ workspaceId: workspace.workspaceId })
    await made.turn('anthropic', 'In the fork.', { text: 'Forked.' })
    const { verdicts, summary } = await replayOf(made.test)
    expect(verdicts.map(({ requestSequence, result }) => [requestSequence, result])).toEqual([[3, 'identical']])
    expect(summary.requests).toBe(1)
  })
})

describe('V-2 answers that are stored in another shape than they were sent in', () => {
  it('are built again: closed on the way, divided into rows, still streaming', async () => {
    const made = await replayRig(cleanUps)
    const long = { text: 'Long words about tides. '.repeat(12_000), delivery: { pieceChars: 20_000 } }
    const big = bash(`head -c 40000 /dev/zero | tr '\\0' x`)
    await made.turn('anthropic', 'Much.', { ...bash('true'), ...long }, big, big, big, big, big, bash('ls'), {
      text: 'Done.'
    })
    expect((await made.test.rows()).filter(({ metadata }) => metadata.continues !== undefined).length).toBeGreaterThan(
      1
    )
    await made.turn('responses', 'More.', { text: 'Yes.' })
    await made.turn('anthropic', 'And more.', { text: 'Yes.' })
    await expectIdentical(made)
    made.server.push(bash('ls'), { text: 'Held here for a while', fault: { kind: 'hang', afterEvents: 4 } })
    await made.test.send('Hold.')
    await made.server.request(made.server.requests.length + 1)
    await made.test.event('text-delta', ({ text }) => text.includes('Held'))
    await expectIdentical(made)
    await made.test.session.interrupt()
    await expectIdentical(made)
  })
})
