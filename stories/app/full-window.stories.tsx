// What a person meets where a window is full (U-3, U-4, U-10, G-1, P-8): blocked states, a paused turn, the rows that the
// app writes, the experiment and its offer.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { IDLE_STATUS } from '../../src-renderer/store/session-state'
import type { FakeBridge } from '../../src-renderer/testing/fake-bridge'
import { rowSource } from '../../src-renderer/testing/row-builders'
import { rowOf } from '../../src-renderer/testing/session-builders'
import { AppStory } from './app-story'
import { settings, world } from './budget-worlds'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { CONVERSATION, emptyWorld, openWorld, queued, RUNNING, USAGE } from './worlds'

const meta = {
  title: 'App/Full window',
  component: AppStory,
  parameters: { layout: 'fullscreen' }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Context = Parameters<NonNullable<Story['play']>>[0]

const page = () => within(document.body)
const seen: { bridge: FakeBridge | null } = { bridge: null }

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
        queued('m1', '', { source: 'machine', machine: 'continue' }),
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
