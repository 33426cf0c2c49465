// What can be done with a row (U-9), each by keyboard.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, waitFor, within } from 'storybook/test'
import { rowSource, text } from '../src-renderer/testing/row-builders'
import { checkStory } from './support/check-story'
import { NO_ACTIONS, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const onEditRow = fn()
const onForkRow = fn()
const onDeleteRow = fn()
const source = rowSource()
const ROWS = [
  source.person('Find out why the receipt is written twice.'),
  source.assistant([text('It is written before the rows are synced.')])
]

const meta = {
  title: 'Row actions',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory,
  args: { rows: ROWS, actions: { ...NO_ACTIONS, onEditRow, onForkRow, onDeleteRow } }
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

const page = () => within(document.body)

export const EditAndFork: Story = {
  play: async ({ canvas, userEvent }) => {
    const edits = canvas.getAllByTestId('row-edit')
    await expect(edits).toHaveLength(1)
    edits[0]?.focus()
    await userEvent.keyboard('{Enter}')
    await expect(onEditRow).toHaveBeenCalledWith(ROWS[0])
    canvas.getAllByTestId('row-fork')[1]?.focus()
    await userEvent.keyboard('{Enter}')
    await expect(onForkRow).toHaveBeenCalledWith(ROWS[1])
  }
}
export const InTheMenu: Story = {
  play: async ({ canvas, userEvent }) => {
    canvas.getAllByTestId('row-menu')[0]?.focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page().getByRole('menuitem', { name: 'Edit from here' })).toBeVisible())
    await expect(page().getByRole('menuitem', { name: 'Fork from here' })).toBeVisible()
    // While the menu holds the focus the page behind it is hidden, which axe takes for a fault of the page.
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(page().queryByRole('menuitem')).toBeNull())
  }
}
export const InTheMenuPhone: Story = { ...InTheMenu, globals: PHONE }
export const InTheMenuLight: Story = { ...InTheMenu, beforeEach: withTheme('light') }
export const Deleting: Story = {
  play: async ({ canvas, userEvent }) => {
    canvas.getAllByTestId('row-menu')[0]?.focus()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(await page().findByTestId('row-delete'))
    const dialog = within(await page().findByRole('dialog', { name: 'Delete this message' }))
    await waitFor(() => expect(dialog.getByText(/cut-rows\.jsonl/)).toBeVisible())
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await expect(onDeleteRow).toHaveBeenCalledWith(ROWS[0])
    await waitFor(() => expect(page().queryByRole('dialog')).toBeNull())
  }
}
