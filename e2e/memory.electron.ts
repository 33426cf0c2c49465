// Proves the memory panel in the app (Y-3, U-1): memories are listed, read, changed, pinned and deleted.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'

test('Y-3: a memory is browsed, edited, pinned and deleted, and the file on disk follows', async ({
  converse,
  folder
}) => {
  const home = await folder({ 'memories/global/style.md': '# Style\n\nShort sentences.\n' })
  const { page, screenshot } = await converse({ turns: [{ text: 'Hello.' }], launch: { home } })
  await say(page, 'Hello')
  await expect(lastAnswer(page)).toContainText('Hello.')
  await untilIdle(page)
  await page.getByRole('tab', { name: 'Memory' }).click()
  const panel = page.getByTestId('memory-panel')
  const row = panel.getByTestId('memory-row').filter({ hasText: 'style.md' })
  await expect(row).toContainText('never used')
  await screenshot('memory-panel')
  await row.getByRole('button', { name: /^style\.md/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'style.md' })
  await expect(dialog).toContainText('Short sentences.')
  await dialog.getByRole('radio', { name: 'Edit' }).click()
  await dialog.getByTestId('memory-text').fill('# Style\n\nShort sentences, plain words.\n')
  await screenshot('memory-edit')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toContainText('plain words')
  await expect.poll(() => readFile(join(home, 'memories/global/style.md'), 'utf8')).toContain('plain words')
  await dialog.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Unpin' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel.getByRole('button', { name: 'Unpin style.md' })).toBeVisible()
  await row.getByRole('button', { name: /^style\.md/ }).press('Enter')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('region', { name: /Notifications/ })).toContainText('style.md was deleted. It is kept in')
  await expect.poll(() => readFile(join(home, 'memories/global/style.md'), 'utf8').catch(() => 'gone')).toBe('gone')
  await panel.getByTestId('new-memory').click()
  await page.getByTestId('memory-name').fill('testing')
  await page.getByTestId('memory-text').fill('Run the tests of one file.')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByTestId('memory-row')).toContainText('testing.md')
})
