// Proves the token budget as a person meets it: the experiment and the threshold are set by the keyboard and kept on
// disk, the countdown and the marks follow, a full window is told with its ways out.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { ScriptedUsage } from '../src-main/provider/testing/scripted-turn'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { rowSource, step, text } from '../src-renderer/testing/row-builders'
import { test, TEST_MODEL } from './support/session-test'
import { writeConversation } from './support/written-home'

const usage = (inputTokens: number): ScriptedUsage => ({
  inputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0
})

function markAt(page: Page, kind: string): Promise<number> {
  return page.locator(`[data-mark="${kind}"]`).first().getAttribute('data-tokens').then(Number)
}

async function settingsOf(home: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(home, 'config.json'), 'utf8')) as Record<string, unknown>
}

test('U-5 U-6 U-10 G-1: the experiment and the threshold are set by the keyboard, kept, and followed at once', async ({
  converse
}) => {
  const { page, home, screenshot } = await converse({ turns: [{ text: 'Half way.', usage: usage(126_000) }] })
  await say(page, 'How far are we?')
  await expect(lastAnswer(page)).toContainText('Half way.')
  await untilIdle(page)
  const meter = page.getByTestId('context-meter')
  await expect(meter).toContainText('compacts at 75 %')

  await page.getByTestId('open-settings').click()
  await page.getByRole('tab', { name: 'Experiments' }).click()
  await page.getByTestId('experiment-tokenBudget').focus()
  await page.keyboard.press('Space')
  await expect(page.getByTestId('experiment-tokenBudget')).toBeChecked()
  await screenshot('experiments')
  await page.getByRole('tab', { name: 'Context' }).click()
  await page.getByRole('slider', { name: 'Threshold of every model' }).focus()
  await page.keyboard.press('ArrowRight')
  await screenshot('settings-context')
  await page.keyboard.press('Escape')
  await expect.poll(() => settingsOf(home)).toMatchObject({ experiments: { tokenBudget: true }, autoThreshold: 0.75 })
  await expect(meter).toContainText('rolls over at 80 %')
  await expect(page.getByTestId('budget-countdown')).toHaveText('rolls over in 17 % · about 34k tokens')

  await page.getByTestId('context-details').press('Enter')
  const details = page.getByRole('dialog', { name: 'What the window holds' })
  await expect(details).toContainText('Messages')
  await expect(details).toContainText('Output reserve8,000')
  const slider = details.getByTestId('threshold-slider')
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  expect([await markAt(page, 'warning'), await markAt(page, 'threshold')]).toEqual([120_000, 150_000])
  await expect(page.getByTestId('budget-countdown')).toHaveText('rolls over in 12 % · about 24k tokens')
  await screenshot('context-details')
  await expect.poll(() => settingsOf(home)).toMatchObject({ modelThresholds: { [TEST_MODEL]: 0.7 } })
  await page.keyboard.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', 'off')
  await expect(meter).toContainText('stops at 96 %')
  await expect(page.getByTestId('budget-countdown')).toHaveCount(0)
  await details.getByRole('button', { name: /^Use the default/ }).press('Enter')
  await expect.poll(async () => (await settingsOf(home))['modelThresholds']).toEqual({})
})

test('P-8 G-2: a full window with automatic handling off tells the ways out; the message comes back to be edited', async ({
  converse
}) => {
  const { page, server, screenshot } = await converse({
    config: { autoThreshold: 1, experiments: { tokenBudget: true } },
    turns: [
      { text: 'Nearly full.', usage: usage(195_000) },
      { text: 'Here we go on.', usage: usage(2_000) }
    ]
  })
  await say(page, 'How far are we?')
  await expect(lastAnswer(page)).toContainText('Nearly full.')
  await untilIdle(page)
  await say(page, 'And now the release notes')
  const banner = page.getByTestId('budget-blocked')
  await expect(banner).toContainText('automatic handling is off')
  const rejected = page.getByTestId('rejected-input')
  await expect(rejected).toContainText('Not sent.')
  await expect(rejected.getByTestId('row-retry')).toHaveCount(0)
  expect(server.requests).toHaveLength(1)
  await screenshot('budget-blocked')
  await banner.getByRole('button', { name: 'Begin a fresh window' }).press('Enter')
  await expect(page.getByTestId('reset-divider')).toBeVisible()
  await expect(banner).toHaveCount(0)
  await expect(page.getByTestId('context-meter')).toContainText('200,000 tokens, not measured yet')
  await rejected.getByTestId('row-edit').press('Enter')
  await expect(composerOf(page)).toHaveValue('And now the release notes')
  await expect(composerOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('Here we go on.')
})

test('U-4 X-1: work that stopped for its window says so when the app opens, and goes on with the next message', async ({
  launch,
  folder
}) => {
  const [home, project] = [await folder(), await folder({ 'README.md': '# Harbour\n' })]
  const source = rowSource()
  await writeConversation(home, {
    project,
    title: 'Count the ships',
    rows: [
      source.person('Count the ships, then the berths.'),
      source.assistant([text('Seventeen ships so far.'), step(1)], { pausedFor: 'rollover' })
    ]
  })
  const { page, screenshot } = await launch({ home })
  await expect(page.getByTestId('row-paused')).toHaveText('paused · continues with your next message')
  await screenshot('paused')
  await say(page, 'Hello')
  await expect(page.getByTestId('row-paused')).toHaveCount(0)
  await expect(lastAnswer(page)).not.toContainText('Seventeen ships')
})
