import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { reasoning, rowSource, step, text, toolDone, toolPart } from '../src-renderer/testing/row-builders'
import { ANSWER, ARABIC, DIFF, HEBREW_REQUEST, TEST_OUTPUT } from '../src-renderer/testing/sample-texts'
import { checkStory } from './support/check-story'
import { IDLE, streamingStatus, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Transcript',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

function conversation() {
  const from = rowSource()
  return [
    from.person(
      'The client seems to retry far too often when the API is overloaded. Can you find out why, and fix it?'
    ),
    from.assistant([
      reasoning('The person sees too many retries. **First** look at where retries happen.\nThen count them.'),
      text('I will look for the places that retry.'),
      toolDone(
        'grep',
        { pattern: 'retry', path: 'src' },
        { matches: [], total: 14, truncated: false },
        { durationMs: 84 }
      ),
      toolDone(
        'file_read',
        { path: 'src/net/client.ts', offset: 10, limit: 71 },
        { path: 'src/net/client.ts', content: '', first_line: 10, last_line: 80, total_lines: 120 },
        { durationMs: 12 }
      ),
      step(1),
      text(ANSWER),
      step(2)
    ]),
    from.person('Yes, do that. Run the tests too.'),
    from.assistant(
      [
        toolDone(
          'file_edit',
          { path: 'src/net/client.ts', old_string: 'a', new_string: 'b' },
          { path: 'src/net/client.ts', diff: DIFF, added: 6, removed: 4, replacements: 1 },
          { durationMs: 31 }
        ),
        toolPart(
          'bash',
          { command: 'npm test -- --run' },
          { state: 'output-available', output: { exit_code: 1, output: TEST_OUTPUT }, durationMs: 4_230 }
        ),
        step(3),
        text(
          'One test fails, in `torn-lines.test.ts`; it is unrelated to this change and failed before it. Everything about retries passes: **a 529 now costs at most 4 requests**.'
        ),
        step(4)
      ],
      { durationMs: 41_800, costUsd: 0.1184 }
    ),
    from.boundary('rollover'),
    from.machine('continue', 'Continue with the request of the person.'),
    from.person('Good. Now the torn lines.'),
    from.assistant([
      text('I start with the test that fails.'),
      toolDone(
        'bash',
        { command: 'npx vitest run src/history/torn-lines.test.ts' },
        { exit_code: 0, output: 'ok' },
        { durationMs: 1_930 }
      ),
      step(5)
    ])
  ]
}

/** A session across a rollover, as it looks at rest. */
export const Conversation: Story = { args: { rows: conversation(), hasOlder: false } }
export const ConversationLight: Story = { ...Conversation, beforeEach: withTheme('light') }
export const ConversationPhone: Story = { ...Conversation, globals: PHONE }
export const ConversationPhoneLight: Story = { ...Conversation, globals: PHONE, beforeEach: withTheme('light') }

export const Empty: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByTestId('transcript')).toHaveTextContent('Nothing here yet')
  }
}

export const Loading: Story = { args: { state: { kind: 'loading' } } }

export const Failed: Story = {
  args: {
    state: {
      kind: 'failed',
      message: 'The history of this workspace cannot be read: permission denied. Check the folder, then open it again.'
    }
  }
}

export const Streaming: Story = {
  args: {
    rows: conversation().slice(0, 3),
    status: streamingStatus(),
    liveRow: rowSource('live').assistant([text('The outer loop is gone. Next I look at **the tests that cover')])
  }
}

export const RightToLeft: Story = {
  args: { rows: [rowSource('a').person(HEBREW_REQUEST), rowSource('b').assistant([text(ARABIC)])], status: IDLE }
}
