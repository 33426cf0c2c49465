// `npm run bench -- app-transcript [--quick]`: a transcript of 10 000 mixed rows made ready and scrolled by 200 wheel
// steps, against the same rows in a bare virtua list (F-16); older pages in front of what is read (F-17).
import type { ElectronApplication, Page } from '@playwright/test'
import { measurePrepend } from '../e2e/support/scrolling'
import { mixedRows } from '../src-renderer/testing/mixed-rows'
import { bareApp, builtApp } from './support/app-folder'
import { buildPage } from './support/build-page'
import { driveApp, watchMainThread, windowOf, type MainThread } from './support/driven-app'
import { median } from './support/measure'
import type { TranscriptPage } from './support/pages/transcript'
import { atMost, report, told, type Figure } from './support/report'
import { temporaryFolder } from './support/temporary'
import { turnWheel, wheel } from './support/watch-scrolling'
import { writeHome, writeRows, writeWorkspace } from './support/written-home'

const isQuick = process.argv.includes('--quick')
const ROWS = 10_000
const ROUNDS = isQuick ? 5 : 15
const WHEEL_ROUNDS = isQuick ? 1 : 4
const STEPS = 200
const STEP_PX = 120
const PREPENDS = isQuick ? 3 : 12
/** Of the product's list, at both ends. */
const PADDING_PX = 24
const VARIANTS = ['product', 'virtua'] as const

/** The page's own functions, in the page. */
declare const bench: TranscriptPage

interface Watched {
  readonly page: Page
  readonly thread: MainThread
}

async function main(): Promise<void> {
  report('app-transcript', isQuick, [...(await againstBareList()), ...(await prepends())])
}

async function againstBareList(): Promise<Figure[]> {
  const folder = bareApp(temporaryFolder('bare'))
  await buildPage('transcript', folder)
  const windows = JSON.stringify(VARIANTS.map((variant) => `variant=${variant}`))
  const driven = await driveApp(folder, { BARE_USER_DATA: temporaryFolder('bare-data'), BARE_WINDOWS: windows })
  const [product, virtua] = [await watched(driven.app, 'product'), await watched(driven.app, 'virtua')]

  const ready = { product: [] as number[], virtua: [] as number[] }
  const spent = { product: [] as number[], virtua: [] as number[] }
  for (let round = -1; round < ROUNDS; round++)
    for (const [name, { page, thread }] of [
      ['product', product],
      ['virtua', virtua]
    ] as const) {
      const before = await thread.spentMs()
      const ms = await page.evaluate((rows) => bench.mount(rows), ROWS)
      const spentMs = (await thread.spentMs()) - before
      if (round < ROUNDS - 1) await page.evaluate(() => bench.unmount())
      if (round < 0) continue
      ready[name].push(ms)
      spent[name].push(spentMs)
    }
  const turned = { product: [] as number[], virtua: [] as number[] }
  for (let round = 0; round < WHEEL_ROUNDS; round++)
    for (const [name, { page, thread }] of [
      ['product', product],
      ['virtua', virtua]
    ] as const) {
      const before = await thread.spentMs()
      await turnWheel(page, STEPS / 2, -STEP_PX)
      await turnWheel(page, STEPS / 2, STEP_PX)
      turned[name].push((await thread.spentMs()) - before)
    }
  const up = await wheel(product.page, STEPS, -STEP_PX, PADDING_PX)
  const down = await wheel(product.page, STEPS, STEP_PX, PADDING_PX)
  const bareUp = await wheel(virtua.page, STEPS, -STEP_PX, 0)
  await driven.close()

  const wrong = (scrolling: typeof up): number => scrolling.blankFrames + scrolling.tornFrames + scrolling.offFrames
  return [
    atMost(1.5, {
      id: 'F-16',
      what: `${ROWS} rows ready, against a bare virtua list`,
      value: median(ready.product) / median(ready.virtua),
      details: { 'product ms': median(ready.product), 'virtua ms': median(ready.virtua) },
      note: 'from the rows (the product) or the built items (virtua) to the last row painted'
    }),
    told({
      id: 'F-16',
      what: 'the same in processor time of the main thread',
      value: median(spent.product) / median(spent.virtua),
      details: { 'product ms': median(spent.product), 'virtua ms': median(spent.virtua) }
    }),
    atMost(1.5, {
      id: 'F-16',
      what: `${STEPS} wheel steps of ${STEP_PX} px, processor time of the main thread`,
      value: median(turned.product) / median(turned.virtua),
      details: {
        'product ms a step': median(turned.product) / STEPS,
        'virtua ms a step': median(turned.virtua) / STEPS
      }
    }),
    atMost(0, {
      id: 'F-16',
      what: `painted frames that are blank, torn or off by more than 1 px, of ${up.frames + down.frames}`,
      value: wrong(up) + wrong(down),
      unit: '',
      details: {
        blank: up.blankFrames + down.blankFrames,
        torn: up.tornFrames + down.tornFrames,
        off: up.offFrames + down.offFrames,
        'virtua, going up': wrong(bareUp)
      }
    }),
    atMost(3, {
      id: 'F-16',
      what: 'most rows mounted at once, in screenfuls',
      value: Math.max(up.mostScreenfuls, down.mostScreenfuls),
      unit: '',
      details: { elements: Math.max(up.mostElements, down.mostElements), 'virtua elements': bareUp.mostElements }
    })
  ]
}

async function prepends(): Promise<Figure[]> {
  const home = { home: temporaryFolder('home'), project: temporaryFolder('project') }
  writeHome(home)
  writeRows(writeWorkspace(home, { id: 'ws-long', title: 'Receipts', updatedAtMs: 2 }), mixedRows(ROWS))
  const { page, close } = await driveApp(builtApp(), { TIDEMARK_HOME: home.home })
  await page.locator('article').last().waitFor()
  const moved: number[] = []
  for (let prepend = 0; prepend < PREPENDS; prepend++) moved.push((await measurePrepend(page)).movedPx)
  await close()
  return [
    atMost(0, {
      id: 'F-17',
      what: `most that a read row moved in ${PREPENDS} prepends of older pages`,
      value: Math.max(...moved),
      unit: ' px'
    })
  ]
}

async function watched(app: ElectronApplication, variant: string): Promise<Watched> {
  const page = await windowOf(app, `variant=${variant}`)
  return { page, thread: await watchMainThread(page) }
}

void main()
