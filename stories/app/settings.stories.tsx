// The settings, tab by tab (U-10), and the lists that the keyboard opens (U-11).
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { AppStory } from './app-story'
import { expectSound } from './check-story'
import { PHONE } from './story-globals'
import { openWorld } from './worlds'

const meta = {
  component: AppStory,
  parameters: { layout: 'fullscreen' },
  args: { world: () => openWorld() }
} satisfies Meta<typeof AppStory>
export default meta
type Story = StoryObj<typeof meta>
type Play = NonNullable<Story['play']>
type Context = Parameters<Play>[0]

const page = () => within(document.body)

async function openTab({ canvas, canvasElement }: Context, name: string): Promise<void> {
  await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
  await userEvent.keyboard('{Control>},{/Control}')
  await userEvent.click(await waitFor(() => page().getByRole('tab', { name })))
  await waitFor(() => expect(page().getByRole('tabpanel', { name })).toBeVisible())
  await expectSound(canvasElement)
}
const tab =
  (name: string): Play =>
  (context) =>
    openTab(context, name)

export const Providers: Story = { play: tab('Providers') }
export const ProvidersPhone: Story = { play: tab('Providers'), globals: PHONE }
export const Models: Story = { play: tab('Models') }
export const ModelsPhone: Story = { play: tab('Models'), globals: PHONE }
export const Permissions: Story = { play: tab('Permissions') }
export const Memory: Story = { play: tab('Memory') }
export const MemoryPhone: Story = { play: tab('Memory'), globals: PHONE }
export const Data: Story = { play: tab('Data') }
export const DataPhone: Story = { play: tab('Data'), globals: PHONE }
export const Appearance: Story = {
  play: async (context) => {
    await openTab(context, 'Appearance')
    await userEvent.click(page().getByRole('radio', { name: 'Dark' }))
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'))
    await expectSound(context.canvasElement)
    await userEvent.click(page().getByRole('radio', { name: 'Like the system' }))
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBeUndefined())
  }
}
export const TestConnection: Story = {
  play: async (context) => {
    await openTab(context, 'Providers')
    await userEvent.click(page().getByRole('button', { name: 'Test connection to OpenAI' }))
    await waitFor(() => expect(page().getByText(/OpenAI has no key. Add one/)).toBeVisible())
    await userEvent.click(page().getByRole('button', { name: 'Test connection to Anthropic' }))
    await waitFor(() => expect(page().getByText(/Anthropic answered/)).toBeVisible())
    await expectSound(context.canvasElement)
  }
}
export const AddProvider: Story = {
  play: async (context) => {
    await openTab(context, 'Providers')
    await userEvent.click(page().getByRole('button', { name: 'Add a provider' }))
    await userEvent.click(await waitFor(() => page().getByRole('menuitem', { name: /LM Studio/ })))
    await waitFor(() =>
      expect(page().getByRole('textbox', { name: 'Base URL' })).toHaveValue('http://127.0.0.1:1234/v1')
    )
    await userEvent.click(page().getByRole('button', { name: 'Add a model' }))
    await userEvent.click(page().getByRole('button', { name: 'Save' }))
    await expect(page().getByText('Each model needs its id.')).toBeVisible()
    await expectSound(context.canvasElement)
    await userEvent.type(page().getByRole('textbox', { name: 'Model 1' }), 'qwen3-coder')
    await userEvent.type(page().getByRole('textbox', { name: 'Context limit of model 1' }), '32768')
    await userEvent.type(page().getByLabelText('Key'), 'sk-local')
    await userEvent.click(page().getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(page().getByText(/Key in the system’s keychain · http:\/\/127.0.0.1:1234/)).toBeVisible()
    )
  }
}
export const EditProvider: Story = {
  play: async (context) => {
    await openTab(context, 'Providers')
    await userEvent.click(page().getByRole('button', { name: 'Edit Anthropic' }))
    await waitFor(() => expect(page().getByLabelText('Key')).toHaveValue(''))
    await expect(page().getByText(/Key in the system’s keychain. Leave empty/)).toBeVisible()
    await expectSound(context.canvasElement)
  }
}
export const EditProviderPhone: Story = { ...EditProvider, globals: PHONE }
export const Palette: Story = {
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
    await userEvent.keyboard('{Control>}k{/Control}')
    const filter = await waitFor(() => page().getByRole('combobox', { name: 'Commands' }))
    await expectSound(canvasElement)
    await userEvent.type(filter, 'landing{Enter}')
    await waitFor(() => expect(canvas.getByRole('heading', { level: 1 })).toHaveTextContent('Landing page copy'))
  }
}
export const PaletteOpen: Story = {
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
    await userEvent.keyboard('{Control>}k{/Control}')
    await waitFor(() => expect(page().getByRole('combobox', { name: 'Commands' })).toBeVisible())
    await expectSound(canvasElement)
  }
}
export const PaletteOpenPhone: Story = { ...PaletteOpen, globals: PHONE }
export const Shortcuts: Story = {
  play: async ({ canvas, canvasElement }) => {
    await waitFor(() => expect(canvas.getByTestId('composer')).toBeVisible())
    await userEvent.keyboard('{Control>}/{/Control}')
    await waitFor(() => expect(page().getByRole('dialog', { name: 'Shortcuts' })).toBeVisible())
    await expectSound(canvasElement)
  }
}
export const ShortcutsPhone: Story = { ...Shortcuts, globals: PHONE }
