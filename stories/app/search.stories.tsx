// Find here and everywhere in the app (S-9): by keyboard to a message of the past.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
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
