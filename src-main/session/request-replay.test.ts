// V-2 on the whole app: what went out is built again from the files alone, whatever happened to them in the meantime.
import { rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { RolloverRow } from '@common/rows/rollover-row'
import type { NewRow } from '@common/rows/row-schema'
import { envelopesOf, placeOf, replayOf } from '../context/testing/replay-of'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import { bash, expectIdentical, replayRig } from './testing/replay-rig'

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
