// The tooltip of an icon button: words and shortcut for who points at it or reaches it by keyboard.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { Search } from 'lucide-react'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { IconButton } from '../src-renderer/ui/icon-button'

const meta: Meta = { title: 'UI/Tooltip' }
export default meta

type Story = StoryObj

const tooltip = () => within(document.body).queryByRole('tooltip')

export const PointedAndFocused: Story = {
  render: () => (
    <div className="p-12">
      <IconButton label="Search" shortcut="Ctrl+K" icon={<Search size={16} />} />
    </div>
  ),
  play: async ({ canvas }) => {
    const button = canvas.getByRole('button', { name: 'Search' })
    await userEvent.hover(button)
    await expect(tooltip()).toBeNull()
    await waitFor(() => expect(tooltip()).toHaveTextContent('SearchCtrlK'))
    const [above, below] = [tooltip()?.getBoundingClientRect(), button.getBoundingClientRect()]
    await expect(above?.bottom).toBeLessThanOrEqual(below.top)
    await userEvent.unhover(button)
    await expect(tooltip()).toBeNull()
    await userEvent.tab()
    await expect(button).toHaveFocus()
    await expect(tooltip()).toHaveTextContent('Search')
    await expect(button).toHaveAccessibleDescription('Search Ctrl K')
    await userEvent.keyboard('{Escape}')
    await expect(tooltip()).toBeNull()
  }
}
