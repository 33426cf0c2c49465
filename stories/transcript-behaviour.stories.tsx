import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState, useSyncExternalStore } from 'react'
import { expect, fn, waitFor } from 'storybook/test'
import { buildTailItems } from '@common/rows/display-rows'
import { mixedRows } from '../src-renderer/testing/mixed-rows'
import { rowSource, text } from '../src-renderer/testing/row-builders'
import { NO_LIVE_STATE } from '../src-renderer/transcript/live-state'
import { Transcript } from '../src-renderer/transcript/transcript'
import { checkStory } from './support/check-story'
import { countedItems, painted, storySession, StorySessionStage } from './support/story-session'
import { NO_ACTIONS, streamingStatus } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Transcript behaviour',
  component: StorySessionStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof StorySessionStage>
export default meta
type Story = StoryObj<typeof meta>

function scrollerOf(canvas: { getByTestId(id: string): HTMLElement }): HTMLElement {
  return canvas.getByTestId('transcript')
}

function distanceToEnd(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
}

async function scrollTo(scroller: HTMLElement, top: number): Promise<void> {
  scroller.scrollTop = top
  for (let frame = 0; frame < 4; frame += 1) await painted()
}

export const OpensAtTheEnd: Story = {
  args: { session: storySession(mixedRows(400)) },
  play: async ({ canvas }) => {
    await waitFor(() => expect(distanceToEnd(scrollerOf(canvas))).toBe(0))
    await expect(canvas.queryByTestId('jump-to-latest')).toBeNull()
    const rows = canvas.getAllByRole('article')
    const last = rows.at(-1)?.getBoundingClientRect()
    await expect(Math.round((last?.bottom ?? 0) - scrollerOf(canvas).getBoundingClientRect().bottom)).toBe(-24)
  }
}

export const FollowsTheEnd: Story = {
  args: { session: storySession(mixedRows(60)) },
  play: async ({ canvas, args: { session } }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    for (let delta = 0; delta < 60; delta += 1) {
      session.grow(`word ${delta} of the answer, ${delta % 9 === 8 ? '\n\n' : ''}`)
      await painted()
      await expect(distanceToEnd(scroller)).toBe(0)
    }
    session.settle()
    await painted()
    await painted()
    await expect(distanceToEnd(scroller)).toBe(0)
    await expect(canvas.queryByTestId('jump-to-latest')).toBeNull()
  }
}

/** A long answer becomes several items while the line below it stays the last one. */
export const FollowsALongAnswer: Story = {
  args: { session: storySession(mixedRows(30, 'l')) },
  play: async ({ canvas, args: { session } }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    for (let delta = 0; delta < 80; delta += 1) {
      session.grow(`${'A sentence of the long answer. '.repeat(9)}\n\n`)
      await painted()
      await expect(distanceToEnd(scroller)).toBe(0)
      await expect(canvas.queryByTestId('jump-to-latest')).toBeNull()
    }
    await expect(canvas.getAllByLabelText('Assistant, continued').length).toBeGreaterThan(0)
    session.settle()
    session.append(rowSource('w').person('And then?'))
    session.grow('The next answer')
    await painted()
    await painted()
    await expect(distanceToEnd(scroller)).toBe(0)
  }
}

export const StaysWhereThePersonScrolled: Story = {
  args: { session: storySession(mixedRows(200, 's')) },
  play: async ({ canvas, args: { session }, userEvent }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    await scrollTo(scroller, scroller.scrollTop - 1_500)
    const pill = await canvas.findByTestId('jump-to-latest')
    await expect(pill).toHaveTextContent('Jump to latest')
    const anchor = rowInView(scroller)
    const topBefore = anchor.getBoundingClientRect().top
    session.grow('The answer begins. ')
    for (let delta = 0; delta < 20; delta += 1) {
      session.grow('And it goes on for many words. ')
      await painted()
      await expect(anchor.getBoundingClientRect().top - topBefore).toBe(0)
    }
    session.settle()
    session.append(rowSource('p').person('Next.'), rowSource('q').assistant([text('Done.')]))
    await painted()
    await expect(anchor.getBoundingClientRect().top - topBefore).toBe(0)
    await waitFor(() => expect(pill).toHaveTextContent('3 new rows'))
    await userEvent.click(pill)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    await waitFor(() => expect(canvas.queryByTestId('jump-to-latest')).toBeNull())
  }
}

/** At rest, for the eye. */
export const ScrolledAway: Story = {
  args: { session: storySession(mixedRows(200, 't')) },
  play: async ({ canvas, args: { session } }) => {
    await waitFor(() => expect(distanceToEnd(scrollerOf(canvas))).toBe(0))
    await scrollTo(scrollerOf(canvas), scrollerOf(canvas).scrollTop - 2_000)
    session.append(rowSource('p').person('Next.'))
    await expect(await canvas.findByText('1 new row')).toBeVisible()
  }
}
export const ScrolledAwayPhone: Story = {
  ...ScrolledAway,
  args: { session: storySession(mixedRows(200, 'u')) },
  globals: PHONE
}

export const OlderRowsComeWithoutAJump: Story = {
  args: { session: storySession(mixedRows(120, 'n')), hasOlder: true, onNeedOlder: fn() },
  play: async ({ canvas, args: { session, onNeedOlder } }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    await expect(onNeedOlder).not.toHaveBeenCalled()
    for (let page = 0; page < 3; page += 1) {
      await scrollTo(scroller, 900)
      await expect(onNeedOlder).toHaveBeenCalledTimes(page + 1)
      const anchor = rowInView(scroller)
      const topBefore = anchor.getBoundingClientRect().top
      session.prepend(mixedRows(80, `o${page}-`))
      for (let frame = 0; frame < 6; frame += 1) {
        await painted()
        await expect(anchor.getBoundingClientRect().top - topBefore).toBe(0)
      }
      await expect(anchor.isConnected).toBe(true)
    }
  }
}

/** Rows that were only guessed at come into view: what is read moves by the scrolling alone. */
export const ScrollingUpIntoNewRows: Story = {
  args: { session: storySession(mixedRows(300, 'h')) },
  play: async ({ canvas }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    for (let jump = 0; jump < 20; jump += 1) {
      const anchor = mountedRows(scroller).find((row) => row.getBoundingClientRect().top > 0)
      if (anchor === undefined) throw new Error('No row is in view')
      const topBefore = anchor.getBoundingClientRect().top
      scroller.scrollTop -= 400
      for (let frame = 0; frame < 4; frame += 1) {
        await painted()
        await expect(anchor.getBoundingClientRect().top - topBefore).toBe(400)
      }
    }
    scroller.scrollTop = 0
    await painted()
    await painted()
    await expect(scroller.scrollTop).toBe(0)
  }
}

export const OlderRowsFailed: Story = {
  args: { session: storySession(mixedRows(6, 'f')), hasOlder: true, olderState: 'failed', onNeedOlder: fn() },
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: /could not be read/ }))
    await expect(args.onNeedOlder).toHaveBeenCalled()
  }
}

export const TenThousandRows: Story = {
  args: { session: storySession(mixedRows(10_000, 'x')) },
  play: async ({ canvas }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    for (const share of [0.75, 0.5, 0.1, 0]) {
      await scrollTo(scroller, scroller.scrollHeight * share)
      await waitFor(async () => {
        const heights = mountedRows(scroller).map((row) => row.getBoundingClientRect().height)
        // Three screenfuls (F-16).
        await expect(heights.reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(3 * scroller.clientHeight)
      })
      await expect(blankAbove(scroller)).toBe(0)
    }
  }
}

export const ADeltaDrawsOnlyTheLiveRow: StoryObj = {
  render: () => <CountedTranscript />,
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getAllByRole('article').length).toBeGreaterThan(5))
    // The row's first words lay out the list anew; what is counted is what each further delta draws.
    counted.grow('The live row: ')
    await painted()
    drawn.clear()
    for (let delta = 1; delta <= 10; delta += 1) {
      counted.grow(`delta ${delta} `)
      await painted()
    }
    await expect(canvas.getByText(/delta 10/)).toBeVisible()
    await expect([...drawn.keys()]).toEqual([])
  }
}

const drawn = new Map<string, number>()
const countedRows = countedItems(mixedRows(40, 'c'), (key) => drawn.set(key, (drawn.get(key) ?? 0) + 1))
const counted = storySession([])

function CountedTranscript() {
  const { live } = useSyncExternalStore(counted.watch, counted.read)
  const [status] = useState(streamingStatus)
  return (
    <div className="fixed inset-0 flex flex-col bg-surface">
      <Transcript
        rows={COUNTED}
        tail={buildTailItems({ live, status, lastRow: null, waiting: false })}
        live={NO_LIVE_STATE}
        state={READY}
        hasOlder={false}
        olderState="idle"
        onNeedOlder={nothing}
        windowStarts={[]}
        canRetry={false}
        actions={NO_ACTIONS}
      />
    </div>
  )
}

const COUNTED = { items: countedRows, dividerIndexes: [], sources: new Map() }
const READY = { kind: 'ready' } as const
const nothing = () => undefined

export const KeyboardMoves: Story = {
  args: { session: storySession(mixedRows(300, 'k')) },
  play: async ({ canvas, userEvent }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    mountedRows(scroller).at(-1)?.focus()
    await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('You'))
    const first = document.activeElement
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(document.activeElement).not.toBe(first))
    await userEvent.keyboard('[[')
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('A new window begins'))
    const divider = document.activeElement
    await userEvent.keyboard('[[')
    await waitFor(async () => {
      await expect(document.activeElement?.getAttribute('aria-label')).toBe('A new window begins')
      await expect(document.activeElement).not.toBe(divider)
    })
    await expect(document.activeElement?.getBoundingClientRect().top).toBeLessThan(scroller.clientHeight)
  }
}

export const FocusSurvivesScrolling: Story = {
  args: { session: storySession(mixedRows(300, 'y')) },
  play: async ({ canvas }) => {
    const scroller = scrollerOf(canvas)
    await waitFor(() => expect(distanceToEnd(scroller)).toBe(0))
    const button = mountedRows(scroller).at(-1)?.querySelector('button')
    button?.focus()
    await scrollTo(scroller, 0)
    await expect(document.activeElement).toBe(button)
    await expect(button?.isConnected).toBe(true)
    await expect(mountedRows(scroller).length).toBeLessThan(60)
  }
}

function mountedRows(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>('[data-index]')]
}

/** A row that stands in the middle of the view. */
function rowInView(scroller: HTMLElement): HTMLElement {
  const middle = scroller.clientHeight / 2
  const row = mountedRows(scroller).find((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top <= middle && bottom > middle
  })
  if (row === undefined) throw new Error('The middle of the view is blank')
  return row
}

/** Pixels at the top and the bottom of the view that no row covers. */
function blankAbove(scroller: HTMLElement): number {
  const rects = mountedRows(scroller).map((row) => row.getBoundingClientRect())
  const top = Math.min(...rects.map((rect) => rect.top))
  const atStart = scroller.scrollTop < 24
  return Math.max(0, Math.round(top - (atStart ? 24 : 0)))
}
