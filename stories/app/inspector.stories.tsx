// The window inspector (V-3): requests that were sent, what one held and left out, its difference, and the ledger.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { fakeInspector, fakeLedger, fakeRequest, type FakeInspector } from '../../src-renderer/testing/fake-inspector'
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
const inspector = () => within(page().getByTestId('window-inspector'))
const withInspector = (inspecting: Partial<FakeInspector>, changes: Partial<FakeWorld> = {}) => ({
  world: () => openWorld({}, { inspector: fakeInspector(inspecting), ...changes })
})
const dark = { world: () => openWorld({}, { settings: { ...dailyWorld().settings, theme: 'dark' as const } }) }

async function open({ canvas }: Context): Promise<void> {
  await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
  if (page().queryByTestId('inspect-requests') === null) await userEvent.keyboard('{Control>}j{/Control}')
  await userEvent.click(await page().findByTestId('inspect-requests'))
  // Its chunk is read when it is first opened.
  await waitFor(() => expect(page().getByTestId('window-inspector')).toBeVisible(), { timeout: 10_000 })
  await waitFor(() => expect(page().queryByRole('status', { name: /^Loading/ })).toBeNull())
}
async function openRequest(context: Context): Promise<void> {
  await open(context)
  const list = await inspector().findByRole('listbox')
  await waitFor(() => expect(list).toHaveFocus())
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(inspector().getByText('Request 5')).toBeVisible())
}
async function show(view: string, context: Context): Promise<void> {
  await openRequest(context)
  await userEvent.click(inspector().getByRole('radio', { name: view }))
  await expectSound(context.canvasElement)
}
async function openLedger(context: Context): Promise<void> {
  await open(context)
  await userEvent.click(inspector().getByRole('radio', { name: 'Costs' }))
  await waitFor(() => expect(inspector().getAllByText('All').length).toBeGreaterThan(0))
  await expectSound(context.canvasElement)
}
const opened: NonNullable<Story['play']> = async (context) => {
  await open(context)
  await expectSound(context.canvasElement)
}

export const Listed: Story = { play: opened }
export const ListedPhone: Story = { play: opened, globals: PHONE }
export const ListedDark: Story = { play: opened, args: dark }
export const ByKeyboard: Story = {
  play: async (context) => {
    await openRequest(context)
    await expectSound(context.canvasElement)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(inspector().getByRole('listbox')).toHaveFocus())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(page().queryByTestId('window-inspector')).toBeNull())
  }
}
export const RequestPhone: Story = {
  globals: PHONE,
  play: async (context) => {
    await openRequest(context)
    await expect(inspector().queryByRole('listbox')).toBeNull()
    await expectSound(context.canvasElement)
  }
}
export const RequestPhoneDark: Story = { ...RequestPhone, args: dark }
export const PieceOpen: Story = {
  play: async (context) => {
    await openRequest(context)
    await userEvent.click(inspector().getByRole('button', { name: /^System text/ }))
    await waitFor(() => expect(inspector().getByText(/Surroundings:/)).toBeVisible())
    await expectSound(context.canvasElement)
  }
}
export const Found: Story = {
  play: async (context) => {
    await openRequest(context)
    await userEvent.type(inspector().getByRole('textbox', { name: 'Find in this request' }), 'receipt')
    await waitFor(() => expect(inspector().getByText('In 1 piece.')).toBeVisible())
    await userEvent.click(inspector().getByRole('button', { name: /^1 User/ }))
    await waitFor(() => expect(document.querySelector('mark')).not.toBeNull())
    await expectSound(context.canvasElement)
  }
}
export const Difference: Story = { play: (context) => show('Difference', context) }
export const DifferencePhone: Story = { ...Difference, globals: PHONE }
export const LeftOut: Story = { play: (context) => show('Left out 3', context) }
export const LeftOutPhone: Story = { ...LeftOut, globals: PHONE }
export const Ledger: Story = { play: openLedger }
export const LedgerDark: Story = { play: openLedger, args: dark }
export const LedgerPhone: Story = { play: openLedger, globals: PHONE }
export const LedgerPartial: Story = {
  play: openLedger,
  args: withInspector({
    ledger: {
      ...fakeLedger(),
      older: { windows: 12, requests: 340, fresh: 1, cached: 2, written: 3, output: 4, costUsd: 1.2, unpriced: 3 },
      copied: { requests: 9, fresh: 1, cached: 2, written: 3, output: 4, costUsd: 0.5, unpriced: 0 },
      workspaceUsd: 2
    }
  })
}
export const Thousands: Story = {
  args: withInspector({
    requests: Array.from({ length: 3_000 }, (_, index) => fakeRequest(index + 1, { messages: 3 }))
  }),
  play: async (context) => {
    await open(context)
    const list = await inspector().findByRole('listbox')
    await expect(inspector().getAllByRole('option').length).toBeLessThan(60)
    await waitFor(() => expect(list).toHaveFocus())
    await userEvent.keyboard('{End}')
    await waitFor(() => expect(inspector().getByText('Request 2901')).toBeVisible())
    await expectSound(context.canvasElement)
  }
}
export const Damaged: Story = {
  args: withInspector({
    damagedLines: 2,
    contents: {
      proof: {
        kind: 'differs',
        message: 'The content of this message is not what was sent: it had 310 bytes of JSON and has 305.'
      },
      sections: null,
      difference: null
    }
  }),
  play: async (context) => {
    await openRequest(context)
    await waitFor(() => expect(inspector().getByText(/This is not all that was sent/)).toBeVisible())
    await expectSound(context.canvasElement)
  }
}
export const DamagedPhone: Story = { ...Damaged, globals: PHONE }
export const Empty: Story = { play: opened, args: withInspector({ requests: [] }) }
export const Failed: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        { failures: { 'inspector.requests': { kind: 'io', message: 'The log of requests could not be read.' } } }
      )
  },
  play: opened
}
export const RequestFailed: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        { failures: { 'inspector.request': { kind: 'not-found', message: 'There is no request 6 in the log.' } } }
      )
  },
  play: opened
}
