// Proves deferred tools through the whole app (P-4): what is advertised is counted, step by step and window by window.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { ok } from '@common/result'
import { toolPartsOf } from '@common/rows/row-schema'
import { touchesNothing } from '../tools/define-tool'
import type { ToolDefinition, ToolOutcome } from '../tools/tool-types'
import { budgetRig, calls, kindsOf, says, storedRows, work } from './testing/budget-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

function toolOf(name: string, outcome: ToolOutcome<unknown>, fields: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `What ${name} does.`,
    inputSchema: z.object({}),
    outputSchema: z.unknown(),
    touch: () => Promise.resolve(ok(touchesNothing({ kind: 'other', text: name }))),
    execute: () => Promise.resolve(outcome),
    ...fields
  }
}

const finder = toolOf('find_tools', { kind: 'done', output: 'Found it.', activates: ['weather'] })
const weather = toolOf('weather', { kind: 'done', output: 'Fair.' }, { isDeferred: true })
const call = (name: string) => ({ name, input: {} })

it('P-4 advertises a deferred schema from the step after its activation on, and in no fresh window', async () => {
  const { test, server } = await budgetRig(
    toClose,
    [
      // Not advertised, and executable all the same.
      calls(3_000, call('weather')),
      calls(3_100, call('find_tools')),
      calls(15_500, call('weather')),
      says('Fair weather.')
    ],
    { tools: [finder, weather] }
  )
  expect(await work(test, 'How is the weather?')).toMatchObject({ outcome: 'completed' })
  const isOffered = server.requests.map(({ rawBody }) => rawBody.includes('What weather does.'))
  expect(isOffered).toEqual([false, false, true, false])
  expect(kindsOf(storedRows(test))).toContain('context-window-rollover')
  expect(storedRows(test).flatMap(toolPartsOf)).toMatchObject([
    { toolName: 'weather', state: 'output-available' },
    { toolName: 'find_tools', state: 'output-available' },
    { toolName: 'weather', state: 'output-available' }
  ])
})

it('P-4 counts an activated schema before it is sent, and stops with every result kept where it does not fit', async () => {
  const huge = { ...weather, description: 'tide table '.repeat(9_000) }
  const { test, server } = await budgetRig(toClose, [calls(3_000, call('find_tools'))], { tools: [finder, huge] })
  expect(await work(test, 'Go')).toMatchObject({ outcome: 'context_budget_blocked', reason: 'request_too_large' })
  expect(server.requests).toHaveLength(1)
  expect(storedRows(test).flatMap(toolPartsOf)).toMatchObject([{ state: 'output-available' }])
})

it('P-4 E-1 counts the schema that was sent where the provider counts nothing', async () => {
  const none = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
  const large = { ...weather, description: 'tide table '.repeat(2_000) }
  const turns = [
    { toolCalls: [call('find_tools')], usage: none },
    { toolCalls: [call('weather')], usage: none }
  ]
  const { test } = await budgetRig(toClose, turns, { tools: [finder, large] })
  await work(test, 'Go')
  const [before, after] = test.events.flatMap((event) => (event.type === 'usage' ? [event.contextTokens] : []))
  // Each repetition of the description is two tokens at least.
  expect((after ?? 0) - (before ?? 0)).toBeGreaterThan(4_000)
})
