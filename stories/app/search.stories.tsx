// Find here and everywhere in the app (S-9): by keyboard to a message of the past.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import type { FakeBridge } from '../../src-renderer/testing/fake-bridge'
import { textRow } from '../../src-renderer/testing/session-builders'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { CONVERSATION, openWorld } from './worlds'

const meta = {
  component: AppStory,
  parameters: { layout: 'fullscreen' },
  args: { world: () => openWorld() }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)
async function search({ canvas }: Context, keys: string, query: string): Promise<void> {
  await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
  await waitFor(() => expect(canvas.getAllByTestId(/^row-/).length).toBeGreaterThan(0))
  await userEvent.keyboard(keys)
  const field = await page().findByRole('textbox', { name: 'Search past messages' })
  await waitFor(() => expect(field).toHaveFocus())
  await userEvent.keyboard(query)
  await waitFor(() => expect(page().getAllByTestId('history-hit').length).toBeGreaterThan(0), { timeout: 4_000 })
}

export const Here: Story = {
  play: async (context) => {
    await search(context, '{Control>}f{/Control}', 'RECEIPT')
    await expect(page().getByText(/^2 hits in 1 window$/)).toBeVisible()
    await expectSound(context.canvasElement)
  }
}
export const HerePhone: Story = { ...Here, globals: PHONE }
export const Everywhere: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        {
          sessions: {
            'ws-1': { rows: CONVERSATION },
            'ws-2': { rows: [textRow('d1', 'user', 'Name the receipt in the docs.', 1)] }
          }
        }
      )
  },
  play: async (context) => {
    await search(context, '{Control>}{Shift>}f{/Shift}{/Control}', 'in the docs')
    await expect(page().getByRole('heading', { name: 'Docs pass' })).toBeVisible()
    await expectSound(context.canvasElement)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(context.canvas.getByText('Name the receipt in the docs.')).toBeVisible())
  }
}

const LONG = Array.from({ length: 900 }, (_, n) =>
  textRow(
    `l${n}`,
    n % 2 === 0 ? 'user' : 'assistant',
    n === 120 ? 'Here is the needle.' : `Row ${n} of a long talk.`,
    n + 1
  )
)
const far: { bridge?: FakeBridge } = {}

/** One page around a row 780 rows away, read on both ways, then back to the end, by keyboard alone. */
export const FarJump: Story = {
  args: {
    world: () => openWorld({}, { sessions: { 'ws-1': { rows: LONG } } }),
    bridge: (bridge) => (far.bridge = bridge)
  },
  play: async (context) => {
    const { canvas } = context
    const pages = () => far.bridge?.calls.map(({ name }) => name).filter((name) => name.startsWith('workspace.page'))
    const scroller = () => canvas.getByTestId('transcript')
    await search(context, '{Control>}f{/Control}', 'needle')
    await userEvent.keyboard('{Enter}')
    const row = () => canvas.getByText('Here is the needle.').closest('article')
    await waitFor(() => expect(row()).toHaveFocus())
    await expect(canvas.getByText('Here is the needle.')).toBeVisible()
    await expect(pages()).toEqual(['workspace.pageAround'])
    // A row that comes meanwhile is counted at the end, and does not move what is read.
    const topBefore = row()?.getBoundingClientRect().top
    far.bridge?.sessionOf('ws-1').emit({ type: 'row-appended', row: textRow('new', 'user', 'New at the end.', 901) })
    await waitFor(() => expect(canvas.getByTestId('jump-to-latest')).toHaveTextContent('1 new row'))
    await expect(row()?.getBoundingClientRect().top).toBe(topBefore)
    await expect(canvas.queryByText('New at the end.')).toBeNull()
    await expectSound(context.canvasElement)
    // Newer rows come behind without a jump, and the end of what is loaded is not followed.
    const { scrollHeight, clientHeight } = scroller()
    scroller().scrollTop = scrollHeight - 3.5 * clientHeight
    await new Promise((resolve) => setTimeout(resolve, 100))
    const inView = [...scroller().querySelectorAll('article')].at(-1)
    const top = inView?.getBoundingClientRect().top ?? 0
    scroller().scrollTop += 0.75 * clientHeight
    const scrolled = 0.75 * clientHeight
    await waitFor(() => expect(scroller().scrollHeight).toBeGreaterThan(scrollHeight + 1_000))
    await expect(Math.abs((inView?.getBoundingClientRect().top ?? 0) - (top - scrolled))).toBeLessThanOrEqual(1)
    await expect(pages()).toContain('workspace.pageAfter')
    await expect(canvas.getByTestId('jump-to-latest')).toBeVisible()
    scroller().querySelector<HTMLElement>('article')?.focus()
    await userEvent.keyboard('{End}')
    await waitFor(() => expect(canvas.getByText('New at the end.')).toBeVisible(), { timeout: 4_000 })
    await waitFor(() => expect(canvas.queryByTestId('jump-to-latest')).toBeNull())
    await waitFor(() => expect(canvas.getByTestId('composer')).toHaveFocus())
  }
}
export const FarJumpPhone: Story = {
  ...FarJump,
  play: async (context) => {
    await search(context, '{Control>}f{/Control}', 'needle')
    await userEvent.click(page().getByTestId('history-hit'))
    await waitFor(() => expect(page().queryByTestId('history-search')).toBeNull())
    await waitFor(() => expect(context.canvas.getByText('Here is the needle.').closest('article')).toHaveFocus())
    await expectSound(context.canvasElement)
  },
  globals: PHONE
}
export const InMemory: Story = {
  play: async (context) => {
    await waitFor(() => expect(context.canvas.getByTestId('composer')).toBeVisible())
    await userEvent.keyboard('{Control>}f{/Control}')
    await waitFor(() => expect(page().getByRole('textbox', { name: 'Search past messages' })).toHaveFocus())
    await userEvent.keyboard('builds the command')
    const hit = await page().findByTestId('memory-hit', {}, { timeout: 4_000 })
    await expect(hit).toHaveTextContent('testing.md')
    await userEvent.keyboard('{ArrowDown}{Enter}')
    const dialog = await page().findByRole('dialog', { name: 'testing.md' })
    await expect(within(dialog).getByText(/it builds the command line first/)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(page().getByTestId('memory-panel')).toBeVisible())
  }
}
