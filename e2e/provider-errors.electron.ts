// Proves what a person sees when the provider fails (T-4): what happened, what to do, and nothing said is lost.
import { expect } from '@playwright/test'
import { composerOf, countInTranscript, lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'

const LONG = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')

test('T-4: a refused key says so once and leads to the settings', async ({ converse }) => {
  const { page, screenshot } = await converse({ turns: [{ fault: { kind: 'auth' } }, { text: 'The key works.' }] })
  await say(page, 'Hello')
  const banner = page.getByTestId('banner-key-refused')
  await expect(banner).toBeVisible()
  await expect(page.getByTestId('transcript')).toContainText('refused the key (401)')
  expect(await countInTranscript(page, 'in the settings')).toBe(1)
  await screenshot('error-key')
  await banner.getByRole('button', { name: 'Open settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Settings' })).toContainText('Test connection')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByTestId('row-retry').click()
  await expect(lastAnswer(page)).toContainText('The key works.')
  await expect(banner).toHaveCount(0)
  expect(await countInTranscript(page, 'Hello')).toBe(1)
})

test('T-4: a rate limit counts down to the next attempt, which succeeds', async ({ converse }) => {
  const { page, server } = await converse({
    turns: [{ fault: { kind: 'rate-limit', retryAfter: '2' } }, { text: 'There you are.' }]
  })
  await say(page, 'Hello')
  await expect(page.getByTestId('transcript')).toContainText(/Trying again in [12] s · attempt 2/)
  await expect(lastAnswer(page)).toContainText('There you are.')
  await untilIdle(page)
  await expect(page.getByTestId('transcript')).not.toContainText('Trying again')
  expect(server.requests).toHaveLength(2)
})

test('T-4: Esc during the countdown gives up at once, and Retry begins again', async ({ converse }) => {
  const { page, server } = await converse({
    turns: [{ fault: { kind: 'rate-limit', retryAfter: '60' } }, { text: 'There you are.' }]
  })
  await say(page, 'Hello')
  await expect(page.getByTestId('transcript')).toContainText('Trying again in')
  await composerOf(page).press('Escape')
  await untilIdle(page)
  expect(server.requests).toHaveLength(1)
  await page.getByTestId('row-retry').click()
  await expect(lastAnswer(page)).toContainText('There you are.')
  expect(await countInTranscript(page, 'Hello')).toBe(1)
})

test('T-4: a dropped connection keeps the text that came, and Retry goes on', async ({ converse }) => {
  const { page, screenshot } = await converse({
    turns: [{ text: LONG, fault: { kind: 'drop', afterBytes: 4_000 } }, { text: 'Now in one piece.' }]
  })
  await say(page, 'Count')
  const broken = page.getByTestId('row-assistant').first()
  await expect(broken).toContainText('word5')
  await untilIdle(page)
  await expect(broken).toContainText(/connection to .* broke off/)
  await screenshot('error-dropped')
  await page.getByTestId('row-retry').click()
  await expect(lastAnswer(page)).toContainText('Now in one piece.')
  await expect(broken).toContainText('word5')
  await expect(page.getByTestId('row-retry')).toHaveCount(0)
})

test('P-8, H-12: a message that cannot fit is kept as not sent, with its reason and a way to edit it', async ({
  converse
}) => {
  const { page, server, screenshot } = await converse({ contextLimit: 8_000, turns: [{ text: 'Short is good.' }] })
  const text = `Too long: ${'tide after tide '.repeat(6_000)}`
  await say(page, text)
  await expect(page.getByTestId('budget-blocked')).toBeVisible()
  const rejected = page.getByTestId('rejected-input')
  await expect(rejected).toContainText('Too long')
  await expect(rejected).toContainText('Not sent.')
  await expect(page.getByTestId('row-retry')).toHaveCount(0)
  expect(server.requests).toHaveLength(0)
  await screenshot('blocked')
  await rejected.getByTestId('row-edit').click()
  await expect(composerOf(page)).toBeFocused()
  expect((await composerOf(page).inputValue()) === text).toBe(true)
  await say(page, 'Shorter')
  await expect(lastAnswer(page)).toContainText('Short is good.')
  await expect(page.getByTestId('budget-blocked')).toHaveCount(0)
  expect(server.requests[0]?.rawBody).not.toContain('tide after tide')
})
