// Owns an Electron app that a benchmark drives from outside: windows, input, and what the page's main thread spent.
import { _electron, type CDPSession, type ElectronApplication, type Page } from '@playwright/test'
import { electronArguments, plainEnvironment } from './electron-process'

export interface DrivenApp {
  readonly app: ElectronApplication
  readonly page: Page
  close(): Promise<void>
}

/** Starts an app's folder; wheel steps are not smoothed, so that one step is one move. */
export async function driveApp(
  folder: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = []
): Promise<DrivenApp> {
  const app = await _electron.launch({
    args: [
      folder,
      '--disable-smooth-scrolling',
      ...args,
      ...electronArguments().filter((arg) => arg !== '--no-sandbox')
    ],
    env: plainEnvironment(environment)
  })
  const page = await app.firstWindow()
  await takeFunctions(page)
  return { app, page, close: () => app.close() }
}

/** The window whose address holds these words, once its page gave the benchmark its functions (`bench`). */
export async function windowOf(app: ElectronApplication, words: string): Promise<Page> {
  for (;;) {
    const page = app.windows().find((each) => each.url().includes(words))
    if (page === undefined) {
      await app.waitForEvent('window')
      continue
    }
    await takeFunctions(page)
    await page.waitForFunction(() => 'bench' in globalThis)
    return page
  }
}

/** Functions that are sent to the page call this helper of the compiler that runs benchmarks. */
async function takeFunctions(page: Page): Promise<void> {
  await page.evaluate('globalThis.__name = (value) => value')
}

export interface MainThread {
  /** Milliseconds of processor time that the page's main thread has spent so far: other programs do not count. */
  spentMs(): Promise<number>
  /** Bytes of live objects, after garbage was collected. */
  heapBytes(): Promise<number>
}

/** Watches the main thread of a page. */
export async function watchMainThread(page: Page): Promise<MainThread> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    async spentMs() {
      const { metrics } = await session.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    },
    async heapBytes() {
      // Twice: what the first round lets go of may hold on to more.
      for (let round = 0; round < 2; round++) await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize
    }
  }
}
