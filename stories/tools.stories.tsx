import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import type { ToolPart } from '@common/rows/row-schema'
import { rowSource, text, toolDone, toolPart } from '../src-renderer/testing/row-builders'
import { DIFF, LONG_WORD, TEST_OUTPUT } from '../src-renderer/testing/sample-texts'
import { NO_LIVE_STATE } from '../src-renderer/transcript/live-state'
import { checkStory } from './support/check-story'
import { NO_ACTIONS, streamingStatus, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Tools',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

/** A story of stored calls; its cards are opened. */
function opened(...parts: ToolPart[]): Story {
  return {
    args: { rows: [rowSource().assistant(parts)] },
    play: async ({ canvas, userEvent }) => {
      const cards = await canvas.findAllByTestId(/^tool-card-/)
      for (const card of cards) {
        const line = card.querySelector('button')
        if (line === null) throw new Error('A card has no line to open')
        await userEvent.click(line)
        await expect(line).toHaveAttribute('aria-expanded', 'true')
      }
    }
  }
}

/** A story of one running call. */
function running(part: ToolPart, output: string): Story {
  return {
    args: {
      status: streamingStatus(),
      liveRow: rowSource('live').assistant([text('I run it.'), { ...part, startedAtMs: Date.now() - 12_000 }]),
      live: { ...NO_LIVE_STATE, toolOutputs: { [part.toolCallId]: output } }
    },
    play: async ({ canvas, userEvent }) => {
      await userEvent.click(canvas.getByRole('button', { name: /running/ }))
    }
  }
}

const testRun = toolPart('bash', { command: 'npm test -- --run --reporter=dot' })

export const BashDone = opened(
  toolDone(
    'bash',
    { command: 'git log --oneline -3' },
    {
      exit_code: 0,
      output:
        '1aeb03c feat(rows): turn rows into display items\n8bc01c3 test(shell): prove the security rules\nad50b2e feat(tools): cap results at the door\n'
    },
    { durationMs: 38 }
  ),
  toolDone('bash', { command: 'true', timeout_secs: 5 }, { exit_code: 0, output: '' })
)
export const BashFailed = opened(
  toolPart(
    'bash',
    { command: 'npm test -- --run' },
    { state: 'output-available', output: { exit_code: 1, output: TEST_OUTPUT }, durationMs: 4_230 }
  )
)
export const BashFailedPhone: Story = { ...BashFailed, globals: PHONE }
export const BashTimedOut = opened(
  toolDone(
    'bash',
    { command: 'sleep 600', timeout_secs: 2 },
    { exit_code: null, output: 'waiting for the lock…\n', timed_out: true },
    { durationMs: 2_010 }
  )
)
export const BashBackground = opened(
  toolDone(
    'bash',
    { command: 'npm run dev', run_in_background: true },
    { exit_code: null, output: '', background: { pid: 48_113, log: '~/.tidemark/workspaces/7f/spill/bash-3.log' } }
  )
)
export const BashRunning = running(testRun, TEST_OUTPUT.repeat(6))
export const BashRunningPhone: Story = { ...BashRunning, globals: PHONE }
export const BashRunningSilent = running(testRun, '')
export const BashCapped: Story = {
  args: {
    rows: [
      rowSource().assistant([
        toolDone(
          'bash',
          { command: 'cat server.log' },
          { exit_code: 0, output: 'head of the log\n[… 1.2 MB left out …]\ntail of the log' },
          { outputSpill: { id: 'bash-9', bytes: 1_258_291 } }
        )
      ])
    ],
    actions: {
      ...NO_ACTIONS,
      onReadSpill: fn((_id: string, offset: number) =>
        Promise.resolve({
          ok: true as const,
          value: {
            text: `line ${offset}\n`.repeat(40),
            nextOffset: offset === 0 ? 262_144 : null,
            totalBytes: 1_258_291
          }
        })
      )
    }
  },
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: /server\.log/ }))
    await userEvent.click(canvas.getByRole('button', { name: 'Show whole' }))
    await expect(await canvas.findByText(/256 KB of 1\.2 MB/)).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Show more' }))
    await expect(await canvas.findByText('All 1.2 MB.')).toBeVisible()
    await expect(args.actions?.onReadSpill).toHaveBeenLastCalledWith('bash-9', 262_144)
  }
}

export const FileRead = opened(
  toolDone(
    'file_read',
    { path: 'src/net/client.ts', offset: 8, limit: 7 },
    {
      path: 'src/net/client.ts',
      content:
        '8\tconst MAX_ATTEMPTS = 4\n9\t\n10\t/** Sends a request again while that may help. */\n11\texport async function request(url: string, init: RequestInit = {}): Promise<Response> {\n12\t  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {\n13\t    const response = await fetch(url, init)\n14\t    if (response.ok) return response',
      first_line: 8,
      last_line: 14,
      total_lines: 120
    },
    { durationMs: 9 }
  )
)
export const FileEdit = opened(
  toolDone(
    'file_edit',
    { path: 'src/net/client.ts', old_string: 'a', new_string: 'b' },
    { path: 'src/net/client.ts', diff: DIFF, added: 6, removed: 4, replacements: 2 }
  ),
  toolDone(
    'file_write',
    { path: 'src/net/retry-error.ts', content: '' },
    {
      path: 'src/net/retry-error.ts',
      diff: '--- /dev/null\n+++ b/src/net/retry-error.ts\n@@ -0,0 +1,4 @@\n+// Owns the error of a request that was tried as often as allowed.\n+export class RetryError extends Error {\n+  readonly attempts = 4\n+}\n',
      added: 4,
      removed: 0,
      created: true,
      bytes: 132
    }
  )
)
export const FileEditLight: Story = { ...FileEdit, beforeEach: withTheme('light') }
export const FileEditPhone: Story = { ...FileEdit, globals: PHONE }
export const Glob = opened(
  toolDone(
    'glob',
    { pattern: 'src/**/*.test.ts' },
    {
      paths: ['src/net/client.test.ts', 'src/history/append-receipt.test.ts', 'src/history/torn-lines.test.ts'],
      total: 1_204,
      truncated: true
    }
  ),
  toolDone('glob', { pattern: '*.py' }, { paths: [], total: 0, truncated: false })
)
export const Grep = opened(
  toolDone(
    'grep',
    { pattern: 'MAX_ATTEMPTS', path: 'src' },
    {
      matches: [
        { path: 'src/net/client.ts', line: 8, text: 'const MAX_ATTEMPTS = 4' },
        {
          path: 'src/net/client.ts',
          line: 12,
          text: '  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {'
        },
        { path: 'src/net/client.test.ts', line: 140, text: '    expect(calls).toBe(MAX_ATTEMPTS)' }
      ],
      total: 3,
      truncated: false
    }
  ),
  toolDone('grep', { pattern: 'nothing' }, { matches: [], total: 0, truncated: false })
)
export const GrepPhone: Story = { ...Grep, globals: PHONE }
export const Todo = opened(
  toolDone(
    'todo',
    {
      items: [
        { content: 'Take the outer loop away', status: 'completed' },
        { content: 'Honour the server’s wait', status: 'in_progress' },
        { content: 'Run the tests', status: 'pending' }
      ]
    },
    {
      items: [
        { content: 'Take the outer loop away', status: 'completed' },
        { content: 'Honour the server’s wait', status: 'in_progress' },
        { content: 'Run the tests', status: 'pending' }
      ]
    }
  )
)
export const AskUserAnswered = opened(
  toolDone(
    'ask_user',
    { question: 'Which of the two loops should stay?' },
    { answer: 'The inner one.' },
    { durationMs: 41_000 }
  )
)

const question = toolPart('ask_user', {
  question: 'The change breaks the public name `withRetry`. Keep it as an alias?',
  options: ['Keep an alias', 'Remove it', 'Deprecate it first']
})
export const AskUserWaiting: Story = {
  args: {
    status: streamingStatus(),
    liveRow: rowSource('live').assistant([text('One thing before I go on.'), question]),
    live: {
      ...NO_LIVE_STATE,
      questions: [
        {
          questionId: 'q1',
          toolCallId: question.toolCallId,
          question: 'The change breaks the public name `withRetry`. Keep it as an alias?',
          options: ['Keep an alias', 'Remove it', 'Deprecate it first']
        }
      ]
    },
    actions: { ...NO_ACTIONS, onAnswer: fn() }
  },
  play: async ({ canvas, userEvent, args }) => {
    await expect(document.activeElement).toBe(document.body)
    await userEvent.type(canvas.getByLabelText('Or in your own words'), 'Keep it for a year')
    await userEvent.click(canvas.getByRole('button', { name: 'Answer' }))
    await expect(args.actions?.onAnswer).toHaveBeenCalledWith('q1', 'Keep it for a year')
    await expect(canvas.getByRole('button', { name: 'Remove it' })).toBeDisabled()
  }
}
export const AskUserWaitingPhone: Story = { args: AskUserWaiting.args ?? {}, globals: PHONE }

export const States = opened(
  toolPart(
    'file_edit',
    { path: 'src/net/client.ts', old_string: 'x', new_string: 'y' },
    {
      state: 'output-error',
      errorText: 'old_string is not in src/net/client.ts. Read the file again and use its exact text.',
      durationMs: 12
    }
  ),
  toolPart(
    'bash',
    { command: 'rm -rf build' },
    { state: 'output-denied', errorText: 'The person said no: use the clean script.' }
  ),
  toolPart(
    'bash',
    { command: 'npm run build' },
    { state: 'interrupted', errorText: 'Stopped by the person after 12 s.', durationMs: 12_000 }
  ),
  toolPart('web_fetch', { url: 'https://example.org/api' })
)
export const StatesLight: Story = { ...States, beforeEach: withTheme('light') }
export const StatesPhone: Story = { ...States, globals: PHONE }

export const UnknownTools = opened(
  toolPart(
    'memory',
    { command: 'create', path: '/memories/workspace/context-notes.md', file_text: '- retries: inner loop stays\n' },
    { state: 'output-available', output: 'Created.', durationMs: 4 }
  ),
  toolPart(
    'session_history',
    { action: 'search', query: 'retry budget' },
    {
      state: 'output-available',
      output: {
        items: [{ item_id: 'i:41', window_id: 'w:0', snippet: '…the retry budget is spent twice…' }],
        exhausted: true
      },
      durationMs: 61
    }
  ),
  toolPart(
    'mcp__issues__create_issue',
    { title: 'Retries are counted twice', labels: ['bug'] },
    { state: 'output-available', output: { number: 118, url: 'https://example.org/118' }, durationMs: 811 }
  )
)
export const VeryLong = opened(
  toolPart(
    'bash',
    { command: `cat ${LONG_WORD} | ${'grep -v something | '.repeat(20)} wc -l` },
    { state: 'output-available', output: { exit_code: 0, output: `${LONG_WORD}\n`.repeat(3) } }
  ),
  toolPart(
    `mcp__${'a_server_with_a_long_name_'.repeat(4)}__tool`,
    { value: LONG_WORD },
    { state: 'output-available', output: LONG_WORD }
  )
)
export const VeryLongPhone: Story = { ...VeryLong, globals: PHONE }
