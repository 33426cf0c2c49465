// Compactions as they are drawn (U-3, C-1, C-3): the divider with what it came to, the summary as one box, the same
// while it is written, and what stays where there was none.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import { expect, waitFor, within } from 'storybook/test'
import type { Row } from '@common/rows/row-schema'
import { rowSource, text } from '../src-renderer/testing/row-builders'
import { checkStory } from './support/check-story'
import { streamingStatus, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Compaction',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

const SHORT = 'The retry loop is fixed; `client.test.ts` still has to be run.'
const LONG = [
  '## Asked for',
  'Find out why a request is sent twelve times, and make it four: “the outer loop must go”.',
  '## Decided',
  '- One loop, in `src/net/client.ts`; the caller does not retry.',
  '- The delay doubles from 200 ms; a jitter of a tenth.',
  '## Done',
  ...Array.from({ length: 14 }, (_, index) => `- \`src/net/part-${index}.ts\`: takes the client as it is.`),
  '## Next',
  'Run `npm test -- client`, then write the changelog.'
].join('\n\n')

function windows(): Row[] {
  const source = rowSource()
  return [
    source.person('Why is the request sent twelve times?'),
    source.assistant([text('Two loops retry: the client and its caller.')]),
    source.machine('compaction-request', 'Summarise this conversation.', {
      machine: { type: 'compaction-request', reason: 'manual', instructions: 'the retry loop' }
    }),
    source.compaction(LONG),
    source.person('Go on.'),
    source.assistant([text('The tests pass.')]),
    source.compaction(SHORT, { reason: 'automatic', beforeTokens: 151_200, afterTokens: 940, trimmedRows: 12 }),
    source.assistant([text('The changelog is written.')]),
    source.compaction(SHORT, { reason: 'idle', idleHours: 9, beforeTokens: 48_000 })
  ]
}

export const Dividers: Story = {
  args: { rows: windows() },
  play: async ({ canvas, userEvent }) => {
    const [manual, automatic, idle] = canvas.getAllByTestId('compaction-divider')
    await expect(manual).toHaveTextContent('Compaction · window 2 · 12.4k → 1.1k tokens · at your wish')
    await expect(automatic).toHaveTextContent('151k → 940 tokens · the window was full')
    await expect(automatic).toHaveTextContent('The oldest 12 rows found no room in the request for the summary')
    await expect(idle).toHaveTextContent('nothing happened for 9 hours')
    if (manual === undefined) throw new Error('There is no divider.')
    within(manual).getByRole('button').focus()
    await userEvent.keyboard('{Enter}')
    await expect(manual).toHaveTextContent('anthropic:claude-sonnet · 9.4 s · $0.02')
  }
}
export const DividersLight: Story = { ...Dividers, beforeEach: withTheme('light') }
export const DividersPhone: Story = {
  args: { rows: windows().slice(3) },
  globals: PHONE,
  play: async ({ canvas }) => {
    await expect(canvas.getAllByTestId('compaction-divider').at(-2)).toHaveTextContent('the window was full')
  }
}

/** A long summary shows some lines; the keyboard opens it. */
export const LongSummary: Story = {
  args: { rows: windows().slice(0, 4) },
  play: async ({ canvas, userEvent }) => {
    const summary = canvas.getByTestId('summary')
    const more = await waitFor(() => within(summary).getByRole('button', { name: 'Show all' }))
    const folded = summary.offsetHeight
    await expect(folded).toBeLessThan(230)
    more.focus()
    await userEvent.keyboard('{Enter}')
    await expect(summary.offsetHeight).toBeGreaterThan(2 * folded)
    await expect(within(summary).getByRole('button', { name: 'Show less' })).toHaveFocus()
    await userEvent.keyboard(' ')
    await expect(summary.offsetHeight).toBe(folded)
  }
}
export const LongSummaryPhone: Story = { ...LongSummary, globals: PHONE }

export const ShortSummary: Story = {
  args: { rows: windows().slice(0, 9) },
  play: async ({ canvas }) => {
    const last = canvas.getAllByTestId('summary').at(-1)
    if (last === undefined) throw new Error('There is no summary.')
    await expect(last).toHaveTextContent('still has to be run')
    await expect(within(last).queryByRole('button')).toBeNull()
  }
}

const ASKED = windows().slice(0, 3)
const BOUNDARY = windows()[3]
const LIVE = rowSource('live').assistant([text(LONG)])

export const Streaming: Story = {
  args: { rows: ASKED, liveRow: LIVE, status: streamingStatus() },
  play: async ({ canvas }) => {
    await expect(canvas.getByTestId('compaction-running')).toHaveTextContent('Summarising this window…')
    await expect(canvas.getByTestId('summary')).toHaveTextContent('Summary so far')
    await expect(canvas.getByText('This window is being summarised.')).toBeInTheDocument()
    // What was written last is what is seen.
    await expect(canvas.getByText(/then write the changelog/)).toBeVisible()
    await expect(canvas.queryByTestId('compaction-divider')).toBeNull()
  }
}
export const StreamingLight: Story = { ...Streaming, beforeEach: withTheme('light') }
export const StreamingPhone: Story = { ...Streaming, globals: PHONE }

function Becoming() {
  const [stored, setStored] = useState(false)
  const live = { ...LIVE, id: BOUNDARY?.id ?? '' }
  const rows = stored && BOUNDARY !== undefined ? [...ASKED, BOUNDARY] : ASKED
  return (
    <TranscriptStage
      rows={rows}
      liveRow={stored ? null : live}
      status={streamingStatus()}
      below={<button onClick={() => setStored(true)}>Store it</button>}
    />
  )
}

/** Nothing moves when the summary that streamed becomes the boundary. */
export const BecomesTheBoundary: Story = {
  render: () => <Becoming />,
  play: async ({ canvas, userEvent }) => {
    const summary = () => canvas.getByTestId('summary').getBoundingClientRect()
    await waitFor(() => expect(within(canvas.getByTestId('summary')).getByRole('button')).toBeVisible())
    const before = summary()
    await userEvent.click(canvas.getByRole('button', { name: 'Store it' }))
    await waitFor(() => expect(canvas.getByTestId('compaction-divider')).toBeVisible())
    const after = summary()
    await expect([after.top, after.height]).toEqual([before.top, before.height])
  }
}

/** One failed, one was stopped: a line each, no retry, and the window goes on. */
export const NoSummary: Story = {
  args: {
    rows: (() => {
      const source = rowSource('none')
      const asked = { type: 'compaction-request', reason: 'manual' }
      const message =
        'The summary was no shorter than the conversation, so it was not taken. The window stays as it is.'
      return [
        source.assistant([text('Two loops retry.')]),
        source.machine('compaction-request', 'Summarise.', { machine: asked, error: { kind: 'provider', message } }),
        source.machine('compaction-request', 'Summarise.', { machine: asked, interrupted: true })
      ]
    })(),
    canRetry: false
  },
  play: async ({ canvas, userEvent }) => {
    const [failed, stopped] = canvas.getAllByTestId('row-machine')
    await expect(failed).toHaveTextContent('No summary was madeThe summary was no shorter')
    await expect(stopped).toHaveTextContent('No summary was madeIt was stopped. The window stays as it is.')
    if (failed !== undefined) await userEvent.click(failed)
    await expect(canvas.getByText(/so it was not taken\. The window stays as it is\./)).toBeVisible()
    await expect(canvas.queryByTestId('row-retry')).toBeNull()
  }
}
export const NoSummaryPhone: Story = { ...NoSummary, globals: PHONE }
