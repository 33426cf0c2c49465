// V-1 on the whole app: what the log holds, when it is written, and that it never stands in a turn's way.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { envelopesOf, linesOf, placeOf, replayOf } from '../context/testing/replay-of'
import { startTestApp } from '../testing/test-app'
import { bash, replayRig, type ReplayRig } from './testing/replay-rig'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

function logText({ test }: ReplayRig): string {
  return readFileSync(placeOf(test).requests, 'utf8')
}

describe('V-1 the log of requests', () => {
  it('says before a request goes out what it holds, and afterwards how it ended', async () => {
    const made = await replayRig(cleanUps)
    const { test } = made
    const linesThen: number[] = []
    made.server.push(
      () => {
        linesThen.push(linesOf(test).length)
        return { fault: { kind: 'rate-limit' } }
      },
      () => {
        linesThen.push(linesOf(test).length)
        return {
          text: 'Hello.',
          usage: { inputTokens: 5, cacheReadTokens: 900, cacheWriteTokens: 40, outputTokens: 3 }
        }
      }
    )
    await test.turn('Hello')
    expect(linesThen).toEqual([1, 3])
    const lines = linesOf(test)
    expect(lines.map(({ kind }) => kind)).toEqual(['request', 'end', 'request', 'end'])
    expect(lines).toMatchObject([
      {
        envelope: {
          requestSequence: 1,
          kind: 'turn',
          attempt: 0,
          model: 'anthropic:test-model',
          windowId: 'w:0',
          lastHistorySequence: 1,
          rows: [[1, 1]],
          liveRow: null,
          after: null,
          messages: { total: 1, shared: 0, added: [{ role: 'user' }] },
          estimate: { counted: false }
        }
      },
      { end: { requestSequence: 1, outcome: 'failed', failure: 'rate_limit' } },
      { envelope: { requestSequence: 2, attempt: 1, after: 1, messages: { total: 1, shared: 1, added: [] } } },
      {
        end: {
          requestSequence: 2,
          outcome: 'answered',
          finishReason: 'stop',
          usage: { inputTokens: 5, cacheReadTokens: 900, cacheWriteTokens: 40, outputTokens: 3 }
        }
      }
    ])
    expect(statSync(placeOf(test).requests).mode & 0o777).toBe(0o600)
    expect(statSync(placeOf(test).requestParts).mode & 0o777).toBe(0o700)
  })

  it('names new messages alone, so that an envelope stays small however long the window is', async () => {
    const made = await replayRig(cleanUps)
    const steps = Array.from({ length: 10 }, () => bash('true'))
    await made.turn('anthropic', 'Many steps.', ...steps, { text: 'Done.' })
    const envelopes = envelopesOf(made.test)
    expect(envelopes.map(({ messages }) => messages.total)).toEqual(
      Array.from({ length: 11 }, (_, step) => 1 + 2 * step)
    )
    expect(envelopes.slice(1).map(({ messages }) => messages.added.length)).toEqual(Array.from({ length: 10 }, () => 2))
    const longest = envelopes.slice(1).map((envelope) => JSON.stringify(envelope).length)
    expect(Math.max(...longest)).toBeLessThan(1_000)
    expect(envelopes.at(-1)?.liveRow).toMatchObject({ steps: 10 })
    // The prefix is byte-stable: each request only adds to the one before.
    const { verdicts } = await replayOf(made.test)
    expect(verdicts.slice(1).every(({ prefix }) => prefix?.first === null)).toBe(true)
    expect(verdicts.at(-1)?.prefix?.stableBytes).toBe(verdicts.at(-2)?.prefix?.totalBytes)
    const parts = readdirSync(placeOf(made.test).requestParts)
    expect(parts).toHaveLength(1 + (envelopes[0]?.tools?.length ?? 0))
  })

  it('stores again what is gone of its parts before the next request goes out', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', { text: 'Two.' })
    const { requestParts } = placeOf(made.test)
    for (const tool of envelopesOf(made.test)[0]?.tools ?? []) rmSync(path.join(requestParts, `${tool.sha256}.txt`))
    expect((await replayOf(made.test)).summary.differing).toBe(1)
    await made.turn('anthropic', 'Three.', { text: 'Four.' })
    expect((await replayOf(made.test)).summary).toMatchObject({ requests: 2, differing: 0 })
  })

  it('notes that a request was interrupted, and what the next one is built on', async () => {
    const made = await replayRig(cleanUps)
    made.server.push({ text: 'One moment, this takes', fault: { kind: 'hang', afterEvents: 4 } })
    const stopped = made.test.nextEnd()
    await made.test.send('Stop me.')
    await made.server.request(0)
    await made.test.event('text-delta', ({ text }) => text.includes('One'))
    await made.test.session.interrupt()
    await stopped
    expect(linesOf(made.test)[1]).toMatchObject({ end: { requestSequence: 1, outcome: 'interrupted' } })
  })
})

it('V-1 H-7 two processes that take turns in a workspace share the log, and each says everything behind the other', async () => {
  const made = await replayRig(cleanUps)
  const first = made.test
  await made.turn('anthropic', 'One.', { text: 'Two.' })
  const second = await startTestApp({ again: first })
  made.server.push(bash('ls'), { text: 'Four.' })
  expect(await second.turn('Three.')).toMatchObject({ outcome: 'completed' })
  await second.app.close()
  expect(await made.turn('anthropic', 'Five.', { text: 'Six.' })).toMatchObject({ outcome: 'completed' })
  expect(envelopesOf(first).map(({ requestSequence, after }) => [requestSequence, after])).toEqual([
    [1, null],
    [2, null],
    [3, 2],
    [4, null]
  ])
  expect((await replayOf(first)).summary).toEqual({ requests: 4, differing: 0, damagedLines: 0 })
})

describe('V-1 a log that is damaged or cannot be written', () => {
  it('stops no turn and is told once', async () => {
    const made = await replayRig(cleanUps)
    mkdirSync(placeOf(made.test).requests)
    expect(await made.turn('anthropic', 'One.', bash('ls'), { text: 'Two.' })).toMatchObject({ outcome: 'completed' })
    expect(await made.turn('anthropic', 'Three.', { text: 'Four.' })).toMatchObject({ outcome: 'completed' })
    const notices = made.test.events.flatMap((event) => (event.type === 'notice' ? [event.notice.message] : []))
    expect(notices).toEqual([
      expect.stringMatching(/^Could not write the log of requests .*cannot be verified later\.$/)
    ])
  })

  it('is kept as it is, closed where it is torn, and says everything again behind it', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', { text: 'Two.' })
    const before = logText(made)
    const torn = '{"requestSequence":9,"type":"request","ki'
    appendFileSync(placeOf(made.test).requests, torn)
    await made.turn('anthropic', 'Three.', { text: 'Four.' })
    expect(logText(made).startsWith(`${before}${torn}\n{"requestSequence":2,`)).toBe(true)
    const [, second] = envelopesOf(made.test)
    expect(second).toMatchObject({ after: null, messages: { total: 3, shared: 0 } })
    const { summary } = await replayOf(made.test)
    expect(summary).toEqual({ requests: 2, differing: 0, damagedLines: 1 })
  })

  it('still tells requests that rest on a damaged envelope from changed ones', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', bash('ls'), { text: 'Two.' })
    writeFileSync(placeOf(made.test).requests, logText(made).replace('"type":"request"', '"type":"request'))
    expect((await replayOf(made.test)).verdicts).toMatchObject([
      // Its tools are named by the line that is gone; its messages are whole by their chain.
      { requestSequence: 2, firstDifference: { part: 'tool', index: null } }
    ])
  })

  it('keeps the numbers from being given again when workspace.json lost them', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', { fault: { kind: 'auth' } })
    const file = placeOf(made.test).workspace
    await made.test.app.close()
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('"requestSequence": 1')
    writeFileSync(file, text.replace('"requestSequence": 1', '"requestSequence": 0'))
    await made.restart()
    await made.turn('anthropic', 'Two.', { text: 'Three.' })
    expect(envelopesOf(made.test).map(({ requestSequence }) => requestSequence)).toEqual([1, 2])
  })
})
