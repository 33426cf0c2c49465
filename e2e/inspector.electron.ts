// Proves the window inspector in the real app (V-3): from a divider to what the model saw at a request of a sealed
// window, how it differs from the one before, and what every window cost.
import { expect, type Page } from '@playwright/test'
import { lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'

const NOTES = '/memories/workspace/context-notes.md'
const usage = (inputTokens: number, cacheReadTokens = 0) => ({
  usage: { inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens: 40 }
})
const bash = (command: string) => ({ name: 'bash', input: { command } })

/** Ceiling and rollover point 22 500, warning point 16 356. */
const LIMIT = 30_000

/** Two rollovers; the first window has three requests, the second two, the third one. */
const TURNS = [
  { text: 'I look first.', toolCalls: [bash('echo the fact is TIDE-4711')], ...usage(8_000, 4_000) },
  {
    toolCalls: [{ name: 'memory', input: { command: 'create', path: NOTES, file_text: '# Notes\nLooked for it.' } }],
    ...usage(6_000, 12_000)
  },
  { toolCalls: [bash('echo one')], ...usage(10_600, 12_000) },
  { toolCalls: [bash('echo two')], ...usage(6_000) },
  { toolCalls: [bash('echo three')], ...usage(13_000, 10_000) },
  { text: 'The fact is TIDE-4711, as it was said at first.', ...usage(5_000) }
]

const inspectorOf = (page: Page) => page.getByTestId('window-inspector')

test('V-3 U-3: from a divider to a request of window 1, its sections, its difference, and the ledger', async ({
  converse
}) => {
  const { page, server, screenshot } = await converse({
    contextLimit: LIMIT,
    config: { approvalMode: 'auto', experiments: { tokenBudget: true } },
    turns: TURNS
  })
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
  await say(page, 'Find the fact, keep it in mind, and tell me at the end')
  await expect(lastAnswer(page)).toContainText('as it was said at first', { timeout: 60_000 })
  await untilIdle(page)
  const dividers = page.getByTestId('rollover-divider')
  await expect(dividers).toHaveCount(2)
  const first = dividers.first()
  await first.getByRole('button').first().press('Enter')
  await screenshot('inspector-divider')
  await first.getByRole('button', { name: 'Inspect window 1' }).press('Enter')

  const inspector = inspectorOf(page)
  const list = inspector.getByRole('listbox')
  await expect(list).toBeFocused()
  await expect(list.getByRole('option')).toHaveCount(3)
  await page.keyboard.press('ArrowDown')
  await expect(inspector.getByRole('heading', { name: 'Request 2' })).toBeVisible()
  await expect(inspector).toContainText('identical to what was sent')
  await expect(inspector).toContainText('67 %')
  await page.keyboard.press('Enter')
  await inspector.getByRole('button', { name: /^System text/ }).press('Enter')
  await expect(inspector.locator('pre')).toContainText('Project folder')
  await inspector.getByRole('button', { name: /^3 Tool results/ }).press('Enter')
  await expect(inspector.locator('pre').last()).toContainText('the fact is TIDE-4711')
  expect(server.requests[1]?.rawBody).toContain('the fact is TIDE-4711')
  await screenshot('inspector-content')
  await inspector.getByRole('textbox', { name: 'Find in this request' }).fill('tide-4711')
  await expect(inspector).toContainText('In 2 pieces.')
  await inspector.getByRole('radio', { name: 'Difference' }).click()
  await expect(inspector).toContainText('Against request 1: 1 message shared')
  await page.keyboard.press('Escape')
  await expect(list).toBeFocused()

  await inspector.getByTestId('inspector-window').click()
  await page.getByRole('option', { name: 'Window 2' }).click()
  await page.keyboard.press('End')
  await expect(inspector.getByRole('heading', { name: 'Request 4' })).toBeVisible()
  await expect(inspector).toContainText('The cached prefix broke here. A fresh window began.')
  await inspector.getByRole('radio', { name: 'Difference' }).click()
  await expect(inspector).toContainText('Against request 3')
  await expect(inspector.getByRole('table')).toContainText('Looked for it.')
  await screenshot('inspector-difference')
  await inspector.getByRole('radio', { name: /^Left out/ }).click()
  await expect(inspector).toContainText('1 earlier window')
  await screenshot('inspector-left-out')

  await inspector.getByRole('radio', { name: 'Costs' }).click()
  await expect(inspector.getByRole('row', { name: /^Window 1/ })).toContainText('24,600')
  await expect(inspector.getByRole('row', { name: /^All/ })).toContainText('48,600')
  await screenshot('inspector-ledger')
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' })
  await screenshot('inspector-ledger-dark')
  await page.keyboard.press('Escape')
  await expect(inspector).toHaveCount(0)
})

test('V-3 U-1: the inspector is one column on a phone, and leads back step by step', async ({ converse }) => {
  const { page, screenshot } = await converse({
    turns: [{ text: 'I look first.', toolCalls: [bash('echo one')], ...usage(900, 3_000) }, { text: 'Done.' }],
    config: { approvalMode: 'auto' }
  })
  await say(page, 'Look at it')
  await expect(lastAnswer(page)).toContainText('Done.')
  await untilIdle(page)
  await page.setViewportSize({ width: 375, height: 667 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme })
    await page.keyboard.press('Control+j')
    await page.getByTestId('inspect-requests').click()
    const inspector = inspectorOf(page)
    await expect(inspector.getByRole('option')).toHaveCount(2)
    await screenshot(`inspector-phone-list-${colorScheme}`)
    await inspector.getByRole('option').first().click()
    await expect(inspector.getByRole('listbox')).toHaveCount(0)
    await expect(inspector.getByRole('heading', { name: 'Request 2' })).toBeVisible()
    await inspector.getByRole('button', { name: /^2 Assistant/ }).click()
    await expect(inspector.locator('pre')).toContainText('echo one')
    await screenshot(`inspector-phone-content-${colorScheme}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await page.keyboard.press('Escape')
    await expect(inspector.getByRole('listbox')).toBeFocused()
    await inspector.getByRole('radio', { name: 'Costs' }).click()
    await expect(inspector).toContainText('Window 1')
    await screenshot(`inspector-phone-ledger-${colorScheme}`)
    await page.keyboard.press('Escape')
    await expect(inspector).toHaveCount(0)
  }
})
