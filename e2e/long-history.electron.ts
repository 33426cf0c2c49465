// Proves that a long history is as easy to hold as a short one (U-2, H-11, F-16, F-17): it opens at its end,
// pages backward without a jump and keeps few rows on the page.
import { expect } from '@playwright/test'
import { distanceToEnd, measurePrepend, measureWheel } from './support/scrolling'
import { mixedRows } from './support/mixed-rows'
import { test } from './support/session-test'
import { writeConversation } from './support/written-home'

test('U-2, F-17: 10 000 rows open at their end; older ones come in front and nothing on screen moves', async ({
  launch,
  folder
}) => {
  const [home, project] = [await folder(), await folder({ 'README.md': '# hello\n' })]
  await writeConversation(home, { project, title: 'Receipts', rows: mixedRows(10_000) })
  const { page, screenshot } = await launch({ home, project })
  await expect(page.getByText('row-10000', { exact: true })).toBeAttached()
  await expect.poll(() => distanceToEnd(page)).toBeLessThanOrEqual(1)
  await screenshot('long-history-end')
  for (let prepend = 0; prepend < 4; prepend += 1) {
    const { movedPx, cameBefore } = await measurePrepend(page)
    // One page of 80 rows, and not the pages before it too.
    expect(cameBefore).toBeGreaterThan(20)
    expect(cameBefore).toBeLessThanOrEqual(90)
    expect(movedPx).toBeLessThanOrEqual(1)
  }
  await expect(page.getByTestId('jump-to-latest')).toBeVisible()
  await page.getByTestId('jump-to-latest').click()
  await expect(page.getByTestId('jump-to-latest')).toHaveCount(0)
  await expect(page.getByText('row-10000', { exact: true })).toBeAttached()
  expect(await distanceToEnd(page)).toBeLessThanOrEqual(1)
})

test('F-16: the wheel through a long history paints no blank and keeps the page small', async ({ launch, folder }) => {
  const [home, project] = [await folder(), await folder()]
  await writeConversation(home, { project, title: 'Receipts', rows: mixedRows(2_000) })
  const { page } = await launch({ home, project })
  await expect(page.getByText('row-2000', { exact: true })).toBeAttached()
  const up = await measureWheel(page, 50, -120)
  const down = await measureWheel(page, 50, 120)
  expect(up.frames + down.frames).toBeGreaterThan(30)
  expect([up.blankFrames, down.blankFrames]).toEqual([0, 0])
  expect(Math.max(up.mostElements, down.mostElements)).toBeLessThan(2_500)
})

test('U-3: windows are divided by tide lines that tell why, and [ and ] go from one to the next', async ({
  launch,
  folder
}) => {
  const [home, project] = [await folder(), await folder()]
  await writeConversation(home, { project, title: 'Receipts', rows: mixedRows(2_000, 20) })
  const { page, screenshot } = await launch({ home, project })
  await expect(page.getByText(/^row-2000/)).toBeAttached()
  await page.getByTestId('transcript').locator('article').last().focus()
  await page.keyboard.press('[')
  const focused = page.locator('article:focus-within')
  const divider = focused.getByTestId('rollover-divider')
  await expect(divider).toContainText('Context window rollover')
  await expect(divider).toContainText('182k of 200k')
  const last = await divider.getAttribute('data-row-id')
  await divider.getByRole('button').press('Enter')
  await expect(divider).toContainText('The window was full when your message was sent.')
  await screenshot('tide-line')
  await page.keyboard.press('[')
  await expect(focused.locator(`[data-row-id="${last ?? ''}"]`)).toHaveCount(0)
  await expect(divider).toBeVisible()
  await page.keyboard.press(']')
  await expect(focused.locator(`[data-row-id="${last ?? ''}"]`)).toHaveCount(1)
})
