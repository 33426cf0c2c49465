// F-19 on screen: a long history pages in without a jump, and what is far leaves memory at the end.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { textRow } from '../../src-renderer/testing/session-builders'
import { AppStory } from './app-story'
import { openWorld } from './worlds'

const meta = { component: AppStory, parameters: { layout: 'fullscreen' } } satisfies Meta<typeof AppStory>
export default meta

const ROWS = Array.from({ length: 1_200 }, (_, n) =>
  textRow(`r${n}`, n % 2 === 0 ? 'user' : 'assistant', `message ${n}`, n + 1)
)

export const BackToTheEnd: StoryObj<typeof meta> = {
  args: { world: () => openWorld({}, { sessions: { 'ws-1': { rows: ROWS } } }) },
  play: async ({ canvas }) => {
    const view = await waitFor(() => canvas.getByTestId('transcript'))
    await waitFor(() => expect(canvas.getByText('message 1199')).toBeVisible())
    for (let page = 0; page < 12; page += 1) {
      view.scrollTop = 0
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    const loaded = view.scrollHeight
    view.scrollTop = view.scrollHeight
    await waitFor(() => expect(canvas.getByText('message 1199')).toBeVisible())
    await waitFor(() => expect(view.scrollHeight).toBeLessThan(loaded * 0.8), { timeout: 4_000 })
    await expect(canvas.getByText('message 1199')).toBeVisible()
    await expect(view.scrollHeight - view.scrollTop - view.clientHeight).toBeLessThan(24)
  }
}
