// The search through past windows (S-9): each state of the panel, by keyboard.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import type { MemoryHit, PersonHit } from '@common/contract/search-views'
import { SearchPanel } from '../src-renderer/history-search/search-panel'
import { NO_SEARCH, type SearchState } from '../src-renderer/store/search-state'
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
    hasWorkspace: true,
    placeOf: () => 'This workspace',
    onQuery: fn(),
    onScope: fn(),
    onSearch: fn(),
    onFurther: fn(),
    onJump: fn(),
    onMemory: fn(),
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

/** `text` with the match between two asterisks. */
function found(sequence: number, windowNumber: number, text: string, changes: Partial<PersonHit> = {}): PersonHit {
  return {
    ...marked(text),
    item_id: `i:${sequence}`,
    window_id: `w:${windowNumber * 40}`,
    windowNumber,
    sequence,
    role: 'assistant',
    tool_name: null,
    at: '2026-04-14T09:41:00.000Z',
    match_offset_chars: 0,
    workspaceId: 'ws-1',
    title: 'Fix the receipts',
    rowId: `row-${sequence}`,
    ...changes
  }
}

function marked(text: string): Pick<PersonHit, 'snippet' | 'matchStart' | 'matchLength'> {
  const [before = '', match = '', after = ''] = text.split('*')
  return { snippet: before + match + after, matchStart: before.length, matchLength: match.length }
}

const HITS = [
  found(212, 5, 'The *retry budget* is counted for the whole request, not for one attempt.'),
  found(207, 5, `{"pattern":"*retry budget*","path":"src/${LONG_WORD}"}`, { tool_name: 'grep' }),
  found(
    96,
    2,
    'I read the notes of last week again, since the numbers in the table did not fit the ones in the log. What was the *Retry Budget* again? I think we said five attempts in two minutes.',
    { role: 'user' }
  )
]
const MEMORIES: MemoryHit[] = [
  {
    ...marked('- retries: inner loop stays\n- *retry budget*: five attempts in two minutes'),
    workspaceId: 'ws-1',
    path: '/memories/workspace/context-notes.md'
  }
]
const DONE: SearchState = {
  ...NO_SEARCH,
  query: 'retry budget',
  searched: 'retry budget',
  searchedIn: 'ws-1',
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
export const Memories: Story = {
  args: { search: { ...DONE, memories: MEMORIES } },
  play: async ({ canvas, userEvent, args }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent('3 hits in 2 windows, 1 memory')
    await expect(canvas.getByRole('heading', { name: 'Memory' })).toBeVisible()
    await userEvent.click(canvas.getByRole('textbox'))
    await userEvent.keyboard('{ArrowDown}')
    await expect(canvas.getByTestId('memory-hit')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect(args.onMemory).toHaveBeenCalledWith(MEMORIES[0])
    await userEvent.click(canvas.getByRole('textbox'))
    await userEvent.keyboard('{Enter}')
    await expect(args.onMemory).toHaveBeenCalledTimes(2)
    await expect(args.onJump).not.toHaveBeenCalled()
  }
}
export const MemoriesPhone: Story = { args: { search: { ...DONE, memories: MEMORIES } }, globals: PHONE }
/** What was found is for other words: Enter searches, it does not go there. */
export const EnterSearchesAnew: Story = {
  args: { search: { ...DONE, query: 'retry budgets' } },
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(canvas.getByRole('textbox'))
    await userEvent.keyboard('{Enter}')
    await expect(args.onSearch).toHaveBeenCalledOnce()
    await expect(args.onJump).not.toHaveBeenCalled()
  }
}
export const Everywhere: Story = {
  args: {
    search: {
      ...DONE,
      scope: 'everywhere',
      searchedIn: 'everywhere',
      memories: MEMORIES,
      hits: [
        ...HITS,
        found(4, 1, 'The docs name the *retry budget* twice.', { workspaceId: 'ws-2', title: 'Docs pass' })
      ]
    },
    placeOf: () => 'Fix the receipts'
  },
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('heading', { level: 3 }).map((each) => each.textContent)).toEqual([
      'Memory',
      'Fix the receipts',
      'Docs pass'
    ])
  }
}
export const WithoutAWorkspace: Story = {
  args: { hasWorkspace: false },
  play: async ({ canvas }) => expect(canvas.queryByRole('group', { name: 'Where to search' })).toBeNull()
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
  args: { search: { ...DONE, phase: 'failed', problems: ['The history could not be read: the disk failed.'] } },
  play: async ({ canvas, userEvent, args }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent(
      '3 hits in 2 windows so far. Not everything was searched.'
    )
    await userEvent.click(canvas.getByRole('button', { name: 'Search again' }))
    await expect(args.onSearch).toHaveBeenCalled()
  }
}
export const OneConversationFailed: Story = {
  args: {
    search: { ...DONE, hits: [], problems: ['“Docs pass” was not searched: its history could not be read.'] }
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent('No hits in what could be searched.')
  }
}
export const RightToLeft: Story = {
  args: {
    search: {
      ...DONE,
      searched: 'ميزانية',
      query: 'ميزانية',
      hits: [found(7, 1, 'ما هي *ميزانية* المحاولات مرة أخرى؟')]
    }
  }
}
