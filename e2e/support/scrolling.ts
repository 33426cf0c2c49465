// Owns measuring the transcript frame by frame, as a person sees it: what is painted, and what moves by itself.
import type { Page } from '@playwright/test'

export interface PrependMeasure {
  /** How far the row in the middle of the view moved, in pixels, in the frame where it moved most. */
  readonly movedPx: number
  /** Items that came in front of it. */
  readonly cameBefore: number
}

/**
 * Scrolls a little, to where older rows are asked for, and watches one row until they have come and for some
 * frames more. `movedPx` is 0 when nothing moved under the person's eyes.
 */
export function measurePrepend(page: Page): Promise<PrependMeasure> {
  return page.getByTestId('transcript').evaluate(async (scroller) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const topOf = (row: Element) => row.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    const indexOf = (row: HTMLElement) => Number(row.dataset['index'])
    const [stepPx, frameLimit] = [400, 600]
    // Two screens before the oldest row the next page is asked for.
    scroller.scrollTop = 2 * scroller.clientHeight + stepPx / 2
    for (let settling = 0; settling < 4; settling += 1) await frame()
    const anchor = [...scroller.querySelectorAll<HTMLElement>('article')].find((row) => topOf(row) > 0)
    if (anchor === undefined) throw new Error('no row is in view')
    const [top, index] = [topOf(anchor) + stepPx, indexOf(anchor)]
    scroller.scrollTop -= stepPx
    let [movedPx, frames, framesAfter] = [0, 0, 0]
    while (framesAfter < 20) {
      await frame()
      movedPx = Math.max(movedPx, Math.abs(topOf(anchor) - top))
      if (indexOf(anchor) !== index) framesAfter += 1
      if ((frames += 1) > frameLimit) throw new Error('no older rows came')
    }
    return { movedPx, cameBefore: indexOf(anchor) - index }
  })
}

export interface ScrollMeasure {
  readonly frames: number
  /** Frames in which a part of the view higher than 1 px held no row. */
  readonly blankFrames: number
  readonly mostElements: number
}

/** Turns the wheel over the transcript and watches every frame meanwhile. */
export async function measureWheel(page: Page, steps: number, stepPx: number): Promise<ScrollMeasure> {
  const transcript = page.getByTestId('transcript')
  await transcript.hover()
  await transcript.evaluate((scroller) => {
    const seen = { frames: 0, blankFrames: 0, mostElements: 0, stop: false }
    Object.assign(globalThis, { seen })
    const look = () => {
      const view = scroller.getBoundingClientRect()
      const rows = [...scroller.querySelectorAll('article')].map((row) => row.getBoundingClientRect())
      // The list has a padding at both ends.
      const from = Math.max(view.top, view.top + 24 - scroller.scrollTop)
      const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
      const to = view.bottom - Math.max(0, 24 - below)
      const inView = rows
        .map((row) => Math.min(row.bottom, to) - Math.max(row.top, from))
        .filter((height) => height > 0)
      const covered = inView.reduce((sum, height) => sum + height, 0)
      seen.frames += 1
      if (covered < to - from - 1) seen.blankFrames += 1
      seen.mostElements = Math.max(seen.mostElements, scroller.querySelectorAll('*').length)
      if (!seen.stop) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  for (let step = 0; step < steps; step += 1) await page.mouse.wheel(0, stepPx)
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const { seen } = globalThis as unknown as { seen: ScrollMeasure & { stop: boolean } }
        seen.stop = true
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ ...seen })))
      })
  )
}

/** Where the view stands above the end, in pixels. */
export function distanceToEnd(page: Page): Promise<number> {
  return page
    .getByTestId('transcript')
    .evaluate((scroller) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop)
}
