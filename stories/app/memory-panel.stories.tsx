// The memory panel (Y-3): what is remembered, what this window was given, reading, changing, pinning, deleting.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { fakeMemory, writeFakeMemory } from '../../src-renderer/testing/fake-memories'
import { dailyWorld, type FakeWorld } from '../../src-renderer/testing/fake-world'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld } from './worlds'

const meta = {
  component: AppStory,
  parameters: { layout: 'fullscreen' },
  args: { world: () => openWorld() },
  beforeEach: () => () => {
    delete document.documentElement.dataset['theme']
  }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)
const withTheme = (theme: 'light' | 'dark', changes: Partial<FakeWorld> = {}) => ({
  world: () => openWorld({}, { settings: { ...settings(), theme }, ...changes })
})
const settings = () => dailyWorld().settings

async function showMemory({ canvas }: Context): Promise<void> {
  await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
  if (page().queryByRole('tab', { name: 'Memory' }) === null) await userEvent.keyboard('{Control>}j{/Control}')
  await userEvent.click(await page().findByRole('tab', { name: 'Memory' }))
  await waitFor(() => expect(page().getByTestId('memory-panel')).toBeVisible())
}
const shown: NonNullable<Story['play']> = async (context) => {
  await showMemory(context)
  await waitFor(() => expect(page().queryByRole('status', { name: 'Loading memories' })).toBeNull())
  await expectSound(context.canvasElement)
}
async function openStyle(context: Context): Promise<void> {
  await showMemory(context)
  const row = await page().findByRole('button', { name: /^style\.md/ })
  row.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(page().getByText('British spelling')).toBeVisible())
}

const LONG = [
  fakeMemory(
    '/memories/project/a-very-long-folder-name/another-folder/decisions-about-the-wire-format-of-receipts.md',
    'x',
    {
      accessCount: 1_204,
      preloaded: true,
      changedSincePreload: true
    }
  ),
  fakeMemory('/memories/workspace/context-notes.md', 'x'.repeat(20_000), { preloaded: true, preloadCut: true }),
  fakeMemory('/memories/workspace/ملاحظات.md', 'نص', { skipped: 'no-room', pinned: true }),
  fakeMemory('/memories/workspace/image.md', '', { skipped: 'unreadable', accessCount: 3 })
]

export const Listed: Story = { play: shown }
export const ListedPhone: Story = { play: shown, globals: PHONE }
export const ListedDark: Story = { play: shown, args: withTheme('dark') }
export const ListedPhoneDark: Story = { play: shown, args: withTheme('dark'), globals: PHONE }
export const Empty: Story = { play: shown, args: { world: () => openWorld({}, { memories: [] }) } }
export const LongNames: Story = {
  play: shown,
  args: { world: () => openWorld({}, { memories: LONG }) },
  globals: PHONE
}
export const SwitchedOff: Story = {
  play: shown,
  args: withTheme('light', { settings: { ...settings(), memory: 'read-only' } })
}
export const Failed: Story = {
  play: shown,
  args: {
    world: () =>
      openWorld(
        {},
        {
          failures: { 'memory.list': { kind: 'io', message: 'The memories could not be read: the folder is locked.' } }
        }
      )
  }
}
export const Reading: Story = {
  play: async (context) => {
    await openStyle(context)
    await expectSound(context.canvasElement)
  }
}
export const ReadingPhone: Story = { ...Reading, globals: PHONE }
export const Editing: Story = {
  play: async (context) => {
    await openStyle(context)
    await userEvent.click(page().getByRole('radio', { name: 'Edit' }))
    await userEvent.type(page().getByTestId('memory-text'), '- two spaces')
    await expectSound(context.canvasElement)
    await userEvent.click(page().getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(page().getByText('two spaces')).toBeVisible())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(page().getByText(/Changed since/)).toBeVisible())
  }
}
let conflicting: Partial<FakeWorld> = {}
export const Conflict: Story = {
  args: { bridge: (bridge) => (conflicting = bridge.world), world: () => openWorld() },
  play: async (context) => {
    await openStyle(context)
    await userEvent.click(page().getByRole('radio', { name: 'Edit' }))
    await userEvent.type(page().getByTestId('memory-text'), '- mine')
    conflicting.memories = writeFakeMemory(conflicting.memories ?? [], '/memories/global/style.md', '- theirs\n')
    await userEvent.click(page().getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(page().getByText(/Somebody else changed this memory/)).toBeVisible())
    await expectSound(context.canvasElement)
    await userEvent.click(page().getByRole('button', { name: 'Save mine over it' }))
    await waitFor(() => expect(page().getByText('mine')).toBeVisible())
  }
}
export const PinnedAndDeleted: Story = {
  play: async (context) => {
    await showMemory(context)
    await userEvent.click(await page().findByRole('button', { name: 'Pin testing.md' }))
    await waitFor(() => expect(page().getByRole('button', { name: 'Unpin testing.md' })).toBeVisible())
    await userEvent.click(page().getByRole('button', { name: /^testing\.md/ }))
    await userEvent.click(await page().findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(page().getAllByText(/It is kept in .*\.trash/)[0]).toBeVisible())
    await waitFor(() => expect(page().queryByRole('button', { name: /^testing\.md/ })).toBeNull())
  }
}
export const MadeByHand: Story = {
  play: async (context) => {
    await showMemory(context)
    await userEvent.click(await page().findByTestId('new-memory'))
    await userEvent.type(page().getByTestId('memory-name'), 'testing')
    await userEvent.type(page().getByTestId('memory-text'), 'One more.')
    await userEvent.click(page().getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(page().getByText(/already/)).toBeVisible())
    await expectSound(context.canvasElement)
    await userEvent.type(page().getByTestId('memory-name'), '-more')
    await userEvent.click(page().getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(page().getByRole('button', { name: /^testing-more\.md/ })).toBeVisible())
  }
}
