// Proves that a turn which goes on by itself is no end to those outside: no notification, no idle look (M-3, U-11).
import { expect, it } from 'vitest'
import type { EventBatch } from '@common/contract/events'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import { startTestApp } from '../testing/test-app'

it('M-3 U-11 a turn that stopped for its window is seen to end once, after the work is done', async () => {
  const usage = (inputTokens: number) => ({ inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 20 })
  const server = await startScriptedServer({
    turns: [
      { toolCalls: [{ name: 'glob', input: { pattern: '*' } }], usage: usage(15_200) },
      { text: 'Done in the fresh window.', usage: usage(3_000) }
    ]
  })
  const phases: string[] = []
  const publish = (batch: EventBatch): void => {
    if (batch.channel !== 'app') return
    for (const event of batch.events) if (event.type === 'workspace-changed') phases.push(event.workspace.phase)
  }
  const model = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
  const providers = [scriptedEntry('anthropic', server.baseUrl, model)]
  const test = await startTestApp({ providers, model: 'anthropic:test-model', publish })
  await test.ask('settings.set', { path: 'experiments.tokenBudget', value: true })
  phases.length = 0
  await test.send('List the files')
  await test.event('turn-ended', ({ continues }) => !continues)
  const ends = test.events.filter((event) => event.type === 'turn-ended')
  expect(ends.map(({ continues }) => continues)).toEqual([true, false])
  expect(phases.indexOf('idle')).toBe(phases.lastIndexOf('idle'))
  expect(phases.filter((phase) => phase === 'preparing').length).toBeGreaterThan(1)
  await test.close()
  await server.close()
})
