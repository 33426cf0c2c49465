// Proves in the running app that everyone can use it (U-12): axe finds nothing serious on the main screens in
// either theme, and every step of a turn works by keyboard alone.
import axe from 'axe-core'
import { expect, type Page } from '@playwright/test'
import { composerOf, lastAnswer, say } from './support/conversation'
import { test } from './support/session-test'
import { SHOWCASE_FILES, SHOWCASE_REQUEST, SHOWCASE_TURNS } from './support/showcase'

/** Rules broken on the page with serious or critical impact, each with where. */
async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await checker.run(document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  })
}

for (const theme of ['light', 'dark'] as const) {
  test(`U-12: axe finds nothing serious on the first screen, a conversation and an approval (${theme})`, async ({
    converse
  }) => {
    const { page } = await converse({ files: SHOWCASE_FILES, turns: SHOWCASE_TURNS })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    expect(await seriousProblems(page)).toEqual([])
    await say(page, SHOWCASE_REQUEST)
    await expect(page.getByTestId('approval-allow')).toBeVisible()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByTestId('approval-allow').click()
    await expect(page.getByRole('form', { name: 'Approval' })).toContainText('node --test')
    await page.getByTestId('approval-allow').click()
    await expect(lastAnswer(page)).toContainText('One thing is left')
    await page.getByTestId('tool-card-file_edit').getByRole('button').first().click()
    await page.getByTestId('tool-card-bash').getByRole('button').first().click()
    expect(await seriousProblems(page)).toEqual([])
  })

  test(`U-12: axe finds nothing serious in the settings and the palette (${theme})`, async ({ launch, folder }) => {
    const { page } = await launch({ project: await folder({ 'README.md': '# hello\n' }) })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.getByTestId('open-settings').click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await expect(settings).toBeVisible()
    for (const tab of await settings.getByRole('tab').all()) {
      await tab.click()
      expect(await seriousProblems(page)).toEqual([])
    }
    await page.keyboard.press('Escape')
    await composerOf(page).focus()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
    expect(await seriousProblems(page)).toEqual([])
  })
}

/** Presses Tab, or Shift+Tab, until the focus is on what the selector names. */
async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never reaches ${selector}`)
}

test('U-12: a turn with an approval, a tool card and the settings work by keyboard alone', async ({ converse }) => {
  const { page } = await converse({ files: SHOWCASE_FILES, turns: SHOWCASE_TURNS })
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await tabTo(page, '[data-testid=composer]')
  await page.keyboard.type(SHOWCASE_REQUEST)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('approval-allow')).toBeVisible()
  await tabTo(page, '[data-testid=approval-allow]', 'Shift+Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('form', { name: 'Approval' })).toContainText('node --test')
  await tabTo(page, '[data-testid=composer]')
  await tabTo(page, '[data-testid=approval-allow]', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('One thing is left')

  const card = page.getByTestId('tool-card-bash').getByRole('button').first()
  await tabTo(page, '[data-testid=composer]')
  await tabTo(page, '[data-testid=tool-card-bash] button', 'Shift+Tab')
  for (const [key, expanded] of [
    ['Enter', 'true'],
    ['Space', 'false']
  ] as const) {
    await page.keyboard.press(key)
    await expect(card).toHaveAttribute('aria-expanded', expanded)
  }
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
