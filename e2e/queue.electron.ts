// Proves the queue as a person sees it (T-2): what goes when, what can be changed, what a restart brings back.
import { expect, type Page } from '@playwright/test'
import { composerOf, countInTranscript, lastAnswer, say, untilIdle } from './support/conversation'
import { holdAt } from './support/gate'
import { test } from './support/session-test'

const entries = (page: Page) => page.getByTestId('queue-entry')

test('T-2: Enter goes after the step and Ctrl+Enter after the turn, each in its order', async ({ converse }) => {
  const held = holdAt(4)
  const { page, server } = await converse({
    config: { approvalMode: 'auto' },
    turns: [
      { text: 'Working on it now.', toolCalls: [{ name: 'bash', input: { command: 'echo step' } }], delivery: held },
      { text: 'Heard the step.' },
      { text: 'Heard the last.' }
    ]
  })
  await say(page, 'Begin')
  await expect(lastAnswer(page)).toContainText('Work')
  await say(page, 'after the turn please', 'Control+Enter')
  await say(page, 'after this step please')
  await expect(entries(page)).toHaveCount(2)
  await expect(entries(page).nth(0)).toContainText('after the turn please')
  held.open()
  await expect(lastAnswer(page)).toContainText('Heard the last.')
  await untilIdle(page)
  await expect(entries(page)).toHaveCount(0)
  expect(server.requests).toHaveLength(3)
  expect(server.requests[1]?.rawBody).toContain('after this step please')
  expect(server.requests[1]?.rawBody).not.toContain('after the turn please')
  expect(server.requests[2]?.rawBody).toContain('after the turn please')
  for (const text of ['after the turn please', 'after this step please'])
    expect(await countInTranscript(page, text)).toBe(1)
})

test('T-2: queued messages are edited, moved by keyboard, removed, and sent in the new order', async ({ converse }) => {
  const held = holdAt(4)
  const { page, server, screenshot } = await converse({
    turns: [{ text: 'A first answer.', delivery: held }, { text: 'Second.' }, { text: 'Third.' }]
  })
  await say(page, 'Begin')
  await expect(lastAnswer(page)).toContainText('A fi')
  for (const text of ['one', 'two', 'three']) await say(page, `queued ${text}`, 'Control+Enter')
  await expect(entries(page)).toHaveCount(3)
  await entries(page).nth(1).getByRole('button', { name: 'Remove' }).click()
  await expect(entries(page)).toHaveCount(2)
  await entries(page).nth(1).getByRole('button', { name: /^Move/ }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(entries(page).nth(0)).toContainText('queued three')
  await expect(entries(page).nth(0).getByRole('button', { name: /^Move/ })).toBeFocused()
  await entries(page).nth(0).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Queued message' }).fill('queued three, better')
  await page.keyboard.press('Enter')
  await expect(entries(page).nth(0)).toContainText('queued three, better')
  await screenshot('queue')
  held.open()
  await expect(lastAnswer(page)).toContainText('Third.')
  await untilIdle(page)
  expect(server.requests[1]?.rawBody).toContain('queued three, better')
  expect(server.requests[1]?.rawBody).not.toContain('queued one')
  expect(server.requests[2]?.rawBody).toContain('queued one')
  expect(server.requests[2]?.rawBody).not.toContain('queued two')
})

test('T-2: after a restart a queued message is held, can be edited, and goes when the person sends it', async ({
  converse,
  launch
}) => {
  const held = holdAt(4)
  const first = await converse({ turns: [{ text: 'Cut off here.', delivery: held }, { text: 'Thanks for waiting.' }] })
  const { home, project, server } = first
  await say(first.page, 'Begin')
  await expect(lastAnswer(first.page)).toContainText('Cut')
  await say(first.page, 'do not forget me', 'Control+Enter')
  await expect(entries(first.page)).toHaveCount(1)
  await first.killHard()
  held.open()
  const { page } = await launch({ home, project })
  await expect(entries(page)).toContainText('do not forget me')
  await expect(entries(page)).toContainText('came back after a restart')
  await expect(composerOf(page)).toBeVisible()
  expect(server.requests).toHaveLength(1)
  await entries(page).getByRole('button', { name: 'Send' }).click()
  await expect(lastAnswer(page)).toContainText('Thanks for waiting.')
  await expect(entries(page)).toHaveCount(0)
  expect(await countInTranscript(page, 'do not forget me')).toBe(1)
})
