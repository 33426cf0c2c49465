// Proves what people do with what was said (U-9, H-10): edit from a message, fork, delete one, send again, clear.
import { expect, type Locator, type Page } from '@playwright/test'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'
import { fileOfWorkspace } from './support/workspace-files'

function personRow(page: Page, text: string): Locator {
  return page.getByTestId('row-user').filter({ hasText: text })
}

/** Asks and waits for the whole answer: a slash command beside a turn is refused. */
async function ask(page: Page, text: string, answer: string): Promise<void> {
  await say(page, text)
  await expect(lastAnswer(page)).toContainText(answer)
  await untilIdle(page)
}

async function chooseInMenu(row: Locator, item: string): Promise<void> {
  await row.getByTestId('row-menu').focus()
  await row.page().keyboard.press('Enter')
  await row.page().getByRole('menuitem', { name: item }).press('Enter')
}

test('H-10 U-9: editing from here asks before later windows are cut, and the cut rows stay on disk', async ({
  converse
}) => {
  const { page, home, screenshot } = await converse({
    turns: [{ text: 'One.' }, { text: 'Two.' }, { text: 'One, better.' }]
  })
  await ask(page, 'First question', 'One.')
  await say(page, '/clear --soft ')
  await expect(page.getByTestId('reset-divider')).toContainText('window 2')
  await ask(page, 'Second question', 'Two.')
  await personRow(page, 'First question').getByTestId('row-edit').focus()
  await page.keyboard.press('Enter')
  await expect(composerOf(page)).toBeFocused()
  await expect(composerOf(page)).toHaveValue('First question')
  await composerOf(page).fill('First question, better')
  await composerOf(page).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cut later windows' })
  await expect(dialog).toContainText('5 rows')
  await screenshot('edit-across-windows')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByTestId('transcript')).toContainText('Second question')
  await composerOf(page).press('Enter')
  await dialog.getByRole('button', { name: 'Cut and send' }).click()
  await expect(lastAnswer(page)).toContainText('One, better.')
  await expect(page.getByTestId('transcript')).not.toContainText('Second question')
  await expect(page.getByTestId('reset-divider')).toHaveCount(0)
  const cut = await fileOfWorkspace(home, 'cut-rows.jsonl')
  expect(cut).toContain('Second question')
  expect(await fileOfWorkspace(home, 'windows/w-0.jsonl')).not.toContain('Second question')
})

test('H-10 U-9: a fork holds everything up to its row and goes its own way', async ({ converse }) => {
  const { page, server } = await converse({ turns: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Elsewhere.' }] })
  await ask(page, 'First question', 'One.')
  await ask(page, 'Second question', 'Two.')
  await personRow(page, 'Second question').getByTestId('row-menu').focus()
  await page.getByTestId('row-assistant').first().getByTestId('row-fork').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('(fork)')
  await expect(page.getByTestId('transcript')).toContainText('One.')
  await expect(page.getByTestId('transcript')).not.toContainText('Second question')
  await say(page, 'Another second question')
  await expect(lastAnswer(page)).toContainText('Elsewhere.')
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('Two.')
  await page.getByTestId('sidebar-workspace').filter({ hasNotText: '(fork)' }).click()
  await expect(lastAnswer(page)).toContainText('Two.')
  await expect(page.getByTestId('transcript')).not.toContainText('Another second question')
})

test('H-10 U-9: a deleted row leaves the screen and the next request, and is kept on disk', async ({ converse }) => {
  const { page, home, server, screenshot } = await converse({
    turns: [{ text: 'I will remember the harbour.' }, { text: 'Nothing.' }]
  })
  await ask(page, 'The word is harbour', 'I will remember')
  await chooseInMenu(personRow(page, 'The word is harbour'), 'Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete this message' })
  await expect(dialog).toContainText('cut-rows.jsonl')
  await screenshot('delete-row')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(personRow(page, 'The word is harbour')).toHaveCount(0)
  await expect(page.getByTestId('transcript')).toContainText('I will remember')
  expect(await fileOfWorkspace(home, 'cut-rows.jsonl')).toContain('The word is harbour')
  await say(page, 'What do you know?')
  await expect(lastAnswer(page)).toContainText('Nothing.')
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('The word is harbour')
})

test('U-9 T-4: a message whose answer failed is sent again from the keyboard', async ({ converse }) => {
  const { page } = await converse({ turns: [{ fault: { kind: 'auth' } }, { text: 'Here it is.' }] })
  await say(page, 'Fetch it')
  await page.getByTestId('row-retry').focus()
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('Here it is.')
  await expect(personRow(page, 'Fetch it')).toHaveCount(1)
})

test('H-10: /clear asks first and says what it cuts; /clear --soft does not', async ({ converse }) => {
  const { page, home, screenshot } = await converse({ turns: [{ text: 'One.' }, { text: 'Two.' }] })
  await ask(page, 'First question', 'One.')
  await say(page, '/clear --soft ')
  await expect(page.getByTestId('reset-divider')).toHaveCount(1)
  await composerOf(page).fill('/clear ')
  await composerOf(page).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Clear this conversation' })
  await expect(dialog).toContainText('all 3 rows in 2 context windows')
  await expect(dialog).toContainText('cut-rows.jsonl')
  await screenshot('clear')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(composerOf(page)).toHaveValue('/clear ')
  await expect(page.getByTestId('transcript')).toContainText('First question')
  await composerOf(page).press('Enter')
  await dialog.getByRole('button', { name: 'Clear' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('transcript')).not.toContainText('First question')
  await expect(composerOf(page)).toHaveValue('')
  await expect(composerOf(page)).toBeFocused()
  expect(await fileOfWorkspace(home, 'cut-rows.jsonl')).toContain('First question')
  await say(page, 'Afresh')
  await expect(lastAnswer(page)).toContainText('Two.')
})
