// V-1, V-2 on the whole app: what went out is built again from the files alone, and every change of it is named.
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { windowFileName } from '@common/ids'
import { RolloverRow } from '@common/rows/rollover-row'
import type { NewRow } from '@common/rows/row-schema'
import { envelopesOf, linesOf, placeOf, replayOf } from '../context/testing/replay-of'
import { createManualClock } from '../provider/testing/manual-clock'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../testing/test-app'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

interface Rig {
  readonly server: ScriptedServer
  test: TestApp
  turn(provider: 'anthropic' | 'responses', text: string, ...answers: ScriptedTurn[]): ReturnType<TestApp['turn']>
  restart(): Promise<void>
}

async function rig(): Promise<Rig> {
  const server = await startScriptedServer({ turns: [] })
  const providers = [scriptedEntry('anthropic', server.baseUrl), scriptedEntry('responses', server.baseUrl)]
  const clock = createManualClock(undefined, 20_000)
  const first = await startTestApp({ providers, model: 'anthropic:test-model', clock })
  cleanUps.push(
    () => server.close(),
    () => first.close(),
    () => made.test.app.close()
  )
  const made: Rig = {
    server,
    test: first,
    async turn(provider, text, ...answers) {
      const { test } = made
      await test.ask('workspace.update', { workspaceId: test.workspaceId, model: `${provider}:test-model` })
      server.push(...answers)
      return test.turn(text)
    },
    async restart() {
      const { home, project, workspaceId } = made.test
      await made.test.app.close()
      made.test = await startTestApp({ again: { home, project, workspaceId }, clock })
    }
  }
  return made
}

const bash = (command: string): ScriptedTurn => ({
  thinking: 'I look first.',
  text: 'Looking.',
  toolCalls: [{ name: 'bash', input: { command } }]
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

async function expectIdentical({ test, server }: Rig): Promise<void> {
  const { verdicts, summary } = await replayOf(test)
  expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
  expect(summary).toEqual({ requests: server.requests.length, differing: 0, damagedLines: 0 })
}

describe('V-2 every request that went out', () => {
  it('is built again identically after tools, thinking, retries, two providers, a stop, a restart and a rollover', async () => {
    const made = await rig()
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
