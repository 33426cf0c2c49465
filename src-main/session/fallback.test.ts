// Proves fallback models through the whole app: two providers on the loopback, the second on its own limit.
import { expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

interface Rig {
  readonly first: ScriptedServer
  readonly second: ScriptedServer
  readonly test: TestApp
}

async function rig(first: readonly TurnSource[], second: readonly TurnSource[], limit = 100_000): Promise<Rig> {
  const servers = [await startScriptedServer({ turns: first }), await startScriptedServer({ turns: second })] as const
  toClose.push(...servers)
  const primary = scriptedEntry('anthropic', servers[0].baseUrl, { id: 'one', contextLimit: 100_000 })
  const other = scriptedEntry('chat', servers[1].baseUrl, { id: 'two', contextLimit: limit, maxOutputTokens: 2_000 })
  const models = [{ id: 'one', contextLimit: 100_000, fallbacks: ['nobody:home', 'chat:two'] }]
  const test = await startTestApp({
    providers: [{ ...primary, models }, other],
    model: 'anthropic:one',
    personPresent: false
  })
  toClose.push(test)
  return { first: servers[0], second: servers[1], test }
}

it('T-5 M-2 goes on with the next usable model once its own cannot answer, and stays with it for the turn', async () => {
  const { first, second, test } = await rig(
    [{ fault: { kind: 'auth' } }],
    [{ toolCalls: [{ name: 'bash', input: { command: 'echo hi' } }] }, { text: 'done' }]
  )
  expect(await test.turn('Go')).toMatchObject({ outcome: 'completed', requests: 3 })
  expect([first.requests.length, second.requests.length]).toEqual([1, 2])
  const [, answer] = await test.rows()
  expect(answer?.parts.filter((part) => part.type === 'step')).toMatchObject([
    { model: 'chat:two' },
    { model: 'chat:two' }
  ])
  expect(test.events.filter(({ type }) => type === 'notice')).toMatchObject([
    { notice: { message: expect.stringContaining('goes on in its place') } }
  ])
  expect(second.problems).toEqual([])
})

it('T-5 goes on in the middle of a task with what the first model did', async () => {
  const { second, test } = await rig(
    [{ toolCalls: [{ name: 'bash', input: { command: 'echo first' } }] }, { fault: { kind: 'auth' } }],
    [{ text: 'done' }]
  )
  expect(await test.turn('Go')).toMatchObject({ outcome: 'completed' })
  expect(second.requests[0]?.rawBody).toContain('first')
  expect((await test.rows()).flatMap(toolPartsOf)).toHaveLength(1)
})

it('P-3 P-4 sends nothing to a fallback that it is too long for, and keeps the results', async () => {
  const { second, test } = await rig(
    [{ toolCalls: [{ name: 'bash', input: { command: 'seq 1 6000' } }] }, { fault: { kind: 'auth' } }],
    [],
    9_000
  )
  expect(await test.turn('Go')).toMatchObject({ outcome: 'context_budget_blocked', reason: 'request_too_large' })
  expect(second.requests).toHaveLength(0)
  expect((await test.rows()).flatMap(toolPartsOf)).toMatchObject([{ state: 'output-available' }])
})

it('T-5 ends with the last failure where no model is left', async () => {
  const { test } = await rig([{ fault: { kind: 'auth' } }], [{ fault: { kind: 'auth' } }])
  expect(await test.turn('Go')).toMatchObject({ outcome: 'failed', reason: 'auth', requests: 2 })
})

it('T-5 asks no other model to say what this one refused', async () => {
  const { second, test } = await rig([{ refusal: 'No.' }], [])
  await test.turn('Go')
  expect(second.requests).toHaveLength(0)
})
