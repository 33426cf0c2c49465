// Editing from an earlier message, forking and deleting in the app (U-9, H-10), and the commands behind `/`.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { dailyWorld } from '../../src-renderer/testing/fake-world'
import { rowSource, text } from '../../src-renderer/testing/row-builders'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld } from './worlds'

const meta = {
  component: AppStory,
  parameters: { layout: 'fullscreen' },
  args: { world: () => openWorld({ draft: 'What I was about to say' }) },
  beforeEach: () => () => {
    delete document.documentElement.dataset['theme']
  }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)

async function editFirst({ canvas }: Context): Promise<void> {
  const first = await waitFor(() => {
    const row = canvas.getAllByTestId('row-user')[0]
    if (row === undefined) throw new Error('no row yet')
    return row
  })
  within(first).getByTestId('row-menu').focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await page().findByRole('menuitem', { name: 'Edit from here' }))
  await waitFor(() => expect(canvas.getByTestId('editing-row')).toBeVisible())
}

export const Editing: Story = {
  play: async (context) => {
    const { canvas, canvasElement } = context
    await editFirst(context)
    const composer = canvas.getByTestId('composer')
    await waitFor(() => expect(composer).toHaveFocus())
    await expect(composer).toHaveValue(
      'The receipt is written twice when the app stops in the middle of an append. Find out why.'
    )
    await expect(canvas.getByText(/Sending cuts 1 message after it/)).toBeVisible()
    await expectSound(canvasElement)
  }
}
export const EditingPhone: Story = { ...Editing, globals: PHONE }
export const EditingDark: Story = {
  ...Editing,
  args: { world: () => openWorld({}, { settings: { ...dailyWorld().settings, theme: 'dark' } }) }
}
export const Cancelled: Story = {
  play: async (context) => {
    const { canvas } = context
    await editFirst(context)
    canvas.getByTestId('composer').focus()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(canvas.queryByTestId('editing-row')).toBeNull())
    await expect(canvas.getByTestId('composer')).toHaveValue('What I was about to say')
  }
}
export const Sent: Story = {
  play: async (context) => {
    const { canvas } = context
    await editFirst(context)
    await userEvent.type(canvas.getByTestId('composer'), ' Begin with the test.{Enter}')
    await waitFor(() => expect(canvas.getByText(/Begin with the test\./)).toBeVisible(), { timeout: 5_000 })
    await waitFor(() => expect(canvas.queryByTestId('editing-row')).toBeNull())
    await expect(canvas.queryByText(/The order above is safe/)).toBeNull()
    await expect(canvas.getByTestId('composer')).toHaveValue('What I was about to say')
  }
}

const source = rowSource()
const TWO_WINDOWS = [
  source.person('Find out why the receipt is written twice.'),
  source.assistant([text('It is written before the rows are synced.')]),
  source.boundary('rollover'),
  source.person('Go on.'),
  source.assistant([text('I wrote the test.')])
]
export const CrossesAWindow: Story = {
  args: { world: () => openWorld({}, { sessions: { 'ws-1': { rows: TWO_WINDOWS } } }) },
  play: async (context) => {
    const { canvas, canvasElement } = context
    await editFirst(context)
    await expect(canvas.getByText(/3 messages and 1 later window/)).toBeVisible()
    canvas.getByTestId('composer').focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page().getByRole('dialog', { name: 'Cut later windows' })).toBeVisible())
    await expectSound(canvasElement)
    await userEvent.click(page().getByRole('button', { name: 'Cut and send' }))
    await waitFor(() => expect(canvas.queryByTestId('editing-row')).toBeNull())
    await waitFor(() => expect(canvas.queryByText('I wrote the test.')).toBeNull())
  }
}
export const CrossesAWindowPhone: Story = { ...CrossesAWindow, globals: PHONE }
export const Commands: Story = {
  args: { world: () => openWorld() },
  play: async ({ canvas, canvasElement }) => {
    await userEvent.type(await waitFor(() => canvas.getByTestId('composer')), '/cl')
    await waitFor(() => expect(canvas.getByRole('option', { name: /\/clear --soft/ })).toBeVisible())
    await expectSound(canvasElement)
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect(canvas.getByTestId('composer')).toHaveValue('/clear --soft ')
  }
}
export const CommandsPhone: Story = { ...Commands, globals: PHONE }
export const Skills: Story = {
  args: {
    world: () =>
      openWorld({}, { skills: [{ name: 'überblick', description: 'Where everything is in this project, and why.' }] })
  },
  play: async ({ canvas, canvasElement }) => {
    const composer = await waitFor(() => canvas.getByTestId('composer'))
    await userEvent.type(composer, '/')
    await waitFor(() =>
      expect(canvas.getByRole('option', { name: /\/überblick Skill: Where everything is/ })).toBeVisible()
    )
    await expect(canvas.getByRole('option', { name: /\/clear --soft/ })).toBeVisible()
    await expectSound(canvasElement)
    await userEvent.type(composer, 'üb{Enter}')
    await expect(composer).toHaveValue('/überblick ')
  }
}
export const SkillsPhone: Story = { ...Skills, globals: PHONE }

async function writeClear({ canvas }: Context): Promise<void> {
  const composer = await waitFor(() => canvas.getByTestId('composer'))
  // A space after it closes the list of commands.
  await userEvent.type(composer, '/clear {Enter}')
  await waitFor(() => expect(page().getByRole('dialog', { name: 'Clear this conversation' })).toBeVisible())
}
const twoWindows = () => openWorld({}, { sessions: { 'ws-1': { rows: TWO_WINDOWS } } })
export const Clearing: Story = {
  args: { world: twoWindows },
  play: async (context) => {
    const { canvas, canvasElement } = context
    await writeClear(context)
    await expect(page().getByText(/all 5 rows in 2 context windows/)).toBeVisible()
    await expectSound(canvasElement)
    await userEvent.click(page().getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(canvas.queryByText('I wrote the test.')).toBeNull())
    await expect(canvas.getByTestId('composer')).toHaveValue('')
  }
}
export const ClearingPhone: Story = { ...Clearing, globals: PHONE }
export const ClearingKept: Story = {
  args: { world: twoWindows },
  play: async (context) => {
    const { canvas } = context
    await writeClear(context)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(page().queryByRole('dialog')).toBeNull())
    await expect(canvas.getByText('I wrote the test.')).toBeVisible()
    await expect(canvas.getByTestId('composer')).toHaveValue('/clear ')
    await waitFor(() => expect(canvas.getByTestId('composer')).toHaveFocus())
  }
}
