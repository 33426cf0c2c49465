// The tide line and the window that ended there: how many rows it holds, and whether they are as they were written
// (H-6, U-3).
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { rowSource, text } from '../src-renderer/testing/row-builders'
import type { WindowCheck } from '../src-renderer/transcript/dividers/window-check-texts'
import { windowChecker } from '../src-renderer/transcript/dividers/window-checker'
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

const onSearchWindows = fn()
const source = rowSource()
const ROWS = [
  source.person('Find out why the receipt is written twice.'),
  source.assistant([text('It is written before the rows are synced.')]),
  source.boundary('rollover'),
  source.person('Go on.'),
  source.assistant([text('I wrote the test.')])
]

/** `seen` when the divider comes into view, `read` when the person asks. */
function checked(seen: WindowCheck, read: WindowCheck, line: RegExp, answer: RegExp): Story {
  const ask = (_windowId: string, again: boolean) => Promise.resolve(again ? read : seen)
  return {
    args: { rows: ROWS, actions: { ...NO_ACTIONS, onSearchWindows, windowChecks: windowChecker(ask) } },
    play: async ({ canvas, userEvent }) => {
      await expect(await canvas.findByText(line)).toBeVisible()
      canvas.getByRole('button', { name: /Context window rollover/ }).focus()
      await userEvent.keyboard('{Enter}')
      canvas.getByTestId('verify-window').focus()
      await userEvent.keyboard('{Enter}')
      canvas.getByRole('button', { name: 'Search earlier windows' }).focus()
      await userEvent.keyboard('{Enter}')
      await expect(onSearchWindows).toHaveBeenCalled()
      for (const found of await canvas.findAllByText(answer)) await expect(found).toBeVisible()
    }
  }
}

const GOOD: WindowCheck = { kind: 'verified', rows: 147 }
const WRONG: WindowCheck = {
  kind: 'differs',
  rows: 147,
  message: 'Row 57 (line 12 of w-0.jsonl) is not what was written: something changed the file since.'
}
const FAILED: WindowCheck = {
  kind: 'failed',
  message: 'Could not verify the window (w-0.jsonl): the disk reports an error.'
}

export const Verified = checked(GOOD, GOOD, /147 rows · verified/, /147 rows as written/)
export const VerifiedPhone: Story = { ...Verified, globals: PHONE }
export const Differs = checked(WRONG, WRONG, /147 rows · not as written/, /Row 57/)
export const DiffersPhone: Story = { ...Differs, globals: PHONE }
export const DiffersLight: Story = { ...Differs, beforeEach: withTheme('light') }
export const DiffersSince = checked(GOOD, WRONG, /147 rows · verified/, /Row 57/)
export const Failed = checked(FAILED, FAILED, /could not be checked/, /disk reports/)
export const Checking: Story = {
  args: {
    rows: ROWS,
    actions: { ...NO_ACTIONS, windowChecks: windowChecker(() => new Promise<WindowCheck>(() => undefined)) }
  },
  play: async ({ canvas }) => expect(await canvas.findByText('checking')).toBeVisible()
}
