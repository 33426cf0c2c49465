// What a message brings along about files (O-4, P-6): snapshots of those that it mentions, and a notice of those that
// changed. One line each, opened by click and keyboard.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { rowSource, text } from '../src-renderer/testing/row-builders'
import { LONG_WORD } from '../src-renderer/testing/sample-texts'
import { checkStory } from './support/check-story'
import { NO_ACTIONS, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'File rows',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

const NOTICE = [
  'src/net/client.ts, docs/retries.md, assets/logo.png and 2 more files changed on disk since you last saw them. The person, another program or a command did it; what you remember of the content is out of date.',
  'src/net/client.ts: +1 −1 lines\n@@ -1,3 +1,3 @@\n import { wait } from "./wait"\n-const MAX_ATTEMPTS = 4\n+const MAX_ATTEMPTS = 2\n ',
  'docs/retries.md: deleted, or moved elsewhere',
  'assets/logo.png: changed; binary, 48211 bytes',
  'src/config: it is, or lies behind, a symbolic link now, which was not followed',
  `src/${LONG_WORD}.ts: changed; too large for a diff, 11000000 bytes`
].join('\n\n')
const CLIENT = Array.from({ length: 60 }, (_, line) => `export const value${line} = ${line}`).join('\n')
const mention = (path: string): { synthetic: true; machine: { type: string; [field: string]: unknown } } => ({
  synthetic: true,
  machine: { type: 'prelude', source: 'file', path }
})

function rows() {
  const source = rowSource()
  const picture = {
    type: 'file',
    mediaType: 'application/pdf',
    url: `attachment:${'a'.repeat(64)}`,
    filename: 'docs/paper.pdf',
    bytes: 48_211
  }
  const paper = source.machine(
    'prelude',
    'docs/paper.pdf, mentioned in the next message, is attached (application/pdf, 48211 bytes).',
    mention('docs/paper.pdf')
  )
  return [
    source.machine('file-change-notice', NOTICE),
    source.machine(
      'prelude',
      `src/net/client.ts, mentioned in the next message, as it is now (60 lines, 1910 bytes):\n\n${CLIENT}`,
      mention('src/net/client.ts')
    ),
    { ...paper, parts: [...paper.parts, picture] },
    source.person('Does @src/net/client.ts do what @docs/paper.pdf says?'),
    source.assistant([text('It does.')])
  ]
}

export const Closed: Story = {
  args: { rows: rows(), actions: NO_ACTIONS },
  play: async ({ canvas }) => {
    const lines = canvas.getAllByTestId('row-machine')
    await expect(lines).toHaveLength(3)
    await expect(lines[0]).toHaveTextContent('Files changed on disk')
    await expect(lines[0]).toHaveTextContent('src/net/client.ts, docs/retries.md, assets/logo.png and 2 more files')
    await expect(lines[1]).toHaveTextContent('src/net/client.ts, mentioned in the next message')
  }
}
export const ClosedPhone: Story = { ...Closed, globals: PHONE }

export const Opened: Story = {
  args: { rows: rows(), actions: NO_ACTIONS },
  play: async ({ canvas, userEvent }) => {
    const lines = canvas.getAllByTestId('row-machine')
    for (const [index, key] of ['{Enter}', ' ', '{Enter}'].entries()) {
      lines[index]?.focus()
      await userEvent.keyboard(key)
      await expect(lines[index]).toHaveAttribute('aria-expanded', 'true')
    }
    await expect(canvas.getByText(/\+const MAX_ATTEMPTS = 2/)).toBeVisible()
    const box = await canvas.findByRole('region', { name: 'Content of src/net/client.ts' })
    await expect(box).toHaveAttribute('tabindex', '0')
    await expect(canvas.getByText('docs/paper.pdf')).toBeVisible()
    lines[0]?.focus()
    await userEvent.keyboard(' ')
    await expect(lines[0]).toHaveAttribute('aria-expanded', 'false')
  }
}
export const OpenedLight: Story = { ...Opened, beforeEach: withTheme('light') }
export const OpenedPhone: Story = { ...Opened, globals: PHONE }
