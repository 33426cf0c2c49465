// Proves a newcomer's first minutes with no key and no network: the composer is free, the demo model is
// labelled, and an example request brings real tool calls and real facts of the folder.
import { expect, type Page } from '@playwright/test'
import { composerOf, transcriptText, untilIdle } from './support/conversation'
import { test } from './support/session-test'

const PROJECT = {
  'README.md': '# Harbour\n\nKeeps a log of ships that come and go.\n\n## Install\n\nRun make.\n',
  'src/ledger.ts': '// TODO: count the barges\nexport const berths = 17\n',
  'src/main.ts': "import { berths } from './ledger'\nconsole.log(berths)\n"
}

/** True when nothing stands over the middle of the composer. */
function isUncovered(page: Page): Promise<boolean> {
  return composerOf(page).evaluate((field) => {
    const { x, y, width, height } = field.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    return top !== null && (top === field || field.contains(top) || top.contains(field))
  })
}

test('L-2, U-1: a fresh home opens on a composer that has the focus, is uncovered and names the demo model', async ({
  launch,
  folder
}) => {
  const { page, screenshot } = await launch({ project: await folder(PROJECT) })
  await expect(composerOf(page)).toBeFocused()
  expect(await isUncovered(page)).toBe(true)
  await expect(page.getByTestId('model-picker')).toContainText('Demo')
  await expect(page.getByTestId('transcript')).toContainText('no network, no key')
  await expect(page.getByTestId('sidebar-project')).toBeVisible()
  await screenshot('first-run-project')
})

test('L-2: an example request lists and reads the project and answers with its facts', async ({ launch, folder }) => {
  const { page, screenshot } = await launch({ project: await folder(PROJECT) })
  await page.getByRole('button', { name: /^Look around/ }).click()
  await expect(page.getByTestId('tool-card-glob')).toHaveAttribute('data-state', 'done')
  await expect(page.getByTestId('tool-card-file_read').first()).toHaveAttribute('data-state', 'done')
  await untilIdle(page)
  await expect(page.locator('[data-testid^=tool-card]:not([data-state=done])')).toHaveCount(0)
  const said = await transcriptText(page)
  for (const fact of ['Harbour', 'ships that come and go', '3 files', 'Install', 'src/main.ts'])
    expect(said).toContain(fact)
  await expect(page.getByTestId('sidebar-workspace')).toContainText('What is in this project?')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('What is in this project?')
  await screenshot('first-run-answer')
})

test('L-2, A-3: an example that runs a command asks first, then tells what the command said', async ({
  launch,
  folder
}) => {
  const { page } = await launch({ project: await folder(PROJECT) })
  await page.getByRole('button', { name: /^Run a command/ }).click()
  await expect(page.getByRole('form', { name: 'Approval' })).toContainText('git status')
  await page.getByTestId('approval-allow').click()
  await untilIdle(page)
  const card = page.getByTestId('tool-card-bash').first()
  await expect(card).toHaveAttribute('data-state', /done|failed/)
  await expect(page.getByTestId('row-assistant').last()).toContainText(/not a git repository/i)
})

test('U-1: without a project the window offers to open a folder, and opens the chosen one', async ({
  launch,
  folder
}) => {
  const project = await folder(PROJECT)
  const { app, page, screenshot } = await launch()
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] })
  }, project)
  await expect(composerOf(page)).toHaveCount(0)
  await screenshot('first-run-empty')
  await page.getByRole('main').getByRole('button', { name: 'Open a folder' }).click()
  await expect(composerOf(page)).toBeFocused()
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(1)
})
