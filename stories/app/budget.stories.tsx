// The token budget in the app (U-5, U-6, U-10, G-1, P-8): the countdown, the meter and its threshold, blocked states,
// a paused turn, the experiment and its offer.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import type { ContextSections } from '@common/contract/context-views'
import { defaultSettings, type Settings } from '@common/settings/settings-schema'
import { IDLE_STATUS } from '../../src-renderer/store/session-state'
import type { FakeBridge } from '../../src-renderer/testing/fake-bridge'
import type { FakeWorld, SessionSeed } from '../../src-renderer/testing/fake-world'
import { rowSource } from '../../src-renderer/testing/row-builders'
import { rowOf } from '../../src-renderer/testing/session-builders'
import { withTheme } from '../support/variants'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { CONVERSATION, emptyWorld, openWorld, queued, RUNNING, USAGE } from './worlds'

const meta = {
  title: 'App/Budget',
  component: AppStory,
  parameters: { layout: 'fullscreen' }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)
const MODEL = 'anthropic:claude-sonnet-4-5'
const settings = (changes: Partial<Settings> = {}): Settings => ({
  ...defaultSettings(),
  experiments: { tokenBudget: true },
  ...changes
})
const SECTIONS: ContextSections = {
  windowId: 'w:0',
  model: MODEL,
  sections: {
    system: 1_840,
    memories: 612,
    notes: 1_204,
    tools: 5_310,
    messages: 38_204,
    toolResults: 84_120,
    files: 1_024
  },
  tokens: 132_314,
  estimated: true,
  outputReserve: 8_192
}

function world(snapshot: SessionSeed['snapshot'] = {}, changes: Partial<FakeWorld> = {}) {
  return () => openWorld(snapshot, { settings: settings(), sections: { 'ws-1': SECTIONS }, ...changes })
}
const at = (contextTokens: number, changes: Partial<FakeWorld> = {}, snapshot: SessionSeed['snapshot'] = {}) =>
  world({ usage: { ...USAGE, contextTokens }, ...snapshot }, changes)

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
    await waitFor(() => expect(canvas.getByTestId('context-meter')).toHaveTextContent('200,000 tokens, empty'))
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

function blocked(reason: string, message: string, rows = CONVERSATION) {
  const lastProblem = { outcome: 'context_budget_blocked' as const, reason, message }
  return () =>
    openWorld(
      {},
      {
        settings: settings(),
        sessions: { 'ws-1': { rows, snapshot: { usage: USAGE, status: { ...IDLE_STATUS, lastProblem } } } }
      }
    )
}
const banner = ({ canvas }: Context) => waitFor(() => canvas.getByTestId('budget-blocked'))

export const BlockedByTheAgent: Story = {
  args: {
    world: blocked(
      'history_access',
      'The context window is full and this agent may not use session_history, so a fresh window would lose what was said. Allow session_history for the agent, or begin a fresh window yourself with /clear --soft.'
    )
  },
  play: async (context) => {
    const strip = within(await banner(context))
    await expectSound(context.canvasElement)
    await userEvent.click(strip.getByRole('button', { name: 'Choose an agent' }))
    await waitFor(() => expect(page().getByRole('menu', { name: /Agent/ })).toBeVisible())
    await userEvent.keyboard('{Escape}')
    await userEvent.click(strip.getByRole('button', { name: 'Begin a fresh window' }))
    await waitFor(() => expect(context.canvas.getByTestId('reset-divider')).toBeVisible())
  }
}
export const BlockedByTheAgentPhone: Story = {
  ...BlockedByTheAgent,
  globals: PHONE,
  play: async (context) => {
    await banner(context)
    await expectSound(context.canvasElement)
  }
}
export const BlockedWithAutomaticOff: Story = {
  args: {
    world: blocked(
      'automatic_off',
      'The conversation holds about 192k tokens, the model takes 192k, and automatic rollover is off for it. Lower the threshold in the settings, or begin a fresh window with /clear --soft.'
    )
  },
  play: async (context) => {
    const strip = within(await banner(context))
    await expectSound(context.canvasElement)
    await userEvent.click(strip.getByRole('button', { name: 'Set the threshold' }))
    await waitFor(() => expect(page().getByRole('slider', { name: 'Threshold of every model' })).toBeVisible())
  }
}
const CAPSULE = rowOf('r3', 'assistant', [], 3)
const REJECTED = [
  ...CONVERSATION,
  {
    ...CAPSULE,
    metadata: {
      ...CAPSULE.metadata,
      machine: {
        type: 'rejected-input',
        reason: 'fresh_request_too_large',
        message: 'This message is about 240k tokens and the model takes 192k. Shorten it, or remove attachments.',
        parts: [
          { type: 'text', text: 'Look through this log, please.' },
          {
            type: 'file',
            mediaType: 'text/plain',
            url: `attachment:${'c'.repeat(64)}`,
            filename: 'everything.log',
            bytes: 960_000
          }
        ]
      }
    }
  }
]
export const BlockedMessage: Story = {
  args: {
    world: blocked(
      'fresh_request_too_large',
      'This message is about 240k tokens and the model takes 192k. Shorten it, or remove attachments.',
      REJECTED
    )
  },
  play: async (context) => {
    const { canvas, canvasElement } = context
    const strip = within(await banner(context))
    await waitFor(() => expect(canvas.getByTestId('rejected-input')).toHaveTextContent('Not sent.'))
    await expect(within(canvas.getByTestId('rejected-input')).queryByTestId('row-retry')).toBeNull()
    await expectSound(canvasElement)
    await userEvent.click(strip.getByRole('button', { name: 'Edit the message' }))
    await waitFor(() => expect(canvas.getByTestId('composer')).toHaveValue('Look through this log, please.'))
    await expect(canvas.getByTestId('composer')).toHaveFocus()
    await expect(canvas.getByRole('list', { name: 'Attachments' })).toHaveTextContent('everything.log')
  }
}
export const BlockedMessagePhone: Story = { ...BlockedMessage, globals: PHONE }

const PAUSED = CONVERSATION.map((row, index) =>
  index === CONVERSATION.length - 1 ? { ...row, metadata: { ...row.metadata, pausedFor: 'rollover' as const } } : row
)
export const Paused: Story = {
  args: { world: () => openWorld({}, { settings: settings(), sessions: { 'ws-1': { rows: PAUSED } } }) },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('row-paused')).toBeVisible())
    await expect(canvas.getByTestId('row-paused')).toHaveTextContent('paused · continues with your next message')
    await expectSound(canvasElement)
  }
}
export const PausedPhone: Story = { ...Paused, globals: PHONE }

const rolled = rowSource('w')
const ROLLED_OVER = [
  rolled.person('Find the number of the ticket, then fix it.'),
  rolled.machine(
    'context-budget-warning',
    'This context window is 83 % used: about 125000 of 150000 tokens before it rolls over. Write or update your notes in /memories/workspace/context-notes.md with the memory tool now.'
  ),
  rolled.machine('continue', ''),
  rolled.boundary('rollover', { notesCarried: true }),
  rolled.machine(
    'context-window-lead-in',
    'The context window before this one was full, so it rolled over and a fresh window began here. What was said so far stands whole in window w:0.'
  ),
  rolled.machine('continue', '')
]
/** What the app wrote: one line each, opened by the keyboard; a lead-in only for those who asked for it. */
export const MachineRows: Story = {
  args: {
    world: () =>
      openWorld({}, { settings: settings({ machineRows: true }), sessions: { 'ws-1': { rows: ROLLED_OVER } } })
  },
  play: async ({ canvas, canvasElement }) => {
    const leadIn = await waitFor(() => canvas.getByRole('button', { name: /Lead-in of this window/ }))
    leadIn.focus()
    await userEvent.keyboard(' ')
    await expect(leadIn).toHaveAttribute('aria-expanded', 'true')
    const warning = within(canvas.getByTestId('budget-warning')).getByTestId('row-machine')
    warning.focus()
    await userEvent.keyboard('{Enter}')
    await expect(warning).toHaveAttribute('aria-expanded', 'true')
    await expect(canvas.getByText(/Write or update your notes in/)).toBeVisible()
    await expect(canvas.getAllByTestId('row-machine')).toHaveLength(4)
    await expectSound(canvasElement)
  }
}
export const MachineRowsPhone: Story = { ...MachineRows, globals: PHONE }
export const MachineRowsUsually: Story = {
  args: { world: () => openWorld({}, { settings: settings(), sessions: { 'ws-1': { rows: ROLLED_OVER } } }) },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByTestId('rollover-divider')).toBeVisible())
    await expect(canvas.queryByRole('button', { name: /Lead-in/ })).toBeNull()
  }
}

export const GoesOnByItself: Story = {
  args: {
    world: world({
      status: RUNNING,
      queue: [
        queued('q1', 'Then write the test.'),
        queued('m1', '', { source: 'machine', machine: 'continue', dedupeKey: 'continue' }),
        queued('q2', 'Then the docs.', { mode: 'turn-end' })
      ]
    })
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')).toHaveLength(2))
    await expect(canvas.getByTestId('queue-machine')).toBeVisible()
    await expectSound(canvasElement)
  }
}

async function openExperiments({ canvas, canvasElement }: Context) {
  await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
  await userEvent.keyboard('{Control>},{/Control}')
  await userEvent.click(await waitFor(() => page().getByRole('tab', { name: 'Experiments' })))
  const panel = await waitFor(() => page().getByRole('tabpanel', { name: 'Experiments' }))
  await expectSound(canvasElement)
  return within(panel)
}
export const Experiments: Story = {
  args: { world: () => openWorld(), bridge: (bridge) => (seen.bridge = bridge) },
  play: async (context) => {
    const panel = await openExperiments(context)
    const experiments = () => seen.bridge?.world.settings.experiments
    const toggle = panel.getByTestId('experiment-tokenBudget')
    await expect(toggle).not.toBeChecked()
    await userEvent.click(panel.getByRole('button', { name: 'Switch off there too' }))
    await waitFor(() => expect(experiments()).toEqual({ tokenBudget: false }))
    await userEvent.click(await waitFor(() => panel.getByRole('button', { name: 'Leave on there' })))
    await waitFor(() => expect(experiments()).toEqual({}))
    toggle.focus()
    await userEvent.keyboard(' ')
    await waitFor(() => expect(toggle).toBeChecked())
    await expect(experiments()).toEqual({ tokenBudget: true })
    const slider = panel.getByRole('slider', { name: 'Threshold of every model' })
    slider.focus()
    await userEvent.keyboard('{Home}')
    await waitFor(() => expect(seen.bridge?.world.settings.autoThreshold).toBe(0.2))
    await userEvent.keyboard('{End}')
    await waitFor(() => expect(seen.bridge?.world.settings.autoThreshold).toBe(1))
    await expectSound(context.canvasElement)
  }
}
export const ExperimentsPhone: Story = {
  args: { world: () => openWorld() },
  globals: PHONE,
  play: async (context) => void (await openExperiments(context))
}

export const Offer: Story = {
  args: { world: () => emptyWorld(), bridge: (bridge) => (seen.bridge = bridge) },
  play: async ({ canvas, canvasElement }) => {
    const offer = await waitFor(() => canvas.getByTestId('window-offer'))
    await waitFor(() => expect(canvas.getByText(/It sends with token-budget windows on\./)).toBeVisible())
    await expectSound(canvasElement)
    await userEvent.click(within(offer).getByRole('button', { name: 'Turn on for every model' }))
    await waitFor(() => expect(canvas.queryByTestId('window-offer')).toBeNull())
    await expect(seen.bridge?.world.settings.experiments).toEqual({ tokenBudget: true })
  }
}
export const OfferPhone: Story = {
  args: { world: () => emptyWorld(), bridge: (bridge) => (seen.bridge = bridge) },
  globals: PHONE,
  play: async ({ canvas, canvasElement }) => {
    const offer = await waitFor(() => canvas.getByTestId('window-offer'))
    const composer = canvas.getByTestId('composer').getBoundingClientRect()
    await expect(composer.bottom).toBeLessThanOrEqual(innerHeight)
    await expectSound(canvasElement)
    await userEvent.click(within(offer).getByRole('button', { name: 'Do not offer this again' }))
    await waitFor(() => expect(canvas.queryByTestId('window-offer')).toBeNull())
    await expect(seen.bridge?.world.settings).toMatchObject({ dismissedOffers: ['tokenBudget'], experiments: {} })
  }
}
