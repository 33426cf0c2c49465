// The frame, the first run and the states of a whole window.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { DEMO_MODEL, freshWorld, project } from '../../src-renderer/testing/fake-world'
import { STORY_NOW_MS, workspaceView } from '../../src-renderer/testing/session-builders'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { emptyWorld, openWorld } from './worlds'

const meta = {
  component: AppStory,
  parameters: { layout: 'fullscreen' },
  play: async ({ canvasElement, canvas }) => {
    await waitFor(() => expect(canvas.getByRole('main')).toBeVisible())
    await waitFor(() => expect(canvas.queryByRole('status', { name: /Starting|Loading/ })).toBeNull())
    await expectSound(canvasElement)
  }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>

const ollama = {
  entry: {
    id: 'ollama',
    kind: 'openai-compatible' as const,
    name: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    models: [{ id: 'qwen3:8b' }]
  },
  found: 'runs on this machine',
  modelRef: 'ollama:qwen3:8b'
}
const anthropic = {
  entry: { id: 'anthropic', kind: 'anthropic' as const, name: 'Anthropic', apiKeyEnv: 'ANTHROPIC_API_KEY', models: [] },
  found: 'key in ANTHROPIC_API_KEY',
  modelRef: 'anthropic:claude-sonnet-4-5'
}
const dark = (world: ReturnType<typeof openWorld>) => ({
  ...world,
  settings: { ...(world.settings ?? freshWorld().settings), theme: 'dark' as const }
})

export const FirstRun: Story = { args: { world: () => ({ suggestions: [ollama, anthropic] }) } }
export const FirstRunPhone: Story = { ...FirstRun, globals: PHONE }
export const FirstRunDark: Story = { args: { world: () => dark({ suggestions: [ollama] }) } }
export const EmptyWorkspace: Story = { args: { world: () => emptyWorld({ suggestions: [ollama] }) } }
export const EmptyWorkspacePhone: Story = { ...EmptyWorkspace, globals: PHONE }
export const NoWorkspaceOpen: Story = {
  args: { world: () => ({ projects: [project()], workspaces: [workspaceView({ title: 'Docs pass' })] }) }
}
export const DailyUse: Story = { args: { world: () => openWorld() } }
export const DailyUseDark: Story = { args: { world: () => dark(openWorld()) } }
export const DailyUsePhone: Story = { ...DailyUse, globals: PHONE }
export const DailyUsePhoneDark: Story = { ...DailyUseDark, globals: PHONE }
export const OldRuntime: Story = { args: { world: () => openWorld({}, { runtimeFallback: true }) } }
export const FolderMissing: Story = {
  args: {
    world: () => {
      const gone = { projectReadable: false, projectPath: '/home/ada/code/tidemark' }
      return openWorld(
        {},
        { projects: [project({ readable: false })], workspaces: [workspaceView({ rows: 2, ...gone })] }
      )
    }
  }
}
export const TrustPrompt: Story = {
  args: {
    world: () => {
      const { trusted: _unasked, ...untrusted } = project()
      const offers = ['.tidemark/agents/reviewer.md', '.tidemark/skills/release/SKILL.md', '.tidemark/hooks/lint.json']
      return emptyWorld({ projects: [untrusted], offers })
    }
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByRole('region', { name: 'Trust this project' })).toBeVisible())
    await expectSound(canvasElement)
    await userEvent.click(canvas.getByRole('button', { name: 'Load them' }))
    await waitFor(() => expect(canvas.queryByRole('region', { name: 'Trust this project' })).toBeNull())
  }
}
export const TrustPromptPhone: Story = { ...TrustPrompt, globals: PHONE }
export const CannotOpen: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        {
          failures: {
            'workspace.open': {
              kind: 'io',
              message:
                'The history of “Fix the receipts” cannot be read: permission denied. Check the folder’s rights, then load it again.'
            }
          }
        }
      )
  }
}
export const CannotStart: Story = {
  args: {
    world: () => ({
      failures: {
        'app.start': { kind: 'io', message: 'The home folder /home/ada/.tidemark cannot be written. Check its rights.' }
      }
    })
  },
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Try again' })).toBeVisible())
    await expectSound(canvasElement)
  }
}
export const Notices: Story = {
  args: {
    world: () =>
      openWorld(
        {},
        {
          notices: [
            {
              id: 'n1',
              level: 'warning',
              message: 'config.json held an unknown theme; the system’s is used.',
              atMs: STORY_NOW_MS - 90_000
            },
            {
              id: 'n2',
              level: 'error',
              message: 'The agent file reviewer.md cannot be read: its front matter does not parse.',
              atMs: STORY_NOW_MS
            }
          ]
        }
      )
  },
  play: async ({ canvas, canvasElement }) => {
    const bell = await waitFor(() => canvas.getByRole('button', { name: 'Notices, 2 unread' }))
    await expectSound(canvasElement)
    await userEvent.click(bell)
    const page = within(document.body)
    await waitFor(() => expect(page.getByRole('dialog', { name: 'Notices' })).toBeVisible())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Notices' })).toBeVisible())
  }
}
export const Toasts: Story = { args: Notices.args }
export const ToastsPhone: Story = { args: Notices.args, globals: PHONE }
/** U-11, L-2: from nothing to a first answer with two clicks, on the demo model. */
export const FirstAnswer: Story = {
  args: { world: () => ({ models: [DEMO_MODEL] }) },
  play: async ({ canvas }) => {
    await userEvent.click(await waitFor(() => canvas.getByRole('button', { name: /Look around/ })))
    await waitFor(() => expect(canvas.getByText(/I looked at the project/)).toBeVisible(), { timeout: 5_000 })
    await expect(canvas.getByTestId('model-picker')).toHaveTextContent('Demo')
    await expect(canvas.getByTestId('sidebar-workspace')).toHaveTextContent('What is in this project?')
  }
}
