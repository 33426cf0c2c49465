// Proves that the app fits every size it promises (U-1): nothing wider than the window, the composer in view.
// With E2E_PICTURES=1 it leaves a picture of each state, size and theme in test-results/look.
import { expect, type Page } from '@playwright/test'
import { composerOf, lastAnswer, say } from './support/conversation'
import { takePictures } from './support/pictures'
import { distanceToEnd } from './support/scrolling'
import { test } from './support/session-test'
import { SHOWCASE_FILES, SHOWCASE_REQUEST, SHOWCASE_TURNS } from './support/showcase'

const SIZES = [
  { width: 375, height: 667 },
  { width: 768, height: 900 },
  { width: 1440, height: 900 },
  { width: 1900, height: 1080 }
]

/** What reaches beyond the window, or beyond a box that does not scroll sideways. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) => `${element.tagName} ${element.getAttribute('data-testid') ?? element.className}`
    const wide = [
      document.documentElement,
      ...document.querySelectorAll('main, aside, header, [data-testid=transcript]')
    ]
    const tooWide = wide.filter((element) => element.scrollWidth > element.clientWidth + 1)
    const scrolls = (element: Element) =>
      getComputedStyle(element).overflowX === 'auto' && element.scrollWidth > element.clientWidth
    const boxes = [...document.querySelectorAll('*')].filter(scrolls)
    const outside = [...document.querySelectorAll('button, textarea, [data-testid^=tool-card]')].filter((element) => {
      const { width, right, left } = element.getBoundingClientRect()
      const inside = boxes.some((box) => box.contains(element))
      return width > 0 && !inside && (right > window.innerWidth + 1 || left < -1)
    })
    return [...tooWide, ...outside].map(name)
  })
}

async function expectToFit(page: Page, state: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expect(composerOf(page)).toBeInViewport({ ratio: 1 })
    await expect.poll(() => overflowing(page), `${state} at ${size.width}`).toEqual([])
    await takePictures(page, state, [size])
  }
}

test('U-1: the first screen fits from 375 to 1900 pixels', async ({ launch, folder }) => {
  const { page } = await launch({ project: await folder(SHOWCASE_FILES) })
  await expectToFit(page, 'empty')
})

test('U-1: an approval and a whole conversation fit from 375 to 1900 pixels', async ({ converse }) => {
  const { page } = await converse({ files: SHOWCASE_FILES, turns: SHOWCASE_TURNS })
  await say(page, SHOWCASE_REQUEST)
  await expect(page.getByTestId('approval-allow')).toBeVisible()
  await expectToFit(page, 'approval')
  await page.getByTestId('approval-allow').click()
  await expect(page.getByRole('form', { name: 'Approval' })).toContainText('node --test')
  await page.getByTestId('approval-allow').click()
  await expect(lastAnswer(page)).toContainText('One thing is left')
  await page.getByTestId('tool-card-file_edit').getByRole('button').first().click()
  await expectToFit(page, 'conversation')
})

test('U-2: whoever reads the end still does after the window was resized, whoever scrolled away is left alone', async ({
  converse
}) => {
  const { page } = await converse({ files: SHOWCASE_FILES, turns: SHOWCASE_TURNS })
  await say(page, SHOWCASE_REQUEST)
  await expect(page.getByTestId('approval-allow')).toBeVisible()
  for (const size of [...SIZES, { width: 1280, height: 500 }]) {
    await page.setViewportSize(size)
    await expect.poll(() => distanceToEnd(page), `${size.width} × ${size.height}`).toBeLessThanOrEqual(1)
  }
  await page.getByTestId('transcript').hover()
  await page.mouse.wheel(0, -300)
  await expect(page.getByTestId('jump-to-latest')).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 400 })
  await expect(page.getByTestId('jump-to-latest')).toBeVisible()
  expect(await distanceToEnd(page)).toBeGreaterThan(100)
})

test('U-1: on a narrow window the sides are sheets over the conversation', async ({ launch, folder }) => {
  const { page, screenshot } = await launch({ project: await folder(SHOWCASE_FILES) })
  await page.setViewportSize({ width: 375, height: 667 })
  await page.getByRole('button', { name: 'Show the sidebar' }).click()
  await expect(page.getByTestId('sidebar-workspace')).toBeInViewport()
  // The sheet slides in.
  await expect.poll(() => overflowing(page)).toEqual([])
  await screenshot('look/sheet-375')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(0)
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  expect(await overflowing(page)).toEqual([])
  await screenshot('look/settings-375')
})
