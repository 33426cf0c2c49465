// Owns what a person sees of a transcript while the wheel turns, frame by frame and after the paint: what is blank,
// what does not join, what moves otherwise than the wheel says.
import type { Page } from '@playwright/test'

export interface Scrolling {
  readonly frames: number
  /** Frames in which more than 1 px of the view held no row. */
  readonly blankFrames: number
  /** Frames in which a row did not begin within 1 px of where the one before it ended. */
  readonly tornFrames: number
  /** Frames in which a row moved by more than 1 px otherwise than by whole wheel steps. */
  readonly offFrames: number
  /** The most elements that stood in the transcript at once. */
  readonly mostElements: number
  /** The most height of mounted rows at once, in screenfuls. */
  readonly mostScreenfuls: number
}

interface Watch extends Scrolling {
  stop: boolean
}

/**
 * Turns the wheel `steps` times by `stepPx` over the transcript, a frame apart. Start Electron with
 * --disable-smooth-scrolling: a step is one move.
 */
export async function wheel(page: Page, steps: number, stepPx: number, paddingPx: number): Promise<Scrolling> {
  const transcript = page.getByTestId('transcript')
  await transcript.hover()
  await transcript.evaluate(
    (scroller, [step, padding]) => {
      const watch = { frames: 0, blankFrames: 0, tornFrames: 0, offFrames: 0, mostElements: 0, mostScreenfuls: 0 }
      Object.assign(globalThis, { watch: Object.assign(watch, { stop: false }) })
      let before = new Map<string, number>()
      const rowsInOrder = () =>
        [...scroller.querySelectorAll<HTMLElement>('article')]
          .map((row) => ({ row, box: row.getBoundingClientRect() }))
          .toSorted((a, b) => a.box.top - b.box.top)
      const look = (): void => {
        const view = scroller.getBoundingClientRect()
        const rows = rowsInOrder()
        const from = Math.max(view.top, view.top + padding - scroller.scrollTop)
        const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
        const to = view.bottom - Math.max(0, padding - below)
        const seen = rows.filter(({ box }) => box.bottom > from && box.top < to)
        const covered = seen.reduce((sum, { box }) => sum + Math.min(box.bottom, to) - Math.max(box.top, from), 0)
        const torn = seen.some(({ box }, at) => at > 0 && Math.abs(box.top - (seen[at - 1]?.box.bottom ?? 0)) > 1)
        const atEdge = scroller.scrollTop <= 1 || below <= 1
        const tops = new Map(seen.map(({ row, box }) => [idOf(row), box.top]))
        const moves = [...tops].flatMap(([id, top]) => (before.has(id) ? [top - (before.get(id) ?? 0)] : []))
        const isOff = (move: number): boolean => Math.abs(move - Math.round(move / step) * step) > 1
        watch.frames += 1
        if (covered < to - from - 1) watch.blankFrames += 1
        if (torn) watch.tornFrames += 1
        if (!atEdge && moves.some(isOff)) watch.offFrames += 1
        watch.mostElements = Math.max(watch.mostElements, scroller.querySelectorAll('*').length)
        const mounted = rows.reduce((sum, { box }) => sum + box.height, 0)
        watch.mostScreenfuls = Math.max(watch.mostScreenfuls, mounted / scroller.clientHeight)
        before = tops
        if (!(watch as unknown as { stop: boolean }).stop) afterNextPaint(look)
      }
      afterNextPaint(look)

      function idOf(row: HTMLElement): string {
        return row.querySelector<HTMLElement>('[data-row-id]')?.dataset['rowId'] ?? row.dataset['index'] ?? ''
      }
      function afterNextPaint(then: () => void): void {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => {
            port1.close()
            then()
          })
          port1.start()
          port2.postMessage(null)
        })
      }
    },
    [Math.abs(stepPx), paddingPx] as const
  )
  await turnWheel(page, steps, stepPx)
  return page.evaluate(
    () =>
      new Promise<Scrolling>((resolve) => {
        const { watch } = globalThis as unknown as { watch: Watch }
        watch.stop = true
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ ...watch })))
      })
  )
}

/** The same without watching, for its cost. */
export async function turnWheel(page: Page, steps: number, stepPx: number): Promise<void> {
  await page.getByTestId('transcript').hover()
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, stepPx)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
}
