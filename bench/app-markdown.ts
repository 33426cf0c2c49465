// `npm run bench -- app-markdown [--quick]`: what a delta of a streaming Markdown answer of 20 KB costs the page's
// main thread until it is painted: the whole app from the event on, against Streamdown and react-markdown alone (F-14).
import type { Page } from '@playwright/test'
import { bareApp } from './support/app-folder'
import { buildPage } from './support/build-page'
import { driveApp, watchMainThread, windowOf, type MainThread } from './support/driven-app'
import { median } from './support/measure'
import type { MarkdownPage } from './support/pages/markdown'
import { atMost, report, told } from './support/report'
import { temporaryFolder } from './support/temporary'

const isQuick = process.argv.includes('--quick')
const CHARS = 20_000
const DELTA_CHARS = isQuick ? 40 : 20
const PASSES = isQuick ? 1 : 3
const TENTHS = 10
const VARIANTS = ['app', 'streamdown', 'react-markdown'] as const
type VariantName = (typeof VARIANTS)[number]

/** The page's own functions, in the page. */
declare const bench: MarkdownPage

async function main(): Promise<void> {
  const folder = bareApp(temporaryFolder('bare'))
  await buildPage('markdown', folder)
  const windows = JSON.stringify(VARIANTS.map((variant) => `variant=${variant}`))
  const driven = await driveApp(folder, { BARE_USER_DATA: temporaryFolder('bare-data'), BARE_WINDOWS: windows })
  const pages = {} as Record<VariantName, { page: Page; thread: MainThread }>
  for (const variant of VARIANTS) {
    const page = await windowOf(driven.app, `variant=${variant}`)
    pages[variant] = { page, thread: await watchMainThread(page) }
  }
  /** Costs of a delta by variant and tenth of the answer, one a pass. */
  const costs = Object.fromEntries(
    VARIANTS.map((variant) => [variant, Array.from({ length: TENTHS }, () => [] as number[])])
  ) as Record<VariantName, number[][]>
  for (let pass = -1; pass < PASSES; pass++) {
    for (const variant of VARIANTS) await pages[variant].page.evaluate((chars) => bench.begin(chars), CHARS)
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      // The first pass is short: it loads and warms what every later one uses.
      if (pass < 0 && tenth > 1) break
      for (const variant of VARIANTS) {
        const { page, thread } = pages[variant]
        const before = await thread.spentMs()
        const upTo = ((tenth + 1) * CHARS) / TENTHS
        const deltas = await page.evaluate(([to, chars]) => bench.grow(to, chars), [upTo, DELTA_CHARS] as const)
        if (pass >= 0) costs[variant][tenth]?.push(((await thread.spentMs()) - before) / deltas)
      }
    }
  }
  for (const variant of VARIANTS) {
    const isShown = await pages[variant].page.evaluate(() => bench.isEndShown())
    if (!isShown) throw new Error(`${variant} does not show the end of the answer`)
  }
  await driven.close()

  const tenths = (variant: VariantName): number[] => costs[variant].map((passes) => median(passes))
  const mean = (variant: VariantName): number => tenths(variant).reduce((sum, cost) => sum + cost, 0) / TENTHS
  const last = tenths('app').at(-1) ?? Number.NaN
  const first = tenths('app')[0] ?? Number.NaN
  const means = Object.fromEntries(VARIANTS.map((variant) => [`${variant}, ms a delta`, mean(variant)]))
  const ofTenths = Object.fromEntries(tenths('app').map((cost, tenth) => [`tenth ${tenth + 1}, ms a delta`, cost]))
  report('app-markdown', isQuick, [
    atMost(1.15, {
      id: 'F-14',
      what: `a delta in a 20 KB answer, the whole app against Streamdown alone`,
      value: mean('app') / mean('streamdown'),
      details: means,
      note: 'processor time of the main thread, from the event to the painted frame; every view follows its end'
    }),
    atMost(0.45, {
      id: 'F-14',
      what: 'the same against whole react-markdown',
      value: mean('app') / mean('react-markdown')
    }),
    atMost(2, { id: 'F-14', what: 'last tenth against first tenth', value: last / first, details: ofTenths }),
    told({ id: 'F-14', what: 'react-markdown, last tenth against first', value: ratioOfEnds(tenths('react-markdown')) })
  ])
}

function ratioOfEnds(costs: readonly number[]): number {
  return (costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN)
}

void main()
