import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import type { ApprovalRequest } from '@common/tools/approval'
import { rowSource, text, toolPart } from '../src-renderer/testing/row-builders'
import { DIFF, LONG_WORD } from '../src-renderer/testing/sample-texts'
import { NO_LIVE_STATE } from '../src-renderer/transcript/live-state'
import { checkStory } from './support/check-story'
import { NO_ACTIONS, streamingStatus, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Tools approvals',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

function asking(
  toolName: string,
  input: unknown,
  approval: Pick<ApprovalRequest, 'subject' | 'reason' | 'workspaceGrant'>
): NonNullable<Story['args']> {
  const part = toolPart(toolName, input)
  return {
    status: streamingStatus(),
    liveRow: rowSource('live').assistant([text('This is the last step.'), part]),
    live: { ...NO_LIVE_STATE, approvals: [{ approvalId: 'a1', toolCallId: part.toolCallId, toolName, ...approval }] },
    actions: { ...NO_ACTIONS, onApproval: fn() }
  }
}

const command = asking(
  'bash',
  { command: 'npm publish --access public' },
  {
    subject: { kind: 'command', command: 'npm publish --access public', cwd: '/home/ada/code/receipts' },
    reason: 'The agent wants to run a command. In the mode “ask” every command asks.',
    workspaceGrant: 'commands that begin with npm publish'
  }
)
const change = asking(
  'file_edit',
  { path: 'src/net/client.ts', old_string: 'a', new_string: 'b' },
  {
    subject: { kind: 'change', path: 'src/net/client.ts', diff: DIFF, created: false },
    reason: 'The agent wants to change a file.',
    workspaceGrant: 'changes of files in this project'
  }
)

export const Command: Story = {
  args: command,
  play: async ({ canvas, userEvent, args }) => {
    // It takes no focus by itself: the person may be typing.
    await expect(document.activeElement).toBe(document.body)
    const order = [...canvas.getByRole('form', { name: 'Approval' }).querySelectorAll('button, input')]
    await expect(order.map((element) => element.textContent || element.getAttribute('placeholder'))).toEqual([
      'Allow once',
      'Allow for this workspace',
      'Why not, or what instead (optional)',
      'Deny'
    ])
    canvas.getByTestId('approval-allow').focus()
    await userEvent.keyboard('{Enter}')
    await expect(args.actions?.onApproval).toHaveBeenCalledWith('a1', { decision: 'once' })
    await expect(canvas.getByTestId('approval-deny')).toBeDisabled()
  }
}
export const CommandAtRest: Story = { args: command }
export const CommandLight: Story = { args: command, beforeEach: withTheme('light') }
export const CommandPhone: Story = { args: command, globals: PHONE }

export const ForTheWorkspace: Story = {
  args: command,
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Allow for this workspace' }))
    await expect(args.actions?.onApproval).toHaveBeenCalledWith('a1', { decision: 'workspace' })
  }
}

export const DeniedWithMessage: Story = {
  args: command,
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.type(canvas.getByLabelText('Message to the agent when denied'), 'Publish from CI.')
    await userEvent.click(canvas.getByTestId('approval-deny'))
    await expect(args.actions?.onApproval).toHaveBeenCalledWith('a1', {
      decision: 'deny',
      message: 'Publish from CI.'
    })
  }
}

export const Change: Story = { args: change }
export const ChangeLight: Story = { args: change, beforeEach: withTheme('light') }
export const ChangePhone: Story = { args: change, globals: PHONE }

export const Read: Story = {
  args: asking(
    'file_read',
    { path: '/etc/hosts' },
    {
      subject: { kind: 'read', path: '/etc/hosts' },
      reason: 'The file stands outside of the project.',
      workspaceGrant: null
    }
  )
}

export const Other: Story = {
  args: asking(
    'mcp__issues__close',
    { number: 118 },
    {
      subject: { kind: 'other', text: 'issues.close\n{ "number": 118 }' },
      reason: 'The tool acts outside of this computer.',
      workspaceGrant: 'issues.close'
    }
  )
}

export const VeryLong: Story = {
  args: asking(
    'bash',
    { command: 'x' },
    {
      subject: {
        kind: 'command',
        command: `cp ${LONG_WORD} \\\n  ${LONG_WORD}\nrm -rf ${LONG_WORD}`,
        cwd: `/home/ada/${LONG_WORD}`
      },
      reason: 'The command is on the list of destructive patterns (rm -rf), so it asks in every mode.',
      workspaceGrant: null
    }
  ),
  globals: PHONE
}
