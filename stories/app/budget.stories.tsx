// The countdown and the meter of the token budget in the app (U-5, U-6), and the threshold that moves their marks.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { defaultSettings } from '@common/settings/settings-schema'
import type { FakeBridge } from '../../src-renderer/testing/fake-bridge'
import { rowSource } from '../../src-renderer/testing/row-builders'
import { withTheme } from '../support/variants'
import { AppStory } from './app-story'
import { at, MODEL, settings } from './budget-worlds'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld, RUNNING, USAGE } from './worlds'

const meta = {
  title: 'App/Budget',
  component: AppStory,
  parameters: { layout: 'fullscreen' }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)

/** A story in which the composer says this, and a screen reader hears the same once. */
function counting(says: string, args: Story['args'] & object): Story {
  return {
    args,
    play: async ({ canvas, canvasElement }) => {
      await waitFor(() => expect(canvas.getByTestId('budget-countdown')).toHaveTextContent(says))
      await expect(canvas.getByTestId('budget-countdown')).toBeVisible()
      await expect(canvas.getAllByText(says, { selector: 'output' })).toHaveLength(1)
      await expectSound(canvasElement)
    }
  }
}

export const CountdownBegins = counting('rolls over in 25 % · about 50k tokens', { world: at(100_000) })
export const Countdown = counting('rolls over in 12 % · about 24k tokens', { world: at(126_000) })
export const CountdownPhone: Story = { ...Countdown, globals: PHONE }
export const CountdownDark: Story = { ...Countdown, beforeEach: withTheme('dark') }
export const CountdownLight: Story = { ...Countdown, beforeEach: withTheme('light') }
export const CountdownAtTheEnd = counting('rolls over with your next message', { world: at(152_000) })
export const CountdownWhileRunning = counting('rolls over at the next step', {
  world: at(152_000, {}, { status: RUNNING })
})
export const CountdownWhileRunningPhone: Story = { ...CountdownWhileRunning, globals: PHONE }
export const CountdownStops = counting('stops in 5 % · about 10k tokens', {
  world: at(181_808, { settings: settings({ autoThreshold: 1 }) })
})
export const CountdownCompacts = counting('compacts in 2 % · about 5k tokens', {
  world: at(145_000, { settings: defaultSettings() })
})
export const NoCountdownFarAway: Story = {
  args: { world: at(60_000) },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByTestId('context-meter')).toHaveTextContent('60,000'))
    await expect(canvas.queryByTestId('budget-countdown')).toBeNull()
  }
}
export const NoCountdownWithoutALimit: Story = {
  args: {
    world: () => ({
      ...openWorld({ usage: { ...USAGE, model: 'ollama:qwen3:8b', maxTokens: null, hardCeiling: null } }),
      workspaces: openWorld().workspaces?.map((each) => ({ ...each, model: 'ollama:qwen3:8b' })) ?? []
    })
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByText(/limit of this model is not known/)).toBeVisible())
    await expect(canvas.queryByTestId('budget-countdown')).toBeNull()
    await expectSound(canvasElement)
  }
}

/** Opens what the window holds by the keyboard; on a phone the panel first. */
async function openDetails({ canvas }: Context, phone = false): Promise<HTMLElement> {
  if (phone) {
    await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
    await userEvent.click(canvas.getByRole('button', { name: /Show the panel/ }))
  }
  const trigger = await waitFor(() => page().getByTestId('context-details'))
  trigger.focus()
  await userEvent.keyboard('{Enter}')
  return waitFor(() => page().getByRole('dialog', { name: 'What the window holds' }))
}

function markAt(kind: string): number {
  return Number(document.querySelector<HTMLElement>(`[data-mark="${kind}"]`)?.dataset['tokens'])
}

export const MeterDetails: Story = {
  args: { world: at(126_000) },
  play: async (context) => {
    const details = await openDetails(context)
    await waitFor(() => expect(details).toHaveTextContent('Tool results84,12042 %'))
    await expect(details).toHaveTextContent('Free')
    await expect(details).toHaveTextContent('then the window rolls over at 75 %')
    await expectSound(context.canvasElement)
  }
}
export const MeterDetailsLight: Story = { ...MeterDetails, beforeEach: withTheme('light') }
export const MeterDetailsPhone: Story = {
  ...MeterDetails,
  globals: PHONE,
  play: async (context) => {
    const details = await openDetails(context, true)
    await waitFor(() => expect(details).toHaveTextContent('Messages38,20419 %'))
    await expectSound(context.canvasElement)
  }
}
const seen: { bridge: FakeBridge | null } = { bridge: null }
export const MovingTheThreshold: Story = {
  args: { world: at(126_000), bridge: (bridge) => (seen.bridge = bridge) },
  play: async (context) => {
    const details = within(await openDetails(context))
    const slider = details.getByRole('slider', { name: 'Threshold of this model' })
    await expect(slider).toHaveAttribute('aria-valuetext', '70 %')
    await expect([markAt('warning'), markAt('threshold'), markAt('ceiling')]).toEqual([120_000, 150_000, 191_808])
    slider.focus()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    await expect(slider).toHaveAttribute('aria-valuetext', '80 %')
    // At once: the marks do not wait for main, nor for an answer.
    await expect([markAt('warning'), markAt('threshold')]).toEqual([140_000, 170_000])
    await waitFor(() => expect(seen.bridge?.world.settings.modelThresholds).toEqual({ [MODEL]: 0.8 }))
    await expect(context.canvas.getByTestId('budget-countdown')).toHaveTextContent('rolls over in 22 %')
    await userEvent.keyboard('{End}')
    await expect(slider).toHaveAttribute('aria-valuetext', 'off')
    await expect(details.getByText(/Nothing is done before the end: the window stops at 95 %/)).toBeVisible()
    await waitFor(() => expect(seen.bridge?.world.settings.modelThresholds).toEqual({ [MODEL]: 1 }))
    await userEvent.click(details.getByRole('button', { name: 'Use the default, 70 %' }))
    await waitFor(() => expect(seen.bridge?.world.settings.modelThresholds).toEqual({}))
    await expect(slider).toHaveAttribute('aria-valuetext', '70 %')
    await expectSound(context.canvasElement)
  }
}
export const EmptyAfterARollover: Story = {
  args: { world: at(152_000), bridge: (bridge) => (seen.bridge = bridge) },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('budget-countdown')).toBeVisible())
    const boundary = rowSource('b').boundary('rollover')
    const row = { ...boundary, metadata: { ...boundary.metadata, historySequence: 3 } }
    seen.bridge?.sessionOf('ws-1').emit({ type: 'row-appended', row })
    await waitFor(() =>
      expect(canvas.getByTestId('context-meter')).toHaveTextContent('200,000 tokens, not measured yet')
    )
    await expect(canvas.queryByTestId('budget-countdown')).toBeNull()
    await expect(canvas.getByTestId('rollover-divider')).toBeVisible()
    await expectSound(canvasElement)
  }
}
export const MeterOfACompaction: Story = {
  args: { world: at(126_000, { settings: defaultSettings() }) },
  play: async (context) => {
    const details = within(await openDetails(context))
    await waitFor(() =>
      expect(details.getByText(/The window compacts at 75 %: a model writes a summary/)).toBeVisible()
    )
    await expectSound(context.canvasElement)
    await userEvent.click(details.getByRole('button', { name: 'Roll over instead' }))
    await waitFor(() => expect(page().getByRole('switch', { name: 'Token-budget windows' })).toBeVisible())
  }
}
export const SectionsThatCannotBeCounted: Story = {
  args: {
    world: at(126_000, {
      failures: { 'context.sections': { kind: 'refused', message: 'The agent “review” is not there any more.' } }
    })
  },
  play: async (context) => {
    const details = await openDetails(context)
    await waitFor(() => expect(within(details).getByRole('button', { name: 'Count again' })).toBeVisible())
    await expectSound(context.canvasElement)
  }
}
