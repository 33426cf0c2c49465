// Takes the pictures of the README: `README_IMAGE=1 npm run e2e -- readme-image`. A finished turn on a scripted
// provider in a home that looks lived in; everything on it is the app's own doing.
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { ScriptedTurn, ScriptedUsage } from '../src-main/provider/testing/scripted-turn'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { writeFiles } from './support/launch-app'
import { test } from './support/session-test'

const CLIENT = `export async function request(url: string): Promise<Response> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const response = await fetch(url)
    if (response.ok) return response
    await sleep(backoff(attempt))
  }
  throw new RetryError(url)
}
`

const TESTS = `import test from 'node:test'
test('gives up after four attempts', () => undefined)
test('waits as long as the server asks', () => undefined)
`

/** Figures of a conversation that has gone on for a while. */
function usage(requestTokens: number): ScriptedUsage {
  return {
    inputTokens: 1_840,
    cacheReadTokens: requestTokens,
    cacheWriteTokens: 2_210,
    outputTokens: 410,
    reasoningTokens: 0
  }
}

const TURNS: readonly ScriptedTurn[] = [
  {
    thinking: 'Two loops could both retry: the client, and whoever calls it.',
    toolCalls: [
      { name: 'file_read', input: { path: 'src/client.ts' } },
      { name: 'grep', input: { pattern: 'withRetry', path: 'src' } }
    ],
    usage: usage(84_000)
  },
  {
    text: '`withRetry` wraps a client that **already retries**. I keep the inner loop:',
    toolCalls: [
      {
        name: 'file_edit',
        input: {
          path: 'src/client.ts',
          old_string: `attempt < 3; attempt += 1) {
    const response = await fetch(url)
    if (response.ok) return response
    await sleep(backoff(attempt))`,
          new_string: `attempt < MAX_ATTEMPTS; attempt += 1) {
    const response = await fetch(url)
    if (response.ok || !isRetryable(response)) return response
    await sleep(retryAfterMs(response) ?? backoff(attempt))`
        }
      }
    ],
    usage: usage(88_400)
  },
  { toolCalls: [{ name: 'bash', input: { command: 'node --test test/' } }], usage: usage(90_100) },
  {
    text: `The tests pass. It makes **four attempts** now, and listens to the server first:

\`\`\`ts
await sleep(retryAfterMs(response) ?? backoff(attempt)) // milliseconds
\`\`\``,
    usage: usage(91_300)
  }
]

const OTHERS = [
  { title: 'Write the receipts before memory', project: 'receipts', agoMinutes: 42 },
  { title: 'Move the ledger to SQLite', project: 'receipts', agoMinutes: 60 * 26 },
  { title: 'Dark theme for the docs', project: 'website', agoMinutes: 60 * 5, unread: true },
  { title: 'Broken links after the move', project: 'website', agoMinutes: 60 * 24 * 6 }
]

test('the picture of the README', async ({ launch, folder, serve }) => {
  const server = await serve({ turns: TURNS })
  const [home, code] = [await folder(), await realpath(await folder())]
  const nowMs = Date.now()
  await writeFiles(code, {
    'receipts/src/client.ts': CLIENT,
    'receipts/src/with-retry.ts': 'export const withRetry = (send: () => Promise<Response>) => send()\n',
    'receipts/test/client.test.mjs': TESTS,
    'website/README.md': '# website\n'
  })
  const projects = ['receipts', 'website'].map((name) => ({ id: name, path: join(code, name), name, addedAtMs: 1 }))
  const models = [{ id: 'claude-sonnet-5-5', contextLimit: 200_000 }]
  const provider = { id: 'anthropic', kind: 'anthropic', baseUrl: server.baseUrl, apiKey: 'sk-scripted', models }
  await writeFiles(home, {
    'config.json': JSON.stringify({
      defaultModel: 'anthropic:claude-sonnet-5-5',
      approvalMode: 'auto',
      thinkingLevel: 'medium',
      projects
    }),
    'providers.json': JSON.stringify({ providers: [provider] })
  })
  for (const [index, { title, project, agoMinutes, unread }] of OTHERS.entries()) {
    const id = `2026-07-0${index + 1}-0123456789`
    await mkdir(join(home, 'workspaces', id, 'windows'), { recursive: true })
    await writeFiles(join(home, 'workspaces', id), {
      'workspace.json': JSON.stringify({
        id,
        title,
        projectId: project,
        projectPath: join(code, project),
        updatedAtMs: nowMs - agoMinutes * 60_000,
        unread: unread === true
      })
    })
  }
  const { page } = await launch({ home })
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(OTHERS.length)
  await page.getByTestId('new-workspace').click()
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(OTHERS.length + 1)
  await say(page, 'Requests are retried far too often. Find out why, and fix it.')
  await expect(lastAnswer(page)).toContainText('The tests pass')
  await untilIdle(page)
  await page.getByTestId('tool-card-file_edit').getByRole('button').first().click()
  await composerOf(page).focus()
  await page.setViewportSize({ width: 1280, height: 840 })
  await page.mouse.move(640, 400)
  for (const [colorScheme, file] of [
    ['light', 'tidemark.png'],
    ['dark', 'tidemark-dark.png']
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('pre span[style*=color]').first()).toBeVisible()
    await page.screenshot({ path: join('docs/images', file), animations: 'disabled', caret: 'hide' })
  }
})
