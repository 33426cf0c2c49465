// Proves what a conversation of many windows says of them (H-6, U-3): numbers, rows, and whether they are as written.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { mixedRows } from './support/mixed-rows'
import { test } from './support/session-test'
import { workspaceFolder } from './support/workspace-files'
import { writeConversation } from './support/written-home'

function sealOf(divider: Locator): Locator {
  return divider.getByTestId('window-seal')
}

async function twoWindows(page: Page): Promise<Locator> {
  await say(page, 'First question')
  await expect(lastAnswer(page)).toContainText('One.')
  await untilIdle(page)
  await say(page, '/clear --soft ')
  const divider = page.getByTestId('reset-divider')
  await expect(divider).toBeVisible()
  return divider
}

test('H-6 U-3: a divider tells by itself that its window is as written; Verify reads it again', async ({
  converse
}) => {
  const { page, screenshot } = await converse({ turns: [{ text: 'One.' }] })
  const divider = await twoWindows(page)
  await expect(sealOf(divider)).toHaveText('window 1: 2 rows · verified')
  await divider.getByRole('button').first().press('Enter')
  await divider.getByTestId('verify-window').press('Enter')
  await expect(divider).toContainText('Read again: 2 rows as written.')
  await screenshot('window-verified')
  // A sealed window that a person edits is known as it is then.
  await page.getByTestId('row-user').getByTestId('row-menu').focus()
  await page.keyboard.press('Enter')
  await page.getByTestId('row-delete').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(sealOf(divider)).toHaveText('window 1: 1 row · verified')
  await divider.getByRole('button', { name: 'Search earlier windows' }).click()
  await expect(page.getByTestId('history-search').locator('input')).toBeFocused()
})

test('H-6: one byte that changed on disk is told at the divider by the row that it is in', async ({ converse }) => {
  const { page, home, screenshot } = await converse({ turns: [{ text: 'One.' }] })
  const divider = await twoWindows(page)
  await expect(sealOf(divider)).toHaveText('window 1: 2 rows · verified')
  const path = join(await workspaceFolder(home), 'windows', 'w-0.jsonl')
  const bytes = await readFile(path)
  const at = bytes.indexOf('One.')
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  await writeFile(path, bytes)
  await divider.getByRole('button').first().press('Enter')
  await divider.getByTestId('verify-window').press('Enter')
  const warning = divider.getByTestId('window-warning')
  await expect(warning).toContainText('Row 2 (line 2 of w-0.jsonl) is not what was written')
  await expect(sealOf(divider)).toHaveText('window 1: 2 rows · not as written')
  await screenshot('window-differs')
  // Nobody has to ask after a restart of the window.
  await composerOf(page).focus()
  await page.reload()
  await expect(page.getByTestId('window-warning')).toContainText('Row 2')
})

test('H-6 U-3: windows have their numbers from the first page, and [ loads the one before', async ({
  launch,
  folder
}) => {
  const [home, project] = [await folder(), await folder()]
  await writeConversation(home, { project, title: 'Receipts', rows: mixedRows(2_400, 600) })
  const { page, screenshot } = await launch({ home, project })
  await expect(page.getByText(/^row-2400/)).toBeAttached()
  await expect(page.getByTestId('window-mark')).toContainText('4')
  await page.getByTestId('transcript').locator('article').last().focus()
  const focused = page.locator('article:focus-within').getByTestId('rollover-divider')
  for (const [key, number] of [
    ['[', '4'],
    ['[', '3'],
    ['[', '2'],
    [']', '3'],
    [']', '4']
  ] as const) {
    await page.keyboard.press(key)
    await expect(focused).toHaveAttribute('data-window-number', number)
    await expect(sealOf(focused)).toContainText('600 rows · verified')
  }
  await screenshot('window-numbers')
})
