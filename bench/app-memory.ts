// `npm run bench -- app-memory [--quick]`: live objects of the page with a workspace of 100 000 rows on screen against
// one of 1 000: opened, read far upward, and back at the end (F-19).
import type { Page } from '@playwright/test'
import { builtApp } from './support/app-folder'
import { driveApp, watchMainThread } from './support/driven-app'
import { longRows } from './support/long-rows'
import { median } from './support/measure'
import { atMost, report, told } from './support/report'
import { temporaryFolder } from './support/temporary'
import { writeHome, writeRows, writeWorkspace } from './support/written-home'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 2 : 5
const SIZES = { large: 100_000, small: 1_000 } as const
type Size = keyof typeof SIZES
/** As many pages as the small one has, with some to spare; the large one goes on. */
const PAGES_UP = 40
const MB = 1_000_000
/** Longer than the app waits at the end before it lets far rows go. */
const STAY_MS = 3_000

interface Heaps {
  readonly opened: number
  readonly scrolledUp: number
  readonly backAtEnd: number
}

async function main(): Promise<void> {
  const app = builtApp()
  const homes = {} as Record<Size, string>
  for (const size of ['large', 'small'] as const) {
    const home = { home: temporaryFolder(`home-${size}`), project: temporaryFolder('project') }
    writeHome(home)
    const about = { id: 'ws-memory', title: 'Receipts', updatedAtMs: 2, rows: SIZES[size] }
    writeRows(writeWorkspace(home, about), longRows(SIZES[size], size))
    homes[size] = home.home
  }
  const heaps: Record<Size, Heaps[]> = { large: [], small: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const size of ['large', 'small'] as const) heaps[size].push(await heapsOf(app, homes[size]))

  const of = (size: Size, stage: keyof Heaps): number => median(heaps[size].map((each) => each[stage])) / MB
  const figure = (stage: keyof Heaps, what: string) => ({
    id: 'F-19',
    what,
    value: of('large', stage) / of('small', stage),
    details: { '100 000 rows, MB': of('large', stage), '1 000 rows, MB': of('small', stage) }
  })
  report('app-memory', isQuick, [
    atMost(1.5, figure('opened', 'heap of the page, 100 000 rows against 1 000, just opened')),
    atMost(1.5, figure('backAtEnd', `the same after ${PAGES_UP} pages upward and back to the end`)),
    told(figure('scrolledUp', `the same while ${PAGES_UP} pages up, where all that was read is kept`))
  ])
}

async function heapsOf(app: string, home: string): Promise<Heaps> {
  const { page, close } = await driveApp(app, { TIDEMARK_HOME: home })
  await page.locator('article').last().waitFor()
  const thread = await watchMainThread(page)
  await page.waitForTimeout(1_000)
  const opened = await thread.heapBytes()
  await scrollUp(page)
  const scrolledUp = await thread.heapBytes()
  await page.getByTestId('jump-to-latest').click()
  await page.waitForTimeout(STAY_MS)
  await readOn(page)
  const backAtEnd = await thread.heapBytes()
  await close()
  return { opened, scrolledUp, backAtEnd }
}

/** Some scrolling at the end: React keeps what it drew last until it draws the next time. */
async function readOn(page: Page): Promise<void> {
  await page.getByTestId('transcript').evaluate(async (scroller) => {
    for (let step = 0; step < 24; step += 1) {
      scroller.scrollTop += step < 12 ? -150 : 150
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
}

/** Loads older pages, one after another. */
async function scrollUp(page: Page): Promise<void> {
  await page.getByTestId('transcript').evaluate(async (scroller, pages) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let loaded = 0, still = 0, height = scroller.scrollHeight; loaded < pages && still < 120; still += 1) {
      scroller.scrollTop = 0
      await frame()
      if (scroller.scrollHeight > height + scroller.clientHeight) [loaded, still] = [loaded + 1, 0]
      height = scroller.scrollHeight
    }
    scroller.scrollTop = scroller.clientHeight * 4
    await frame()
  }, PAGES_UP)
}

void main()
