// Proves what a power cut costs (H-4, T-2): kill -9 in the middle of an answer, then the same home again.
import { expect } from '@playwright/test'
import { composerOf, countInTranscript, lastAnswer, say, untilIdle } from './support/conversation'
import { holdAt } from './support/gate'
import { test } from './support/session-test'
import { fileOfWorkspace } from './support/workspace-files'

test('H-4: after kill -9 the answer so far stands there once, the draft is back and the next turn is accepted', async ({
  converse,
  launch
}) => {
  const text = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
  const held = holdAt(50)
  const first = await converse({ turns: [{ text, delivery: held }, { text: 'Welcome back.' }] })
  const { home, project } = first
  await say(first.page, 'Count the words')
  await expect(lastAnswer(first.page)).toContainText('word30')
  await composerOf(first.page).fill('a thought half typed')
  // What was flushed is what a power cut leaves: at most half a second of the answer is missing.
  await expect.poll(() => fileOfWorkspace(home, 'partial.json')).toContain('word30')
  await expect.poll(() => fileOfWorkspace(home, 'drafts.json')).toContain('a thought half typed')
  await first.killHard()
  held.open()
  const { page } = await launch({ home, project })
  await expect(lastAnswer(page)).toContainText('word30')
  expect(await countInTranscript(page, 'word30')).toBe(1)
  expect(await countInTranscript(page, 'Count the words')).toBe(1)
  await expect(composerOf(page)).toHaveValue('a thought half typed')
  await untilIdle(page)
  await say(page, 'Go on')
  await expect(lastAnswer(page)).toContainText('Welcome back.')
  expect(await countInTranscript(page, 'word30')).toBe(1)
})

test('H-4: a tool call cut off by kill -9 is paired with an interrupted result', async ({ converse, launch }) => {
  const first = await converse({
    config: { approvalMode: 'auto' },
    turns: [
      {
        text: 'I run two things.',
        toolCalls: [
          { name: 'bash', input: { command: 'echo finished' } },
          { name: 'bash', input: { command: 'echo begun; sleep 60' } }
        ]
      },
      { text: 'The second was cut off.' }
    ]
  })
  const { home, project, server } = first
  await say(first.page, 'Run both')
  await expect(first.page.locator('[data-testid=tool-card-bash][data-state=done]')).toHaveCount(1)
  await expect(first.page.locator('[data-testid=tool-card-bash][data-state=running]')).toHaveCount(1)
  await first.killHard()
  const { page } = await launch({ home, project })
  await expect(page.getByTestId('tool-card-bash')).toHaveCount(2)
  await expect(page.getByTestId('tool-card-bash').nth(0)).toHaveAttribute('data-state', 'done')
  await expect(page.getByTestId('tool-card-bash').nth(1)).toHaveAttribute('data-state', 'interrupted')
  await say(page, 'What happened?')
  await expect(lastAnswer(page)).toContainText('The second was cut off.')
  expect(server.requests[1]?.rawBody).toContain('finished')
})
