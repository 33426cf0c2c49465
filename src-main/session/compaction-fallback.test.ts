// Proves that a summary falls back as an answer does (T-5): each model asked against its own limit, and the one that
// answered goes on with the turn.
import { expect, it } from 'vitest'
import { isKnownPart } from '@common/rows/row-schema'
import { replayOf } from '../context/testing/replay-of'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../testing/test-app'
import { calls, bash, kindsOf, says, storedRows, textOf, work } from './testing/budget-rig'
import { wordsOf } from './testing/oversize'
import { compactionProblemsOf, LONG, ranIn } from './testing/summarising-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

interface Rig {
  readonly first: ScriptedServer
  readonly second: ScriptedServer
  readonly test: TestApp
}

/** The first model fills at 15 000 tokens; the second takes `limit`. */
async function rig(first: readonly TurnSource[], second: readonly TurnSource[], limit = 60_000): Promise<Rig> {
  const servers = [await startScriptedServer({ turns: first }), await startScriptedServer({ turns: second })] as const
  toClose.push(...servers)
  const primary = scriptedEntry('anthropic', servers[0].baseUrl, { id: 'one' })
  const models = [{ id: 'one', contextLimit: 20_000, maxOutputTokens: 2_000, fallbacks: ['chat:two'] }]
  const other = scriptedEntry('chat', servers[1].baseUrl, { id: 'two', contextLimit: limit, maxOutputTokens: 2_000 })
  const providers = [{ ...primary, models }, other]
  const test = await startTestApp({ providers, model: 'anthropic:one', personPresent: false })
  toClose.push(test)
  return { first: servers[0], second: servers[1], test }
}

const OUT = { fault: { kind: 'auth' } } as const
const modelsOf = (test: TestApp): string[] =>
  storedRows(test).flatMap(({ parts }) =>
    parts.flatMap((part) => (isKnownPart(part) && part.type === 'step' ? [part.model] : []))
  )

async function expectSound({ test, first, second }: Rig): Promise<void> {
  expect(compactionProblemsOf(storedRows(test))).toEqual([])
  expect([first.problems, second.problems]).toEqual([[], []])
  const { verdicts } = await replayOf(test)
  expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
  expect(verdicts).toHaveLength(first.requests.length + second.requests.length)
}

it('T-5 C-1 /compact asks the next model once its own cannot answer, with one row that asked', async () => {
  const made = await rig([says('One.'), OUT], [says('SUMMARY')])
  const { test, second } = made
  await work(test, LONG)
  expect(await work(test, '/compact')).toMatchObject({ outcome: 'completed', requests: 2 })
  const rows = storedRows(test)
  expect(kindsOf(rows)).toEqual(['person', 'assistant', 'compaction-request', 'compaction-summary'])
  expect(rows[2]?.metadata).not.toHaveProperty('error')
  expect(modelsOf(test)).toEqual(['anthropic:one', 'chat:two'])
  expect(second.requests[0]?.rawBody).toContain('Summarise this conversation')
  await expectSound(made)
})

it('T-5 C-2 the model that wrote the summary goes on with the message, and the next turn is the person’s own again', async () => {
  const made = await rig([says('One.', 15_100), OUT, says('Three.')], [says('SUMMARY'), says('Two.')])
  const { test, second } = made
  await work(test, LONG)
  expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed', requests: 3 })
  await work(test, 'Third')
  expect(modelsOf(test)).toEqual(['anthropic:one', 'chat:two', 'chat:two', 'anthropic:one'])
  expect(second.requests[1]?.rawBody).toContain('SUMMARY')
  await expectSound(made)
})

it('T-5 C-2 in the middle of a task nothing runs twice', async () => {
  const made = await rig(
    [calls(15_100, bash('echo ran >> ran.txt')), OUT, says('Four.')],
    [says('SUMMARY'), says('Done.')]
  )
  await work(made.test, LONG)
  expect(kindsOf(storedRows(made.test)).slice(-2)).toEqual(['continue', 'assistant'])
  expect(ranIn(made.test)).toBe(1)
  await expectSound(made)
})

it('T-5 P-3 a smaller model is asked for as much as it takes', async () => {
  const made = await rig([says('One.', 15_100), OUT], [says('SUMMARY'), says('Two.')], 11_000)
  const { test, second } = made
  await work(test, `${LONG} ${wordsOf(3_000)}`)
  await work(test, 'Second')
  const summary = storedRows(test).find(({ metadata }) => metadata.compaction !== undefined)
  expect([second.requests.length, summary?.metadata.compaction?.trimmedRows]).toEqual([2, 1])
  expect(second.requests[0]?.rawBody).not.toContain('Look at the parser')
  await expectSound(made)
})

it('T-5 C-5 ends with the last failure where no model is left, and the window stays', async () => {
  const made = await rig([says('One.'), OUT, says('Two.')], [OUT])
  const { test } = made
  await work(test, LONG)
  expect(await work(test, '/compact')).toMatchObject({ outcome: 'failed', reason: 'auth', requests: 2 })
  expect(await work(test, 'Go on')).toMatchObject({ outcome: 'completed', requests: 1 })
  const rows = storedRows(test)
  expect(rows.find(({ metadata }) => metadata.machine?.type === 'compaction-request')?.metadata).toMatchObject({
    error: { kind: 'auth' }
  })
  expect(textOf(rows.at(-1))).toBe('Two.')
  await expectSound(made)
})

it.each([
  ['a refused content', { refusal: 'No.' }],
  ['half a summary', { ...says('Half a summary that breaks'), fault: { kind: 'cut', afterEvents: 4 } }],
  ['a summary that is too long for the provider', { fault: { kind: 'context-exceeded' } }]
] as const)('T-5 asks no other model after %s', async (_name, turn) => {
  const { test, second } = await rig([says('One.'), turn], [says('SUMMARY')])
  await work(test, LONG)
  expect(await work(test, '/compact')).toMatchObject({ outcome: 'failed', requests: 1 })
  expect(second.requests).toHaveLength(0)
})
