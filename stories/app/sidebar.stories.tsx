// The sidebar: finding, renaming, archiving, deleting; and the sides of the frame (U-1).
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { dailyWorld, project } from '../../src-renderer/testing/fake-world'
import { workspaceView } from '../../src-renderer/testing/session-builders'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld } from './worlds'

const meta = {
  component: AppStory,
  parameters: { layout: 'fullscreen' },
  args: { world: () => openWorld() }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>

const page = () => within(document.body)

export const Rename: Story = {
  play: async ({ canvas, canvasElement }) => {
    const item = await waitFor(() => canvas.getByRole('button', { name: /^idle Fix the receipts/ }))
    item.focus()
    await userEvent.keyboard('{F2}')
    const title = await waitFor(() => canvas.getByRole('textbox', { name: 'Title' }))
    await expectSound(canvasElement)
    await userEvent.clear(title)
    await userEvent.type(title, 'Receipts after a crash{Enter}')
    await waitFor(() => expect(canvas.getByRole('heading', { level: 1 })).toHaveTextContent('Receipts after a crash'))
  }
}
export const Delete: Story = {
  play: async ({ canvas, canvasElement }) => {
    const item = await waitFor(() => canvas.getByRole('button', { name: /^running Docs pass/ }))
    item.focus()
    await userEvent.keyboard('{Delete}')
    const dialog = await waitFor(() => page().getByRole('dialog', { name: 'Delete this workspace' }))
    await expect(dialog).toHaveTextContent('goes to the system’s trash, or to /home/ada/.tidemark/trash')
    await expectSound(canvasElement)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(canvas.queryByRole('button', { name: /^running Docs pass/ })).toBeNull())
  }
}
export const Archived: Story = {
  args: {
    world: () => {
      const daily = dailyWorld()
      return {
        ...daily,
        workspaces: [...daily.workspaces, workspaceView({ workspaceId: 'ws-9', title: 'First tries', archived: true })]
      }
    }
  },
  play: async ({ canvas, canvasElement }) => {
    await userEvent.click(await waitFor(() => canvas.getByRole('checkbox', { name: 'Show archived' })))
    await waitFor(() => expect(canvas.getByRole('button', { name: /^idle First tries/ })).toBeVisible())
    await expectSound(canvasElement)
  }
}
export const Many: Story = {
  args: {
    world: () => ({
      ...dailyWorld(),
      workspaces: Array.from({ length: 60 }, (_, n) =>
        workspaceView({
          workspaceId: `ws-${n + 1}`,
          title: `Workspace ${n + 1} with a title that is too long for the sidebar`,
          updatedAtMs: Date.now() - n * 9e6
        })
      )
    })
  },
  play: async ({ canvas, canvasElement }) => {
    const filter = await waitFor(() => canvas.getByRole('searchbox', { name: 'Filter workspaces by title' }))
    await expectSound(canvasElement)
    await userEvent.type(filter, 'space 42')
    await waitFor(() => expect(canvas.getAllByTestId('sidebar-workspace')).toHaveLength(1))
    await userEvent.clear(filter)
    await userEvent.type(filter, 'nothing like it')
    await waitFor(() => expect(canvas.getByText('No title contains “nothing like it”.')).toBeVisible())
  }
}
export const ArrowKeys: Story = {
  play: async ({ canvas }) => {
    const first = await waitFor(() => canvas.getByRole('button', { name: 'tidemark' }))
    first.focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() =>
      expect(canvas.getByRole('button', { name: /^idle Fix the receipts/ })).toHaveAttribute('aria-current', 'true')
    )
    await userEvent.keyboard('{F6}')
    await expect(canvas.getByRole('button', { name: 'tidemark' })).not.toHaveFocus()
  }
}
export const Collapsed: Story = {
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('new-workspace')).toBeVisible())
    await userEvent.keyboard('{Control>}b{/Control}')
    await waitFor(() => expect(canvas.queryByTestId('new-workspace')).toBeNull())
    await userEvent.click(canvas.getByRole('button', { name: 'Hide the panel' }))
    await waitFor(() => expect(canvas.queryByTestId('context-meter')).toBeNull())
    await expectSound(canvasElement)
  }
}
export const SidebarSheet: Story = {
  globals: PHONE,
  play: async ({ canvas, canvasElement }) => {
    await userEvent.click(await waitFor(() => canvas.getByRole('button', { name: 'Show the sidebar' })))
    const sheet = await waitFor(() => page().getByRole('dialog', { name: 'Sidebar' }))
    await expectSound(canvasElement)
    await expect(within(sheet).getByTestId('new-workspace').getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  }
}
export const PanelSheet: Story = {
  globals: PHONE,
  play: async ({ canvas, canvasElement }) => {
    await userEvent.click(await waitFor(() => canvas.getByRole('button', { name: 'Show the panel' })))
    await waitFor(() => expect(page().getByTestId('context-meter')).toBeVisible())
    await expectSound(canvasElement)
  }
}
export const MovedProject: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        {
          pickedPath: '/home/ada/moved/tidemark',
          projects: [project({ readable: false })],
          workspaces: [workspaceView({ rows: 2, projectReadable: false })]
        }
      )
  },
  play: async ({ canvas, canvasElement }) => {
    await expectSound(canvasElement)
    await userEvent.click(await waitFor(() => canvas.getByRole('button', { name: 'Choose the folder' })))
    await waitFor(() => expect(canvas.queryByTestId('banner-folder-missing')).toBeNull())
  }
}
