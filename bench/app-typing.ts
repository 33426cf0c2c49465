// `npm run bench -- app-typing [--quick]`: from a keystroke in the composer to its paint, with 10 000 rows in memory
// and an answer streaming, against an empty workspace of the same app while nothing streams (F-13).
import type { Page } from '@playwright/test'
import { mixedRows } from '../src-renderer/testing/mixed-rows'
import { watchMainThread, type MainThread } from './support/driven-app'
import { median } from './support/measure'
import { atMost, report, told, type Figure } from './support/report'
import { say, showWorkspace, startScriptedApp } from './support/scripted-app'

const isQuick = process.argv.includes('--quick')
const ROWS = isQuick ? 3_000 : 10_000
const ROUNDS = isQuick ? 5 : 20
const KEYS = isQuick ? 40 : 60
const FRAME_MS = 1_000 / 60
const TEXT = 'please look at the receipts once more, and then tell me what is wrong '

interface Typed {
  readonly latenciesMs: number[]
  readonly spentMs: number
}

/** Where the reader is: in the middle of all that is in memory, or at the end, where the answer grows. */
type Place = 'scrolled up' | 'at the end'

/** What this benchmark lays into the page, to be read back from there. */
declare global {
  var latencies: number[]
  var stopTyping: () => void
}

async function main(): Promise<void> {
  // The answer waits while the empty workspace is measured.
  let open = (): void => undefined
  let flows: Promise<void> = Promise.resolve()
  const hold = (): void => {
    flows = new Promise((resolve) => (open = resolve))
  }
  const sentence = 'A sentence of an ordinary answer with `code` in it. '
  const text = Array.from({ length: 40_000 }, (_, index) => (index % 12 === 11 ? '\n\n' : sentence)).join('')
  const turn = { text, delivery: { pieceChars: 12, delayMs: 10, gate: () => flows } }
  const app = await startScriptedApp({ Long: mixedRows(ROWS), Empty: [] }, [turn])
  const { page } = app
  const thread = await watchMainThread(page)
  await say(page, 'Tell me everything')
  await page.getByTestId('composer-stop').waitFor()
  const loaded = await loadAll(page)

  const figures: Figure[] = []
  for (const place of ['scrolled up', 'at the end'] as const) {
    const [long, besides, empty]: [Typed[], Typed[], Typed[]] = [[], [], []]
    for (let round = -1; round < ROUNDS; round++) {
      await showWorkspace(page, 'Long')
      await settle(page, place)
      const typedLong = await type(page, thread)
      await showWorkspace(page, 'Empty')
      await settle(page, 'at the end')
      const typedBesides = await type(page, thread)
      hold()
      const typedEmpty = await type(page, thread)
      open()
      if (round < 0) continue
      long.push(typedLong)
      besides.push(typedBesides)
      empty.push(typedEmpty)
    }
    figures.push(...figuresOf(place, { long, besides, empty }, loaded))
  }
  await app.close()
  report('app-typing', isQuick, figures)
}

interface Rounds {
  readonly long: readonly Typed[]
  /** In the empty workspace, while the answer streams into the long one out of sight. */
  readonly besides: readonly Typed[]
  readonly empty: readonly Typed[]
}

function figuresOf(place: Place, { long, besides, empty }: Rounds, loaded: number): Figure[] {
  const all = (typed: readonly Typed[]): number[] => typed.flatMap(({ latenciesMs }) => latenciesMs)
  // A round's own p95, then the median of rounds: a moment in which the machine did something else does not count.
  const p95Of = (typed: readonly Typed[]): number =>
    median(typed.map(({ latenciesMs }) => percentile(latenciesMs, 0.95)))
  const p95 = { long: p95Of(long), besides: p95Of(besides), empty: p95Of(empty) }
  const spent = (typed: readonly Typed[]): number => median(typed.map(({ spentMs }) => spentMs)) / KEYS
  return [
    atMost(1.2, {
      id: 'F-13',
      what: `keystroke to paint, p95, ${loaded} rows in memory and a stream, ${place}, against an empty workspace`,
      value: p95.long / p95.empty,
      details: {
        'long, p95 ms': p95.long,
        'empty, p95 ms': p95.empty,
        'long, median ms': median(all(long)),
        'empty, median ms': median(all(empty))
      }
    }),
    told({
      id: 'F-13',
      what: `the same against the empty workspace while the stream runs out of sight, ${place}`,
      value: p95.long / p95.besides,
      details: { 'empty beside the stream, p95 ms': p95.besides, 'median ms': median(all(besides)) },
      note: 'what is left is the drawing; the rest is the machine sharing its processors with main and the provider'
    }),
    atMost(FRAME_MS, {
      id: 'F-13',
      what: `what the rows and the stream add to it, ${place}`,
      value: Math.max(0, p95.long - p95.empty),
      unit: ' ms',
      note: 'within a frame; a keystroke waits for the next frame in any case'
    }),
    told({
      id: 'F-13',
      what: `processor time of the page a keystroke, with the stream's own, ${place}`,
      value: spent(long),
      unit: ' ms',
      details: { 'empty, ms': spent(empty) }
    })
  ]
}

/** Loads older pages until none is left; returns how many rows are there by their index. */
async function loadAll(page: Page): Promise<number> {
  return page.getByTestId('transcript').evaluate(async (scroller) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const lastIndex = (): number =>
      Math.max(...[...scroller.querySelectorAll<HTMLElement>('article')].map((row) => Number(row.dataset['index'])))
    for (let still = 0, height = 0; still < 120; still += 1) {
      scroller.scrollTop = 0
      await frame()
      if (scroller.scrollHeight !== height) still = 0
      height = scroller.scrollHeight
    }
    scroller.scrollTop = scroller.scrollHeight
    for (let settling = 0; settling < 10; settling += 1) await frame()
    const count = lastIndex() + 1
    scroller.scrollTop = scroller.scrollHeight / 2
    return count
  })
}

/** Puts the reader in place and lets what follows from it come to rest. */
async function settle(page: Page, place: Place): Promise<void> {
  await page.evaluate(async (isUp) => {
    const scroller = document.querySelector('[data-testid="transcript"]')
    if (scroller !== null) scroller.scrollTop = isUp ? scroller.scrollHeight / 2 : scroller.scrollHeight
    for (let frame = 0; frame < 20; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  }, place === 'scrolled up')
}

/** Types, a key every 40 ms, and measures each from its event to the message after its frame. */
async function type(page: Page, thread: MainThread): Promise<Typed> {
  const composer = page.getByTestId('composer')
  await composer.fill('')
  await composer.focus()
  await page.evaluate(() => {
    const latencies: number[] = []
    const field = document.querySelector<HTMLTextAreaElement>('[data-testid="composer"]')
    const onInput = (event: Event): void => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => {
          port1.close()
          latencies.push(performance.now() - event.timeStamp)
        })
        port1.start()
        port2.postMessage(null)
      })
    }
    field?.addEventListener('keydown', onInput)
    Object.assign(globalThis, { latencies, stopTyping: () => field?.removeEventListener('keydown', onInput) })
  })
  const before = await thread.spentMs()
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(keyOf(TEXT[key % TEXT.length] ?? 'a'))
    await page.waitForTimeout(40)
  }
  const spentMs = (await thread.spentMs()) - before
  const latenciesMs = await page.evaluate(() => {
    const { latencies, stopTyping } = globalThis
    stopTyping()
    return latencies
  })
  await composer.fill('')
  return { latenciesMs, spentMs }
}

function keyOf(character: string): string {
  return character === ' ' ? 'Space' : character
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

void main()
