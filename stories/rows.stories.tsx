import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, waitFor, within } from 'storybook/test'
import { rowSource, step, text, reasoning, toolDone } from '../src-renderer/testing/row-builders'
import {
  ANSWER,
  ARABIC,
  EVERYTHING,
  HEBREW_REQUEST,
  LONG_REQUEST,
  LONG_WORD
} from '../src-renderer/testing/sample-texts'
import { checkStory } from './support/check-story'
import { IDLE, NO_ACTIONS, streamingStatus, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Rows',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

const from = () => rowSource()

export const PersonLong: Story = {
  args: { rows: [from().person(`The service died in the night. The log says:\n\n${LONG_REQUEST}`)] },
  play: async ({ canvas, userEvent }) => {
    const more = canvas.getByRole('button', { name: 'Show all 48 lines' })
    await userEvent.click(more)
    await expect(canvas.getByText(/45\.log/)).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Show less' })).toHaveFocus()
  }
}
export const PersonLongPhone: Story = { args: PersonLong.args ?? {}, globals: PHONE }

export const Attachments: Story = {
  args: {
    rows: [
      from().person('The table overflows at 375 px, see the picture.', {
        parts: [
          {
            type: 'file',
            mediaType: 'image/png',
            url: `attachment:${'a'.repeat(64)}`,
            filename: 'overflow.png',
            bytes: 48_211
          },
          {
            type: 'file',
            mediaType: 'image/png',
            url: `attachment:${'b'.repeat(64)}`,
            filename: 'gone.png',
            bytes: 48_211
          },
          {
            type: 'file',
            mediaType: 'application/pdf',
            url: `attachment:${'c'.repeat(64)}`,
            filename: `${LONG_WORD}.pdf`,
            bytes: 1_948_211
          }
        ]
      })
    ],
    actions: {
      ...NO_ACTIONS,
      onReadAttachment: async (sha256) =>
        sha256.startsWith('a')
          ? { ok: true, value: { bytes: await picture() } }
          : { ok: false, error: { kind: 'not-found', message: 'The attachment is gone.' } }
    }
  },
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByText(/gone\.png cannot be read/)).toBeVisible()
    await userEvent.click(await canvas.findByRole('img', { name: 'overflow.png' }))
    await waitFor(() => expect(within(document.body).getByRole('dialog', { name: 'overflow.png' })).toBeVisible())
    await userEvent.keyboard('{Escape}')
  }
}
export const AttachmentsPhone: Story = { args: Attachments.args ?? {}, globals: PHONE }

export const Markdown: Story = {
  args: { rows: [from().assistant([text(EVERYTHING)])], actions: { ...NO_ACTIONS, onOpenLink: fn() } },
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(canvas.getByRole('link', { name: 'link' }))
    await expect(args.actions?.onOpenLink).toHaveBeenCalledWith('https://example.org/docs')
    await expect(canvas.queryByRole('img')).toBeNull()
    await expect(canvas.getByText('<details>HTML stays text</details>')).toBeVisible()
  }
}
export const MarkdownLight: Story = { args: Markdown.args ?? {}, beforeEach: withTheme('light') }
export const MarkdownPhone: Story = { args: Markdown.args ?? {}, globals: PHONE }

export const Reasoning: Story = {
  args: {
    rows: [
      from().assistant([
        reasoning('The person sees too many retries.\n\n1. find them\n2. count them'),
        text('There are **two** loops.')
      ])
    ]
  },
  play: async ({ canvas, userEvent }) => {
    const line = canvas.getByRole('button', { name: /^Thought/ })
    line.focus()
    await userEvent.keyboard('{Enter}')
    await expect(canvas.getByText('find them')).toBeVisible()
  }
}

export const Failures: Story = {
  args: {
    rows: [
      from().assistant([text('The inner loop lives in')], { interrupted: true }),
      from().assistant([text('I will look for')], {
        error: { kind: 'network', message: 'The connection to api.anthropic.com broke after 3 attempts' }
      }),
      rowSource('x').assistant([], { error: { kind: 'auth', message: 'Anthropic refused the key (401).' } })
    ],
    actions: { ...NO_ACTIONS, onRetry: fn() }
  },
  play: async ({ canvas, userEvent, args }) => {
    await expect(canvas.getAllByTestId('row-retry')).toHaveLength(1)
    await userEvent.click(canvas.getByTestId('row-retry'))
    await expect(args.actions?.onRetry).toHaveBeenCalledOnce()
  }
}
export const FailuresPhone: Story = { args: Failures.args ?? {}, globals: PHONE }
export const FailuresLight: Story = { args: Failures.args ?? {}, beforeEach: withTheme('light') }

export const FailedWithoutAnswer: Story = {
  args: {
    rows: [from().person('Fix the retries.')],
    status: {
      ...IDLE,
      lastProblem: { outcome: 'failed', reason: 'rate_limit', message: 'The provider limits requests: 50 a minute.' }
    },
    actions: { ...NO_ACTIONS, onRetry: fn() }
  },
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(canvas.getByTestId('row-retry'))
    await expect(args.actions?.onRetry).toHaveBeenCalledOnce()
  }
}

export const NoAnswerYet: Story = { args: { rows: [from().person('Fix the retries.')] } }

export const EmptyAnswer: Story = { args: { rows: [from().person('Say nothing.'), from().assistant([step(1)])] } }

export const RetryingAnAttempt: Story = {
  args: {
    rows: [from().person('Fix the retries.')],
    status: {
      ...streamingStatus(),
      retry: {
        attempt: 1,
        retryAtMs: Date.now() + 8_000,
        failure: {
          kind: 'overloaded',
          message: 'Anthropic is overloaded (529).',
          statusCode: 529,
          retryAfterMs: 8_000,
          retryable: true
        }
      }
    }
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/Trying again in \d+ s · attempt 2/)).toBeVisible()
  }
}

export const MachineLines: Story = {
  args: {
    debug: true,
    rows: (() => {
      const source = rowSource()
      return [
        source.machine(
          'context-window-lead-in',
          'This window follows another. You were asked: “Fix the retries.” (m:r1)'
        ),
        source.machine(
          'context-budget-warning',
          'You have used 61 000 of 75 000 tokens of this window. Write your notes now, the essential first, at most 8 KiB. Then go on without comment.'
        ),
        source.machine('continue', 'Continue.'),
        source.machine('file-change-notice', `Changed since you last saw them:\nsrc/net/client.ts\n${LONG_WORD}`),
        source.machine('prelude', 'src/net/client.ts\n\nexport const MAX_ATTEMPTS = 4'),
        source.machine('goal-continuation', 'The goal is not reached yet.'),
        source.machine('from-a-newer-version', 'Words that a newer version wrote.'),
        source.machine('compaction-request', '')
      ]
    })()
  },
  play: async ({ canvas, userEvent }) => {
    const lines = canvas.getAllByTestId('row-machine')
    await expect(lines).toHaveLength(8)
    lines[1]?.focus()
    await userEvent.keyboard('{Enter}')
    await expect(lines[1]).toHaveAttribute('aria-expanded', 'true')
    lines[3]?.focus()
    await userEvent.keyboard(' ')
    await expect(lines[3]).toHaveAttribute('aria-expanded', 'true')
    await expect(canvas.getByTestId('budget-warning')).toHaveTextContent('61 000 of 75 000')
  }
}
export const MachineLinesPhone: Story = { ...MachineLines, globals: PHONE }
export const MachineLinesLight: Story = { ...MachineLines, beforeEach: withTheme('light') }

export const Dividers: Story = {
  args: {
    rows: (() => {
      const source = rowSource()
      return [
        source.person('One.'),
        source.assistant([text('First window.')]),
        source.boundary('rollover', { reason: 'mid-stream', flushOpportunity: false }),
        source.assistant([text('Second window.')]),
        source.compaction('## Goal\n\nFix the retries.\n\n## Done\n\nThe outer loop is gone.'),
        source.person('Two.', { metadata: { copyOf: 'r1' } }),
        source.assistant([text('Third window.')]),
        source.boundary('reset'),
        source.person('Three.'),
        source.assistant([text('Fourth window.')])
      ]
    })()
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(within(canvas.getByTestId('rollover-divider')).getByRole('button'))
    await expect(canvas.getByText(/filled up while the agent worked/)).toBeVisible()
    await expect(canvas.getByTestId('compaction-divider')).toHaveTextContent('window 3')
    await expect(canvas.getByTestId('reset-divider')).toHaveTextContent('Context reset')
  }
}
export const DividersLight: Story = { ...Dividers, beforeEach: withTheme('light') }
export const DividersPhone: Story = { ...Dividers, globals: PHONE }

export const NotSent: Story = {
  args: {
    rows: [
      from().assistant([text('Done.')]),
      rowSource('n').notSent('Here is the whole log of last night, please read it all: …')
    ],
    actions: { ...NO_ACTIONS, onEditNotSent: fn() }
  },
  play: async ({ canvas, userEvent, args }) => {
    await expect(canvas.getByTestId('rejected-input')).toHaveTextContent('Not sent.')
    await expect(canvas.queryByTestId('row-retry')).toBeNull()
    await userEvent.click(canvas.getByTestId('row-edit'))
    await expect(args.actions?.onEditNotSent).toHaveBeenCalledOnce()
  }
}
export const NotSentPhone: Story = { args: NotSent.args ?? {}, globals: PHONE }

export const Damaged: Story = { args: { rows: [from().person('Hello.')], skippedLines: 3, status: streamingStatus() } }

export const RowActions: Story = {
  args: {
    rows: [from().person('Fix the retries.'), from().assistant([text(ANSWER), step(1), step(2)])],
    actions: {
      ...NO_ACTIONS,
      onReadRaw: () =>
        Promise.resolve({
          ok: true,
          value: {
            json: '{"id":"r2","role":"assistant","parts":[{"type":"text","text":"…"}],"metadata":{"historySequence":2}}'
          }
        })
    }
  },
  play: async ({ canvas, userEvent }) => {
    const page = within(document.body)
    const menus = canvas.getAllByTestId('row-menu')
    menus[1]?.focus()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(await page.findByTestId('row-raw'))
    const dialog = await page.findByRole('dialog', { name: 'Raw row' })
    await expect(await within(dialog).findByText(/historySequence/)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(menus[1]).toHaveFocus())
    await userEvent.click(await canvas.findByRole('button', { name: '12 s · $0.03 · 2 steps' }))
    await waitFor(() => expect(page.getByText('Output tokens')).toBeVisible())
  }
}

export const RightToLeft: Story = { args: { rows: [from().person(HEBREW_REQUEST), from().assistant([text(ARABIC)])] } }
export const RightToLeftPhone: Story = { ...RightToLeft, globals: PHONE }

export const VeryLongWords: Story = {
  args: {
    rows: [
      from().person(LONG_WORD),
      from().assistant([
        text(
          `${LONG_WORD}\n\n\`${LONG_WORD}\`\n\n- ${LONG_WORD}\n\n| ${LONG_WORD} | b |\n| - | - |\n| 1 | ${LONG_WORD} |\n\n\`\`\`ts\nconst path = '${LONG_WORD}'\n\`\`\``
        ),
        toolDone('glob', { pattern: LONG_WORD }, { paths: [LONG_WORD], total: 1, truncated: false })
      ])
    ]
  }
}
export const VeryLongWordsPhone: Story = { ...VeryLongWords, globals: PHONE }

async function picture(): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(320, 200)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser draws no pictures')
  context.fillStyle = '#2a6f6b'
  context.fillRect(0, 0, 320, 200)
  context.fillStyle = '#e8f1f0'
  context.fillRect(24, 40, 360, 24)
  context.fillRect(24, 88, 220, 24)
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
}
