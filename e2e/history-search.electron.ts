// Proves a person's search in the real app (S-9, U-1, U-2): by keyboard alone to a row thousands of rows away, in this
// conversation and in another one, read on from there, and back to the end; a memory that matches is opened.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Row } from '@common/rows/row-schema'
import { text, toolDone } from '../src-renderer/testing/row-builders'
import { lastAnswer, say } from './support/conversation'
import { holdAt } from './support/gate'
import { writeFiles } from './support/launch-app'
import { mixedRows } from './support/mixed-rows'
import { distanceToEnd, measurePrepend } from './support/scrolling'
import { test, TEST_MODEL, writeHome } from './support/session-test'
import { writeConversation } from './support/written-home'

const COUNT = 6_000
const OTHER = '2026-06-01-0000000001'

/** Ten windows; what is looked for was said in the first. */
function rowsWith(needle: string, at: number, count = COUNT): Row[] {
  return mixedRows(count, count / 10).map((row, index) => (index === at ? { ...row, parts: [text(needle)] } : row))
}

async function search(page: Page, keys: string, query: string): Promise<void> {
  await page.keyboard.press(keys)
  await expect(page.getByRole('textbox', { name: 'Search past messages' })).toBeFocused()
  await page.keyboard.type(query)
  // What is marked is all that was typed: the search of its beginning is over.
  await expect(page.getByTestId('history-search').locator('mark').first()).toHaveText(new RegExp(`^${query}$`, 'i'))
}

/** The row that holds the focus, wholly or by its beginning inside of the transcript's view. */
async function expectFocusedInView(page: Page, words: string): Promise<void> {
  const row = page.locator('article:focus')
  await expect(row).toContainText(words)
  await expect(row.getByText(words)).toBeInViewport()
}

/** What is marked on the page as found. */
function markedWords(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(CSS.highlights.get('found-words') ?? [])].map(String))
}

test('S-9, U-2: a row of the first of ten windows is found, shown and left again by keyboard alone', async ({
  launch,
  folder
}) => {
  const [home, project] = [await folder(), await folder({ 'README.md': '# hello\n' })]
  await writeConversation(home, {
    project,
    title: 'Receipts',
    rows: rowsWith('We keep the zebra crossing for the first release.', 100)
  })
  const { page, screenshot } = await launch({ home, project })
  await expect(page.getByText(`row-${COUNT}`, { exact: true })).toBeAttached()

  await search(page, 'Control+f', 'zebra crossing')
  const panel = page.getByTestId('history-search')
  await expect(panel.getByRole('status')).toHaveText('1 hit in 1 window')
  await expect(panel.getByText('Window 1', { exact: true })).toBeVisible()
  await screenshot('search-hit')
  await page.keyboard.press('Enter')
  await expectFocusedInView(page, 'zebra crossing')
  await expect.poll(() => markedWords(page)).toEqual(['zebra crossing'])
  await expect(page.getByTestId('window-mark')).toHaveText('Window 1')
  await screenshot('search-jumped')

  // Older rows come in front without a jump, as they do from the end (F-17).
  const { movedPx, cameBefore } = await measurePrepend(page)
  expect(cameBefore).toBeGreaterThan(20)
  expect(movedPx).toBeLessThanOrEqual(1)

  const pill = page.getByTestId('jump-to-latest')
  await expect(pill).toHaveText('Jump to latest')
  await page.locator('article').first().focus()
  await page.keyboard.press('End')
  await expect(page.getByText(`row-${COUNT}`, { exact: true })).toBeAttached()
  await expect(pill).toHaveCount(0)
  expect(await distanceToEnd(page)).toBeLessThanOrEqual(1)
  await expect(page.getByTestId('composer')).toBeFocused()
})

test('S-9: words in the output of a tool are found, and its card is open where they stand', async ({
  launch,
  folder
}) => {
  const [home, project] = [await folder(), await folder()]
  const output = `${'a line of a long build\n'.repeat(4)}narwhal: not found\n`
  const built = toolDone('bash', { command: 'make' }, { exit_code: 2, output })
  const rows = mixedRows(1_200, 300).map((row, index) =>
    index === 20 ? { ...row, role: 'assistant' as const, parts: [text('I build it.'), built, text('It failed.')] } : row
  )
  await writeConversation(home, { project, title: 'Receipts', rows })
  const { page, screenshot } = await launch({ home, project })
  await expect(page.getByText('row-1200', { exact: true })).toBeAttached()
  await search(page, 'Control+f', 'narwhal')
  await page.keyboard.press('Enter')
  await expectFocusedInView(page, 'narwhal: not found')
  await expect.poll(() => markedWords(page)).toEqual(['narwhal'])
  await screenshot('search-jumped-tool')
})

test('S-9, F-19: from a row in the past the newer rows follow to the end, each once', async ({ launch, folder }) => {
  const [home, project] = [await folder(), await folder()]
  const count = 1_000
  await writeConversation(home, { project, title: 'Receipts', rows: rowsWith('a zebra crossing', count - 399, count) })
  const { page } = await launch({ home, project })
  await expect(page.getByText(`row-${count}`, { exact: true })).toBeAttached()
  await search(page, 'Control+f', 'zebra crossing')
  await page.keyboard.press('Enter')
  await expectFocusedInView(page, 'zebra crossing')
  const seen = await page.getByTestId('transcript').evaluate(async (scroller) => {
    const numbers = new Set<number>()
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let frames = 0, atEnd = 0; atEnd < 30 && frames < 3_000; frames += 1) {
      for (const row of scroller.querySelectorAll('article')) {
        const number = /row-(\d+)/.exec(row.textContent)?.[1]
        if (number !== undefined) numbers.add(Number(number))
      }
      const before = scroller.scrollTop
      scroller.scrollTop += scroller.clientHeight / 2
      await frame()
      atEnd = scroller.scrollTop === before ? atEnd + 1 : 0
    }
    return [...numbers].toSorted((a, b) => a - b)
  })
  const after = seen.filter((number) => number > count - 398)
  // All but the rows that begin a window: they are drawn as tide lines.
  const expected = Array.from({ length: 398 }, (_, n) => count - 398 + n + 1).filter(
    (n) => (n - 1) % (count / 10) !== 0
  )
  expect(after).toEqual(expected)
  await expect(page.getByTestId('jump-to-latest')).toHaveCount(0)
  expect(await distanceToEnd(page)).toBeLessThanOrEqual(1)
})

test('S-9, T-3: an answer that streams while the past is on screen stays at the end, and is whole on the way back', async ({
  launch,
  folder,
  serve
}) => {
  const held = holdAt(4)
  const server = await serve({ turns: [{ text: 'The answer streamed to its last word.', delivery: held }] })
  const [home, project] = [await folder(), await folder()]
  const rows = rowsWith('a zebra crossing', 101, 1_000)
  await writeConversation(home, { project, title: 'Receipts', rows, model: TEST_MODEL })
  const { projects } = JSON.parse(await readFile(join(home, 'config.json'), 'utf8'))
  await writeHome(home, server, { contextLimit: 2_000_000, config: { projects } })
  const { page } = await launch({ home, project })
  await expect(page.getByText('row-1000', { exact: true })).toBeAttached()
  await say(page, 'Begin')
  await expect(page.getByText('Begin', { exact: true })).toBeAttached()
  await expect(lastAnswer(page)).toHaveText(/^The a/)
  await search(page, 'Control+f', 'zebra crossing')
  await page.keyboard.press('Enter')
  await expectFocusedInView(page, 'zebra crossing')
  const top = () => page.locator('article:focus').evaluate((row) => row.getBoundingClientRect().top)
  const topBefore = await top()
  held.open()
  await expect(page.getByTestId('jump-to-latest')).toHaveText('1 new row')
  expect(await top()).toBe(topBefore)
  await expect(page.getByText('streamed to its last word')).toHaveCount(0)
  await page.keyboard.press('End')
  await expect(lastAnswer(page)).toContainText('The answer streamed to its last word.')
  await expect(page.getByText('Begin', { exact: true })).toHaveCount(1)
  expect(await distanceToEnd(page)).toBeLessThanOrEqual(1)
})

test('S-9, U-1: a search of everything opens the other workspace at the row', async ({ launch, folder }) => {
  const [home, project] = [await folder(), await folder()]
  const words = 'The walrus protocol needs a second look.'
  await writeConversation(home, {
    project,
    title: 'Old protocol',
    rows: rowsWith(words, 57),
    workspaceId: OTHER,
    updatedAtMs: 1
  })
  await writeConversation(home, { project, title: 'Receipts', rows: mixedRows(40) })
  const { page, screenshot } = await launch({ home, project })
  await expect(page.getByText('row-40', { exact: true })).toBeAttached()
  await search(page, 'Control+Shift+f', 'walrus PROTOCOL')
  await expect(page.getByTestId('history-search').getByRole('heading', { name: 'Old protocol' })).toBeVisible()
  await screenshot('search-everywhere')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByTestId('history-hit')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Old protocol' })).toBeVisible()
  await expectFocusedInView(page, words)
})

test('S-9, Y-3: a memory that holds the words is found and opened in the memory panel', async ({ launch, folder }) => {
  const [home, project] = [await folder(), await folder()]
  await writeConversation(home, { project, title: 'Receipts', rows: mixedRows(40) })
  await writeFiles(home, { 'memories/global/style.md': '# Style\n\nNo emoji, and never the word *okapi*.\n' })
  const { page, screenshot } = await launch({ home, project })
  await expect(page.getByText('row-40', { exact: true })).toBeAttached()
  await search(page, 'Control+f', 'OKAPI')
  await expect(page.getByTestId('memory-hit')).toContainText('style.md')
  await screenshot('search-memory')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'style.md' })
  await expect(dialog.getByText('never the word okapi')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('memory-panel')).toBeVisible()
})
