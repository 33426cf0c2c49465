// The tide line opened to the window that ended there: its rows, and whether they are as they were written (H-6).
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { rowSource, text } from '../src-renderer/testing/row-builders'
import type { WindowCheck } from '../src-renderer/transcript/dividers/verify-texts'
import { checkStory } from './support/check-story'
import { NO_ACTIONS, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Window check',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

const source = rowSource()
const ROWS = [
  source.person('Find out why the receipt is written twice.'),
  source.assistant([text('It is written before the rows are synced.')]),
  source.boundary('rollover'),
  source.person('Go on.'),
  source.assistant([text('I wrote the test.')])
]

function checked(check: WindowCheck, words: RegExp): Story {
  return {
    args: {
      rows: ROWS,
      actions: {
        ...NO_ACTIONS,
        onEndedWindow: () => Promise.resolve({ windowId: 'w:0', rows: 147 }),
        onVerifyWindow: () => Promise.resolve(check)
      }
    },
    play: async ({ canvas, userEvent }) => {
      canvas.getByRole('button', { name: /Context window rollover/ }).focus()
      await userEvent.keyboard('{Enter}')
      await expect(await canvas.findByText('147 rows before this line')).toBeVisible()
      canvas.getByTestId('verify-window').focus()
      await userEvent.keyboard('{Enter}')
      await expect(await canvas.findByText(words)).toBeVisible()
    }
  }
}

export const Verified = checked({ kind: 'verified', rows: 147 }, /147 rows as written/)
export const VerifiedPhone: Story = { ...Verified, globals: PHONE }
export const Differs = checked(
  { kind: 'differs', message: 'The row #57 in line 12 is not what was written. Rows before it are.' },
  /#57 in line 12/
)
export const DiffersPhone: Story = { ...Differs, globals: PHONE }
export const DiffersLight: Story = { ...Differs, beforeEach: withTheme('light') }
export const Failed = checked(
  { kind: 'failed', message: 'The window could not be read: the disk failed.' },
  /disk failed/
)
