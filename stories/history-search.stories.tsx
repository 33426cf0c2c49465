// The search through past windows (S-9): each state of the panel, by keyboard.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import type { HistoryHit } from '@common/tools/session-history-contract'
import { SearchPanel } from '../src-renderer/history-search/search-panel'
import { NO_SEARCH, type FoundHit, type SearchState } from '../src-renderer/store/search-state'
import { LONG_WORD } from '../src-renderer/testing/sample-texts'
import { checkStory } from './support/check-story'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'History search',
  component: SearchPanel,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory,
  args: {
    search: NO_SEARCH,
    titleOf: (workspaceId) => (workspaceId === 'ws-1' ? 'Fix the receipts' : 'Docs pass'),
    onQuery: fn(),
    onScope: fn(),
    onFurther: fn(),
    onJump: fn(),
    onLeave: fn()
  },
  decorators: [
    (Story) => (
      <main className="min-h-dvh w-80 max-w-full border-r border-line bg-surface text-text">
        <Story />
      </main>
    )
  ]
} satisfies Meta<typeof SearchPanel>
export default meta
type Story = StoryObj<typeof meta>

function found(sequence: number, windowId: string, snippet: string, changes: Partial<HistoryHit> = {}): FoundHit {
  const hit: HistoryHit = {
    item_id: `i:${sequence}`,
    window_id: windowId,
    sequence,
    role: 'assistant',
    tool_name: null,
    snippet,
    at: '2026-04-14T09:41:00.000Z',
    match_offset_chars: 0,
    ...changes
  }
  return { workspaceId: 'ws-1', hit }
}

const HITS = [
  found(212, 'w:188', 'The retry budget is counted for the whole request, not for one attempt.'),
  found(207, 'w:188', `{"pattern":"retry budget","path":"src/${LONG_WORD}"}`, { tool_name: 'grep' }),
  found(96, 'w:41', 'What was the Retry Budget again? I think we said five attempts in two minutes.', { role: 'user' })
]
const DONE: SearchState = {
  ...NO_SEARCH,
  query: 'retry budget',
  searched: 'retry budget',
  phase: 'done',
  hits: HITS
}

export const Nothing: Story = {}
export const Hits: Story = {
  args: { search: DONE },
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(canvas.getByRole('textbox', { name: 'Search past messages' }))
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    await expect(canvas.getAllByTestId('history-hit')[1]).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect(args.onJump).toHaveBeenCalledWith(HITS[1])
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    await expect(canvas.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect(args.onJump).toHaveBeenLastCalledWith(HITS[0])
    await userEvent.keyboard('{Escape}')
    await expect(args.onLeave).toHaveBeenCalled()
  }
}
export const HitsPhone: Story = { args: { search: DONE }, globals: PHONE }
export const HitsLight: Story = { args: { search: DONE }, beforeEach: withTheme('light') }
export const Everywhere: Story = {
  args: {
    search: {
      ...DONE,
      scope: 'everywhere',
      hits: [...HITS, { ...found(4, 'w:0', 'The docs name the retry budget twice.'), workspaceId: 'ws-2' }]
    }
  }
}
export const Searching: Story = {
  args: { search: { ...DONE, phase: 'searching', hits: HITS.slice(0, 1) } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent('1 hit in 1 window so far')
  }
}
export const NotEverything: Story = {
  args: { search: { ...DONE, phase: 'paused', skippedRows: 2 } },
  play: async ({ canvas, userEvent, args }) => {
    await expect(canvas.getByText(/Not everything was searched/)).toBeVisible()
    await expect(canvas.getByText('2 rows too long to search were skipped.')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Search further' }))
    await expect(args.onFurther).toHaveBeenCalled()
  }
}
export const NotEverythingPhone: Story = { args: { search: { ...DONE, phase: 'paused' } }, globals: PHONE }
export const NoHits: Story = { args: { search: { ...DONE, hits: [] } } }
export const Failed: Story = {
  args: { search: { ...DONE, hits: [], problem: 'The history of “Docs pass” could not be read: the disk failed.' } }
}
export const RightToLeft: Story = {
  args: {
    search: {
      ...DONE,
      searched: 'ميزانية',
      query: 'ميزانية',
      hits: [found(7, 'w:0', 'ما هي ميزانية المحاولات مرة أخرى؟')]
    }
  }
}
