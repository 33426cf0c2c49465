// Compactions in the app (U-8, U-10, C-1, C-3): the settings of the context, the composer while a summary is written.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { defaultSettings } from '@common/settings/settings-schema'
import type { FakeBridge } from '../../src-renderer/testing/fake-bridge'
import { rowSource, text } from '../../src-renderer/testing/row-builders'
import { withTheme } from '../support/variants'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld, RUNNING } from './worlds'

const meta = {
  title: 'App/Compaction',
  component: AppStory,
  parameters: { layout: 'fullscreen' }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)
const seen: { bridge: FakeBridge | null } = { bridge: null }

async function openContext({ canvas, canvasElement }: Context) {
  await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
  await userEvent.keyboard('{Control>},{/Control}')
  // The dialog is a chunk of its own: a busy machine reads it late.
  const dialog = within(await page().findByRole('dialog', { name: 'Settings' }, { timeout: 5_000 }))
  await userEvent.click(dialog.getByRole('tab', { name: 'Context' }))
  const panel = await waitFor(() => dialog.getByRole('tabpanel', { name: 'Context' }))
  await expectSound(canvasElement)
  return within(panel)
}

/** Everything is set by the keyboard, and what happens to a full window is said as it is set. */
export const Settings: Story = {
  args: { world: () => openWorld(), bridge: (bridge) => (seen.bridge = bridge) },
  play: async (context) => {
    const panel = await openContext(context)
    const settings = () => seen.bridge?.world.settings
    await expect(panel.getByText(/^It is summarised/)).toBeVisible()
    panel.getByRole('slider', { name: 'Threshold of every model' }).focus()
    await userEvent.keyboard('{Home}')
    await waitFor(() => expect(settings()?.autoThreshold).toBe(0.2))
    await userEvent.keyboard('{End}')
    await waitFor(() => expect(settings()?.autoThreshold).toBe(1))
    await expect(panel.getByText(/^Nothing happens by itself/)).toBeVisible()
    const idle = panel.getByTestId('idle-compaction')
    await expect(idle).not.toBeChecked()
    await expect(panel.queryByTestId('idle-hours')).toBeNull()
    idle.focus()
    await userEvent.keyboard(' ')
    await waitFor(() => expect(settings()?.idleCompactionHours).toBe(8))
    const hours = await waitFor(() => panel.getByTestId('idle-hours'))
    hours.focus()
    await userEvent.keyboard('{End}')
    await waitFor(() => expect(settings()?.idleCompactionHours).toBe(168))
    await expect(hours).toHaveAttribute('aria-valuetext', '7 days')
    await expectSound(context.canvasElement)
  }
}
export const SettingsOfModels: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        {
          settings: {
            ...defaultSettings(),
            experiments: { tokenBudget: true },
            modelThresholds: { 'anthropic:claude-sonnet-4-5': 0.6, 'ollama:qwen3-coder:30b-a3b-q8_0': 1 },
            idleCompactionHours: 29
          }
        }
      ),
    bridge: (bridge) => (seen.bridge = bridge)
  },
  play: async (context) => {
    const panel = await openContext(context)
    await expect(panel.getByText(/^It rolls over/)).toBeVisible()
    await expect(panel.getByText('1 day 5 hours')).toBeVisible()
    await userEvent.click(panel.getByRole('button', { name: 'Use the default for ollama:qwen3-coder:30b-a3b-q8_0' }))
    await waitFor(() =>
      expect(seen.bridge?.world.settings.modelThresholds).toEqual({ 'anthropic:claude-sonnet-4-5': 0.6 })
    )
  }
}
export const SettingsLight: Story = { ...SettingsOfModels, beforeEach: withTheme('light') }
export const SettingsPhone: Story = { ...SettingsOfModels, globals: PHONE }

const source = rowSource()
const TALK = [
  source.person('Why is the request sent twelve times?'),
  source.assistant([text('Two loops retry: the client and its caller.')]),
  source.machine('compaction-request', 'Summarise.', { machine: { type: 'compaction-request', reason: 'manual' } })
]
const SUMMARY = source.assistant([text('## Asked for\n\nFour requests at most, one loop.')])

/** What is sent now waits behind the summary; Escape stops it. */
export const WhileItIsWritten: Story = {
  args: {
    world: () => openWorld({}, { sessions: { 'ws-1': { rows: TALK, snapshot: { live: SUMMARY, status: RUNNING } } } }),
    bridge: (bridge) => (seen.bridge = bridge)
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('compaction-running')).toBeVisible())
    await expect(canvas.getByPlaceholderText(/it waits behind the summary/)).toBeVisible()
    await expect(canvas.getByTestId('composer-send')).toHaveAccessibleName(/Queue behind the summary/)
    await expect(canvas.getByTestId('composer-stop')).toBeVisible()
    await expectSound(canvasElement)
  }
}
export const WhileItIsWrittenLight: Story = { ...WhileItIsWritten, beforeEach: withTheme('light') }
export const WhileItIsWrittenPhone: Story = { ...WhileItIsWritten, globals: PHONE }
