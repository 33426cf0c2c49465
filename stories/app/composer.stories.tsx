// The composer in every state that a person meets (U-8, T-2), each in the whole app.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { IDLE_STATUS } from '../../src-renderer/store/session-state'
import { workspaceView } from '../../src-renderer/testing/session-builders'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld, queued, RUNNING } from './worlds'

const meta = {
  component: AppStory,
  parameters: { layout: 'fullscreen' },
  play: async ({ canvasElement, canvas }) => {
    await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
    await waitFor(() => expect(canvas.getByTestId('model-picker')).toBeVisible())
    await expectSound(canvasElement)
  }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>

const problem = (outcome: 'failed' | 'context_budget_blocked', reason: string, message: string) => ({
  status: { ...IDLE_STATUS, lastProblem: { outcome, reason, message } }
})
const RETRY = {
  ...RUNNING,
  retry: {
    attempt: 1,
    retryAtMs: Date.now() + 9_000,
    failure: {
      kind: 'overloaded' as const,
      message: 'Anthropic is overloaded (529).',
      statusCode: 529,
      retryAfterMs: null,
      retryable: true
    }
  }
}

export const Draft: Story = {
  args: { world: () => openWorld({ draft: 'Look at append-rows.ts and\nexplain the order of the writes.' }) },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() =>
      expect(canvas.getByTestId('composer')).toHaveValue('Look at append-rows.ts and\nexplain the order of the writes.')
    )
    await expect(canvas.getByTestId('composer-send')).toBeEnabled()
    await expectSound(canvasElement)
  }
}
export const LongDraft: Story = {
  args: {
    world: () =>
      openWorld({ draft: Array.from({ length: 60 }, (_, n) => `line ${n + 1} of a long message`).join('\n') })
  },
  play: async ({ canvas, canvasElement }) => {
    const field = await waitFor(() => canvas.getByTestId('composer'))
    await waitFor(() => expect(field.getBoundingClientRect().height).toBeGreaterThan(1_000))
    await expect(canvas.getByTestId('composer-send').getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
    await expectSound(canvasElement)
  }
}
export const LongDraftPhone: Story = { ...LongDraft, globals: PHONE }
export const RightToLeft: Story = { args: { world: () => openWorld({ draft: 'מה יש בפרויקט הזה? קרא את README' }) } }
export const Running: Story = {
  args: { world: () => openWorld({ status: RUNNING }) },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('composer-stop')).toBeVisible())
    await expectSound(canvasElement)
  }
}
export const RunningPhone: Story = { ...Running, globals: PHONE }

const QUEUE = [
  queued('q1', 'Then write a test that cuts the file at every byte.'),
  queued('m1', '', { source: 'machine', machine: 'continue' }),
  queued('q2', 'When all of it is green, summarise what changed for the release notes and name the files by path.', {
    mode: 'turn-end'
  }),
  queued('q3', 'Then the docs.', { mode: 'turn-end' })
]
export const Queue: Story = {
  args: { world: () => openWorld({ status: RUNNING, queue: QUEUE }) },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')).toHaveLength(3))
    await expectSound(canvasElement)
    const first = within(canvas.getAllByTestId('queue-entry')[0] as HTMLElement)
    first.getByRole('button', { name: /Move/ }).focus()
    await userEvent.keyboard('{ArrowDown}')
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')[1]).toHaveTextContent('cuts the file'))
    const moved = within(canvas.getAllByTestId('queue-entry')[1] as HTMLElement)
    await waitFor(() => expect(moved.getByRole('button', { name: /Move/ })).toHaveFocus())
    await userEvent.click(moved.getByRole('button', { name: 'Edit' }))
    const editor = moved.getByRole('textbox', { name: 'Queued message' })
    await userEvent.clear(editor)
    await userEvent.type(editor, 'Only the receipt.{Enter}')
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')[1]).toHaveTextContent('Only the receipt.'))
    await userEvent.click(
      within(canvas.getAllByTestId('queue-entry')[0] as HTMLElement).getByRole('button', { name: 'Remove' })
    )
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')).toHaveLength(2))
  }
}
export const QueuePhone: Story = {
  ...Queue,
  globals: PHONE,
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')).toHaveLength(3))
    await expectSound(canvasElement)
  }
}
/** T-2: what was queued before a crash comes back held, and only the person sends it. */
export const HeldAfterRestart: Story = {
  args: {
    world: () =>
      openWorld({
        queue: [
          queued('q1', 'Then write a test that cuts the file at every byte.', { held: true }),
          queued('q2', 'And the docs.', { held: true })
        ]
      })
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getAllByText(/came back after a restart/)).toHaveLength(2))
    await expectSound(canvasElement)
    await userEvent.click(canvas.getAllByRole('button', { name: 'Send' })[0] as HTMLElement)
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')).toHaveLength(1))
  }
}
export const BudgetBlocked: Story = {
  args: {
    world: () =>
      openWorld(
        problem(
          'context_budget_blocked',
          'overhead',
          'Instructions and tools alone fill 19,800 of 24,000 tokens, so no message fits. Choose a model with a larger limit.'
        )
      )
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('budget-blocked')).toBeVisible())
    await expectSound(canvasElement)
    await userEvent.click(canvas.getByRole('button', { name: 'Choose a model' }))
    await waitFor(() => expect(within(document.body).getByRole('combobox', { name: 'Models' })).toBeVisible())
  }
}
export const BudgetBlockedPhone: Story = {
  ...BudgetBlocked,
  globals: PHONE,
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('budget-blocked')).toBeVisible())
    await expectSound(canvasElement)
  }
}
export const Retrying: Story = { args: { world: () => openWorld({ status: RETRY }) } }
export const KeyRefused: Story = {
  args: {
    world: () => openWorld(problem('failed', 'auth', 'Anthropic refused the key (401).'))
  },
  play: async ({ canvas, canvasElement }) => {
    await userEvent.click(await waitFor(() => canvas.getByRole('button', { name: 'Open settings' })))
    // The dialog is a chunk of its own: a busy machine reads it late.
    await within(document.body).findByRole('dialog', { name: 'Settings' }, { timeout: 5_000 })
    await expectSound(canvasElement)
  }
}
export const Failed: Story = {
  args: {
    world: () =>
      openWorld(
        problem(
          'failed',
          'network',
          'The connection to Anthropic broke before an answer. Check the network, then try again.'
        )
      )
  }
}
export const FailedPhone: Story = { ...Failed, globals: PHONE }
export const ModelWithoutKey: Story = {
  args: { world: () => openWorld({}, { workspaces: [workspaceView({ rows: 2, model: 'openai:gpt-5' })] }) }
}
/** Text stays in the field until main took it. */
export const SendRefused: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        {
          failures: {
            'turn.send': {
              kind: 'locked',
              message: 'Another Tidemark runs a turn here. Wait for it, or stop it there.'
            }
          }
        }
      )
  },
  play: async ({ canvas }) => {
    const field = await waitFor(() => canvas.getByTestId('composer'))
    await userEvent.type(field, 'Do not lose this{Enter}')
    await waitFor(() =>
      expect(within(document.body).getAllByText(/Another Tidemark runs a turn here/)[0]).toBeVisible()
    )
    await expect(field).toHaveValue('Do not lose this')
  }
}
export const SendAndStop: Story = {
  args: { world: () => openWorld({}, { stepDelayMs: 40 }) },
  play: async ({ canvas }) => {
    const field = await waitFor(() => canvas.getByTestId('composer'))
    await userEvent.type(field, 'Go on{Shift>}{Enter}{/Shift}please{Enter}')
    await waitFor(() => expect(field).toHaveValue(''))
    await waitFor(() => expect(canvas.getByTestId('composer-stop')).toBeVisible())
    await userEvent.type(field, 'and then the docs{Enter}')
    await userEvent.type(field, 'and the release{Control>}{Enter}{/Control}')
    await waitFor(() => expect(canvas.getAllByTestId('queue-entry')).toHaveLength(2))
    await expect(canvas.getAllByTestId('queue-entry')[1]).toHaveTextContent('after the turn')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(canvas.queryByTestId('composer-stop')).toBeNull())
    await userEvent.click(field)
    await userEvent.keyboard('{ArrowUp}')
    await expect(field).toHaveValue('Go on\nplease')
    await userEvent.keyboard('{ArrowDown}')
    await expect(field).toHaveValue('')
  }
}
export const NamingAFile: Story = {
  args: { world: () => openWorld() },
  play: async ({ canvas, canvasElement }) => {
    const field = await waitFor(() => canvas.getByTestId('composer'))
    await userEvent.type(field, 'Explain @append')
    await waitFor(() => expect(canvas.getAllByRole('option')).toHaveLength(2))
    await expectSound(canvasElement)
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect(field).toHaveValue('Explain @src/history/append-receipt.ts ')
    await expect(canvas.queryByRole('listbox')).toBeNull()
  }
}
export const Attachments: Story = {
  args: { world: () => openWorld() },
  play: async ({ canvas, canvasElement }) => {
    const field = await waitFor(() => canvas.getByTestId('composer'))
    await userEvent.type(field, 'What is wrong here?')
    const long = 'x'.repeat(140_000)
    await userEvent.click(field)
    await userEvent.paste(long)
    await userEvent.upload(canvas.getByLabelText('Files to attach'), [
      new File([new Uint8Array(2_400)], 'crash.log', { type: 'text/plain' }),
      new File([new Uint8Array(40)], 'a-screenshot-with-a-very-long-name-that-has-to-be-cut.png', { type: 'image/png' })
    ])
    await waitFor(() => expect(canvas.getByRole('list', { name: 'Attachments' }).children).toHaveLength(3))
    await expect(field).toHaveValue('What is wrong here?')
    await waitFor(() => expect(canvas.queryByText('adding')).toBeNull())
    await expectSound(canvasElement)
    await userEvent.click(canvas.getByRole('button', { name: 'Remove crash.log' }))
    await expect(canvas.getByRole('list', { name: 'Attachments' }).children).toHaveLength(2)
  }
}
export const DroppedFile: Story = {
  args: { world: () => openWorld() },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['boom'], 'crash.log', { type: 'text/plain' }))
    const target = canvas.getByTestId('transcript')
    target.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    await waitFor(() => expect(canvas.getByRole('list', { name: 'Attachments' })).toHaveTextContent('crash.log4 B'))
  }
}
export const AttachmentsPhone: Story = { ...Attachments, globals: PHONE }
export const ChoosingAModel: Story = {
  args: { world: () => openWorld() },
  play: async ({ canvas, canvasElement }) => {
    await userEvent.click(await waitFor(() => canvas.getByTestId('model-picker')))
    const page = within(document.body)
    const filter = await waitFor(() => page.getByRole('combobox', { name: 'Models' }))
    await waitFor(() => expect(page.getByText('OpenAI has no key yet')).toBeVisible())
    await expectSound(canvasElement)
    await userEvent.type(filter, 'opus{Enter}')
    await waitFor(() => expect(canvas.getByTestId('model-picker')).toHaveTextContent('Claude Opus 4.5'))
  }
}
