// `npm run bench -- app-stream [--quick]`: an answer of 5 000 deltas on its way from main to the screen, against one
// IPC message and one DOM update a delta in a bare window (F-18).
import type { ElectronApplication, Page } from '@playwright/test'
import { mixedRows } from '../src-renderer/testing/mixed-rows'
import { bareApp } from './support/app-folder'
import { buildPage } from './support/build-page'
import { driveApp, watchMainThread, windowOf } from './support/driven-app'
import { median } from './support/measure'
import { atMost, report, told, type Figure } from './support/report'
import { say, startScriptedApp, untilIdle } from './support/scripted-app'
import { temporaryFolder } from './support/temporary'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 3 : 9
/** Rounds in which the provider takes a millisecond for a delta, instead of sending all of them at once. */
const PACED_ROUNDS = isQuick ? 1 : 3
const DELTAS = 5_000
const DELTA_CHARS = 5
const FRAME_MS = 1_000 / 60

interface Sent {
  readonly messages: number
  readonly sendMs: number
  /** From the first message with a delta to the last. */
  readonly durationMs: number
}

interface Painted {
  readonly frames: number
  readonly longestTaskMs: number
}

/** What this benchmark lays into main and into the page, to be read back from there. */
declare global {
  var counter: Counter
  var watch: Painted & { stop: boolean }
  var bench: { clear(): void; chars(): number }
}

async function main(): Promise<void> {
  const text = Array.from({ length: DELTAS }, (_, index) => (index % 20 === 19 ? 'end.\n' : 'word ')).join('')
  const turns = Array.from({ length: ROUNDS + 1 + PACED_ROUNDS }, (_, turn) => ({
    text,
    delivery: { pieceChars: DELTA_CHARS, ...(turn > ROUNDS ? { delayMs: 1 } : {}) }
  }))
  const product = await startScriptedApp({ Receipts: mixedRows(200) }, turns)
  const folder = bareApp(temporaryFolder('bare'))
  await buildPage('deltas', folder)
  const bare = await driveApp(folder, { BARE_USER_DATA: temporaryFolder('bare-data') })
  await windowOf(bare.app, 'index.html')
  const [thread, bareThread] = [await watchMainThread(product.page), await watchMainThread(bare.page)]
  await countSends(product.app)

  const rounds: { sent: Sent; painted: Painted; spentMs: number; bareSendMs: number; bareSpentMs: number }[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const before = await thread.spentMs()
    const sent = await streamOnce(product.app, product.page)
    const spentMs = (await thread.spentMs()) - before
    const bareBefore = await bareThread.spentMs()
    const bareSendMs = await sendOneByOne(bare.app, bare.page)
    const bareSpentMs = (await bareThread.spentMs()) - bareBefore
    if (round >= 0) rounds.push({ ...sent, spentMs, bareSendMs, bareSpentMs })
  }
  const paced: { sent: Sent; painted: Painted }[] = []
  for (let round = 0; round < PACED_ROUNDS; round++) paced.push(await streamOnce(product.app, product.page))
  await product.close()
  await bare.close()

  const of = (get: (round: (typeof rounds)[number]) => number): number => median(rounds.map(get))
  report('app-stream', isQuick, [
    messagesFigure('at once', rounds),
    messagesFigure('a millisecond apart', paced),
    atMost(0.25, {
      id: 'F-18',
      what: "main's time in sending, against one message a delta",
      value: of(({ sent, bareSendMs }) => sent.sendMs / bareSendMs),
      details: { 'product ms': of(({ sent }) => sent.sendMs), 'one by one ms': of(({ bareSendMs }) => bareSendMs) }
    }),
    atMost(100, {
      id: 'F-18',
      what: 'longest task of the main thread of the page',
      value: of(({ painted }) => painted.longestTaskMs),
      unit: ' ms',
      details: { 'a millisecond apart': median(paced.map(({ painted }) => painted.longestTaskMs)) },
      note: 'tasks under 50 ms are not told and count as 0'
    }),
    told({
      id: 'F-18',
      what: 'processor time of the page, against one DOM update a delta',
      value: of(({ spentMs, bareSpentMs }) => spentMs / bareSpentMs),
      details: { 'product ms': of(({ spentMs }) => spentMs), 'one by one ms': of(({ bareSpentMs }) => bareSpentMs) }
    })
  ])
}

function messagesFigure(
  how: string,
  rounds: ReadonlyArray<{ readonly sent: Sent; readonly painted: Painted }>
): Figure {
  const of = (get: (round: (typeof rounds)[number]) => number): number => median(rounds.map(get))
  return atMost(1, {
    id: 'F-18',
    what: `messages for ${DELTAS} deltas that come ${how}, as a share of the frames that passed + 2`,
    value: of(({ sent }) => sent.messages / (sent.durationMs / FRAME_MS + 2)),
    details: {
      messages: of(({ sent }) => sent.messages),
      'frames that passed, + 2': of(({ sent }) => sent.durationMs / FRAME_MS + 2),
      'frames painted': of(({ painted }) => painted.frames),
      'duration, ms': of(({ sent }) => sent.durationMs)
    }
  })
}

interface Counter extends Sent {
  firstAtMs: number
  lastAtMs: number
  messages: number
  sendMs: number
}

/** Counts and times what main sends to its window from now on. */
async function countSends(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents === undefined) throw new Error('no window')
    const send = contents.send.bind(contents)
    const counter = { messages: 0, sendMs: 0, firstAtMs: 0, lastAtMs: 0 }
    Object.assign(globalThis, { counter })
    contents.send = (channel, ...args) => {
      const start = performance.now()
      send(channel, ...args)
      const end = performance.now()
      const events = (args[0] as { events?: { type: string }[] } | undefined)?.events ?? []
      if (events.some(({ type }) => type === 'text-delta')) {
        if (counter.firstAtMs === 0) counter.firstAtMs = start
        counter.lastAtMs = end
      }
      counter.messages += 1
      counter.sendMs += end - start
    }
  })
}

async function streamOnce(app: ElectronApplication, page: Page): Promise<{ sent: Sent; painted: Painted }> {
  await app.evaluate(() => {
    const { counter } = globalThis
    Object.assign(counter, { messages: 0, sendMs: 0, firstAtMs: 0, lastAtMs: 0 })
  })
  await page.evaluate(() => {
    const watch = { frames: 0, longestTaskMs: 0, stop: false }
    Object.assign(globalThis, { watch })
    const frame = (): void => {
      watch.frames += 1
      if (!watch.stop) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longestTaskMs = Math.max(watch.longestTaskMs, duration)
    })
    observer.observe({ entryTypes: ['longtask'] })
  })
  await say(page, 'Count to five thousand')
  await page.getByTestId('composer-stop').waitFor()
  await untilIdle(page)
  const painted = await page.evaluate(() => {
    const { watch } = globalThis
    watch.stop = true
    return { frames: watch.frames, longestTaskMs: watch.longestTaskMs }
  })
  const sent = await app.evaluate(() => {
    const { counter } = globalThis
    const { messages, sendMs, firstAtMs, lastAtMs } = counter
    return { messages, sendMs, durationMs: lastAtMs - firstAtMs }
  })
  return { sent, painted }
}

/** One message a delta from a bare main, each drawn as it comes; returns main's time in sending. */
async function sendOneByOne(app: ElectronApplication, page: Page): Promise<number> {
  await page.evaluate(() => globalThis.bench.clear())
  const sendMs = await app.evaluate(
    async ({ BrowserWindow }, [deltas, chars]) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      if (contents === undefined) throw new Error('no window')
      let spent = 0
      for (let index = 0; index < deltas; index++) {
        const event = { type: 'text-delta', rowId: 'row-1', partIndex: 0, text: 'w'.repeat(chars) }
        const batch = { channel: 'session', workspaceId: 'ws-0', firstSequence: index + 1, events: [event] }
        const start = performance.now()
        contents.send('bench', batch)
        spent += performance.now() - start
        await new Promise((resolve) => setImmediate(resolve))
      }
      return spent
    },
    [DELTAS, DELTA_CHARS] as const
  )
  await page.waitForFunction((chars) => globalThis.bench.chars() === chars, DELTAS * DELTA_CHARS, { timeout: 120_000 })
  return sendMs
}

void main()
