// Skills in a conversation (O-5): one that a message loads is a line before it, one that a path points to stands with
// the call that touched it.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { rowSource, text, toolDone, toolPart } from '../src-renderer/testing/row-builders'
import { LONG_WORD } from '../src-renderer/testing/sample-texts'
import { checkStory } from './support/check-story'
import { NO_ACTIONS, TranscriptStage } from './support/transcript-stage'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Skills',
  component: TranscriptStage,
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta<typeof TranscriptStage>
export default meta
type Story = StoryObj<typeof meta>

const FILE = '.tidemark/skills/react-tests/SKILL.md'
const pointer = (name: string, about: string) => ({
  name,
  text: `[The skill “${name}” is about this path: ${about} Read its instructions with file_read at .tidemark/skills/${name}/SKILL.md; the person can load it with /${name}.]`
})

function rows() {
  const source = rowSource()
  return [
    source.machine(
      'prelude',
      `The skill “react-tests” (${FILE}), loaded by the next message:\n\n# Tests of components\n\nRender, then look.`,
      { synthetic: true, machine: { type: 'prelude', source: 'skill', name: 'react-tests', path: FILE } }
    ),
    source.person('/react-tests for the button'),
    source.assistant([
      text('I look at what there is.'),
      toolDone(
        'file_read',
        { path: 'src/ui/button.tsx' },
        { path: 'src/ui/button.tsx', content: '1\texport {}', first_line: 1, last_line: 1, total_lines: 1 },
        { skillPointers: [pointer('react-style', 'How components are written here.')] }
      ),
      toolPart(
        'file_read',
        { path: `src/ui/${LONG_WORD}.tsx` },
        {
          state: 'output-error',
          errorText: `src/ui/${LONG_WORD}.tsx does not exist.`,
          skillPointers: [pointer('accessible-forms', 'Labels, errors, keys.'), pointer(LONG_WORD, 'Long words.')]
        }
      )
    ])
  ]
}

export const Closed: Story = {
  args: { rows: rows(), actions: NO_ACTIONS },
  play: async ({ canvas }) => {
    const line = canvas.getByTestId('row-machine')
    await expect(line).toHaveTextContent('Skill loaded')
    const cards = canvas.getAllByTestId('tool-card-file_read')
    await expect(cards[0]).toHaveTextContent('+ skill')
    await expect(cards[1]).toHaveTextContent('+ 2 skills')
  }
}
export const ClosedPhone: Story = { ...Closed, globals: PHONE }

export const Opened: Story = {
  args: { rows: rows(), actions: NO_ACTIONS },
  play: async ({ canvas, userEvent }) => {
    const lines = [canvas.getByTestId('row-machine'), ...canvas.getAllByRole('button', { name: /^read/ })]
    for (const line of lines) {
      line.focus()
      await userEvent.keyboard('{Enter}')
      await expect(line).toHaveAttribute('aria-expanded', 'true')
    }
    await expect(canvas.getByText(/Render, then look\./)).toBeVisible()
    await expect(canvas.getByText(/The skill “react-style” is about this path/)).toBeVisible()
    await expect(canvas.getByText(/The skill “accessible-forms” is about this path/)).toBeVisible()
  }
}
export const OpenedLight: Story = { ...Opened, beforeEach: withTheme('light') }
export const OpenedPhone: Story = { ...Opened, globals: PHONE }
