// Proves what the composed app says of its settings when it starts.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from './testing/test-app'

const opened: TestApp[] = []
afterEach(async () => {
  for (const test of opened.splice(0).toReversed()) await test.close()
})

it('C-6 G-2 says once, in the log and to the person, that a setting which asks for RLM is not effective', async () => {
  const first = await startTestApp()
  opened.push(first)
  writeFileSync(path.join(first.home, 'config.json'), JSON.stringify({ experiments: { rlm: true, tokenBudget: true } }))
  const again = await startTestApp({ again: first })
  opened.push(again)
  const { notices } = await again.ask('app.start', {})
  expect(notices.map(({ message }) => message)).toEqual([
    expect.stringContaining('experiments.rlm is not effective: RLM is not in this version')
  ])
  const log = readFileSync(path.join(again.home, 'logs/tidemark.log'), 'utf8')
  expect(log.match(/setting-not-effective/g)).toHaveLength(1)
  // Kept for the version that has it.
  expect(readFileSync(path.join(again.home, 'config.json'), 'utf8')).toContain('rlm')
})
