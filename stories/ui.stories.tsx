import type { Meta, StoryObj } from '@storybook/react-vite'
import { Copy, Settings } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { expect, fn, waitFor, within } from 'storybook/test'
import { Button } from '../src-renderer/ui/button'
import { CodeBlock } from '../src-renderer/ui/code-block'
import { CopyButton } from '../src-renderer/ui/copy-button'
import { Dialog } from '../src-renderer/ui/dialog'
import { DiffView } from '../src-renderer/ui/diff-view'
import { IconButton } from '../src-renderer/ui/icon-button'
import { Kbd } from '../src-renderer/ui/kbd'
import { Markdown } from '../src-renderer/ui/markdown/markdown'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../src-renderer/ui/menu'
import { Popover } from '../src-renderer/ui/popover'
import { Segmented } from '../src-renderer/ui/segmented'
import { Select } from '../src-renderer/ui/select'
import { Sheet } from '../src-renderer/ui/sheet'
import { Switch } from '../src-renderer/ui/switch'
import { Tabs } from '../src-renderer/ui/tabs'
import { TextArea, TextField } from '../src-renderer/ui/text-field'
import { Toasts } from '../src-renderer/ui/toast'
import { EmptyState, ErrorState, Skeleton } from '../src-renderer/ui/view-states'
import { DIFF, EVERYTHING } from '../src-renderer/testing/sample-texts'
import { checkStory } from './support/check-story'
import { PHONE, withTheme } from './support/variants'

const meta = {
  title: 'Ui',
  parameters: { layout: 'fullscreen' },
  beforeEach: withTheme('dark'),
  afterEach: checkStory
} satisfies Meta
export default meta

function Page({ children }: { readonly children: ReactNode }) {
  return <main className="flex min-h-screen flex-col gap-6 bg-surface p-6">{children}</main>
}

function Controls() {
  const [on, setOn] = useState(true)
  const [theme, setTheme] = useState<'system' | 'light' | 'dark'>('system')
  const [tab, setTab] = useState<'context' | 'memory'>('context')
  const [text, setText] = useState('https://api.example.org/v1')
  return (
    <Page>
      <section className="flex flex-wrap items-center gap-3">
        <Button kind="primary">Send</Button>
        <Button>Save</Button>
        <Button kind="quiet">Cancel</Button>
        <Button kind="danger">Delete</Button>
        <Button kind="primary" disabled>
          Send
        </Button>
        <Button small>Retry</Button>
        <Button icon={<Copy size={14} aria-hidden />}>Copy</Button>
        <IconButton label="Settings" icon={<Settings size={16} />} shortcut="Ctrl+," />
        <CopyButton text={() => 'copied'} />
        <Kbd keys="Ctrl+Shift+F" />
      </section>
      <section className="grid max-w-160 gap-4">
        <TextField label="Base URL" value={text} onChange={setText} hint="As the provider gives it, /v1 included." />
        <TextField label="Key" value="" onChange={setText} error="The key is empty. Paste one, or name a variable." />
        <TextArea label="Message" value={text} onChange={setText} />
        <Switch
          label="Hot memories"
          hint="The pinned and most used entries go into each window."
          checked={on}
          onChange={setOn}
        />
        <Segmented
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' }
          ]}
        />
        <Select
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' }
          ]}
        />
      </section>
      <Tabs
        label="Panel"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'context', label: 'Context', content: <EmptyState title="Nothing was sent yet." /> },
          { value: 'memory', label: 'Memory', content: <Skeleton bars={[60, 90, 40]} /> }
        ]}
      />
      <ErrorState
        message="The provider cannot be reached. Check the address, then test again."
        action={<Button small>Test again</Button>}
      />
    </Page>
  )
}

export const AllControls: StoryObj = { render: () => <Controls /> }
export const AllControlsLight: StoryObj = { ...AllControls, beforeEach: withTheme('light') }
export const AllControlsPhone: StoryObj = {
  ...AllControls,
  globals: PHONE,
  play: async ({ canvas }) => {
    // A finger finds 44 px (interface, 375 px).
    for (const button of canvas.getAllByRole('button')) {
      const { width, height } = button.getBoundingClientRect()
      await expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }
  }
}

const chosen = fn()

export const MenuByKeyboard: StoryObj = {
  render: () => (
    <Page>
      <Menu label="Row" trigger={<Button>Row</Button>}>
        <MenuLabel>This row</MenuLabel>
        <MenuItem icon={<Copy size={14} aria-hidden />} shortcut="Ctrl+C" onSelect={chosen}>
          Copy
        </MenuItem>
        <MenuSeparator />
        <MenuChoice
          value="ask"
          onChange={chosen}
          options={[
            { value: 'ask', label: 'Ask' },
            { value: 'auto', label: 'Auto', hint: 'runs all' }
          ]}
        />
        <MenuSeparator />
        <MenuItem danger onSelect={chosen}>
          Delete
        </MenuItem>
      </Menu>
    </Page>
  ),
  play: async ({ canvas, userEvent }) => {
    chosen.mockClear()
    canvas.getByRole('button', { name: 'Row' }).focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(within(document.body).getByRole('menu')).toBeVisible())
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await expect(chosen).toHaveBeenCalledWith('auto')
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Row' })).toHaveFocus())
  }
}

export const DialogKeepsTheFocus: StoryObj = {
  render: () => <OpenDialog />,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Delete workspace' }))
    const dialog = await within(document.body).findByRole('dialog', { name: 'Delete “Fix the receipts”?' })
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Delete workspace' })).toHaveFocus())
  }
}

export const DialogOpen: StoryObj = { render: () => <OpenDialog open /> }
export const DialogOpenPhone: StoryObj = { ...DialogOpen, globals: PHONE }

function OpenDialog({ open: initially = false }: { readonly open?: boolean }) {
  const [open, setOpen] = useState(initially)
  return (
    <Page>
      <Button onClick={() => setOpen(true)} className="self-start">
        Delete workspace
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete “Fix the receipts”?"
        description="It moves to the system’s trash: 412 rows in 3 windows."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Keep</Button>
            <Button kind="danger">Delete</Button>
          </>
        }
      />
    </Page>
  )
}

export const SheetOpen: StoryObj = {
  render: () => (
    <Page>
      <Sheet open onOpenChange={() => undefined} label="Workspaces" side="left">
        <EmptyState title="No workspace yet." />
      </Sheet>
    </Page>
  ),
  globals: PHONE
}

export const PopoverOpen: StoryObj = {
  render: () => (
    <Page>
      <Popover label="Usage" open trigger={<Button className="self-start">61 %</Button>}>
        <p className="text-small">182k of 200k tokens.</p>
      </Popover>
    </Page>
  )
}

export const ToastsShown: StoryObj = {
  render: () => (
    <Page>
      <Toasts
        onDismiss={() => undefined}
        toasts={[
          { id: '1', level: 'info', message: 'Exported to ~/receipts.md.' },
          { id: '2', level: 'warning', message: 'This window nears its end.' },
          {
            id: '3',
            level: 'error',
            message: 'The row could not be read: permission denied.',
            action: { label: 'Try again', onSelect: fn() }
          }
        ]}
      />
    </Page>
  )
}
export const ToastsPhone: StoryObj = { ...ToastsShown, globals: PHONE }

export const Code: StoryObj = {
  render: () => (
    <Page>
      <CodeBlock
        code={'const ready: boolean = await open(path)\nif (!ready) throw new Error("closed")'}
        language="ts"
        settled
      />
      <CodeBlock code={Array.from({ length: 900 }, (_, line) => `line ${line}`).join('\n')} language="" settled />
    </Page>
  ),
  play: async ({ canvas, canvasElement, userEvent }) => {
    await waitFor(() => expect(canvasElement.querySelectorAll('code span').length).toBeGreaterThan(3), {
      timeout: 8_000
    })
    await expect(canvas.queryByText(/line 899/)).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'Show all 900 lines' }))
    await expect(canvas.getByText(/line 899/)).toBeVisible()
  }
}

export const Diff: StoryObj = {
  render: () => (
    <Page>
      <DiffView diff={DIFF} />
      <DiffView diff="" />
    </Page>
  )
}
export const DiffPhone: StoryObj = { ...Diff, globals: PHONE }

/** Every prefix of a text, as a stream shows it: nothing throws, nothing is wider than the page. */
export const MarkdownGrowing: StoryObj = {
  render: () => <Growing />,
  globals: PHONE,
  play: async ({ canvasElement }) => {
    await waitFor(() => expect(canvasElement.querySelector('table')).not.toBeNull(), { timeout: 20_000 })
    await waitFor(() => expect(canvasElement.querySelector('[data-done]')).not.toBeNull(), { timeout: 20_000 })
    await expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(375)
  }
}

function Growing() {
  const [length, setLength] = useState(1)
  const done = length >= EVERYTHING.length
  if (!done) requestAnimationFrame(() => setLength(length + 23))
  return (
    <Page>
      <div data-done={done || undefined}>
        <Markdown text={EVERYTHING.slice(0, length)} streaming={!done} />
      </div>
    </Page>
  )
}
