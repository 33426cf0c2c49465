// What the next compaction carries over, in the context panel (K-8): by mouse, by keyboard, on a phone, without an answer.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import type { CarryOverView } from '@common/contract/context-views'
import type { FakeBridge } from '../../src-renderer/testing/fake-bridge'
import type { FakeWorld } from '../../src-renderer/testing/fake-world'
import { withTheme } from '../support/variants'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld } from './worlds'

const meta = {
  title: 'App/Carried over a compaction',
  component: AppStory,
  parameters: { layout: 'fullscreen' }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)
const LONG_PATH = `packages/${'a-very-long-folder-name/'.repeat(6)}append-receipt.test.ts`
const VIEW: CarryOverView = {
  isOn: true,
  items: [
    { kind: 'plan', id: 'plan', isOn: true, path: '.tidemark/plans/ws-1.md', problem: null },
    { kind: 'file', id: 'file:src/a.ts', isOn: true, path: 'src/history/append-rows.ts', added: 12, removed: 4 },
    { kind: 'file', id: 'file:long', isOn: false, path: LONG_PATH, added: 90, removed: 0 },
    { kind: 'todo', id: 'todo', isOn: true, count: 3 },
    { kind: 'skill', id: 'skill:sql', isOn: true, name: 'sql' }
  ]
}
const world = (changes: Partial<FakeWorld> = {}) => {
  return () => openWorld({}, { carryOver: { 'ws-1': VIEW }, ...changes })
}
const seen: { bridge: FakeBridge | null } = { bridge: null }
const bridge = (made: FakeBridge) => (seen.bridge = made)

/** Opens the section by the keyboard; on a phone the panel first. */
async function openSection({ canvas }: Context, phone = false): Promise<ReturnType<typeof within>> {
  if (phone) {
    await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
    await userEvent.click(canvas.getByRole('button', { name: /Show the panel/ }))
  }
  const section = await waitFor(() => page().getByTestId('carry-over'))
  const heading = within(section).getByRole('button', { name: /The next compaction carries/ })
  await expect(heading).toHaveAttribute('aria-expanded', 'false')
  heading.focus()
  await userEvent.keyboard('{Enter}')
  await expect(heading).toHaveAttribute('aria-expanded', 'true')
  return within(section)
}

function listed(phone: boolean): NonNullable<Story['play']> {
  return async (context) => {
    const section = await openSection(context, phone)
    await waitFor(() => expect(section.getByText('4 of 5')).toBeVisible())
    await expect(section.getByRole('switch', { name: 'Plan' })).toBeChecked()
    await expect(section.getByRole('switch', { name: LONG_PATH })).not.toBeChecked()
    await expect(section.getByText('edited, +12 −4 lines')).toBeVisible()
    await expectSound(context.canvasElement)
  }
}
export const Listed: Story = { args: { world: world() }, play: listed(false) }
export const ListedPhone: Story = { args: { world: world() }, globals: PHONE, play: listed(true) }
export const ListedDark: Story = { ...Listed, beforeEach: withTheme('dark') }
export const ListedLight: Story = { ...Listed, beforeEach: withTheme('light') }

export const Switched: Story = {
  args: { world: world(), bridge },
  play: async (context) => {
    const section = await openSection(context)
    const plan = await waitFor(() => section.getByRole('switch', { name: 'Plan' }))
    plan.focus()
    await userEvent.keyboard(' ')
    await expect(plan).not.toBeChecked()
    await expect(section.getByText('3 of 5')).toBeVisible()
    await waitFor(() => expect(seen.bridge?.world.carryOver['ws-1']?.items[0]?.isOn).toBe(false))
    await userEvent.click(section.getByRole('switch', { name: 'Carry over' }))
    await waitFor(() => expect(seen.bridge?.world.carryOver['ws-1']?.isOn).toBe(false))
    await expect(section.getByText('nothing')).toBeVisible()
    await expect(section.getByRole('switch', { name: 'To-do list' })).toBeDisabled()
    // Each switch keeps what it was set to.
    await expect(section.getByRole('switch', { name: 'To-do list' })).toBeChecked()
    await expectSound(context.canvasElement)
  }
}
export const NothingYet: Story = {
  args: { world: world({ carryOver: {} }) },
  play: async (context) => {
    const section = await openSection(context)
    await waitFor(() => expect(section.getByText(/no plan, edited file, to-do list or skill/)).toBeVisible())
    await expectSound(context.canvasElement)
  }
}
export const NotAnswered: Story = {
  args: {
    world: world({ failures: { 'context.carryOver': { kind: 'io', message: 'The history could not be read.' } } }),
    bridge
  },
  play: async (context) => {
    const section = await openSection(context)
    await waitFor(() => expect(section.getByText('The history could not be read.')).toBeVisible())
    await expectSound(context.canvasElement)
    if (seen.bridge !== null) seen.bridge.world.failures = {}
    await userEvent.click(section.getByRole('button', { name: 'Look again' }))
    await waitFor(() => expect(section.getByText('4 of 5')).toBeVisible())
  }
}
