// Proves what people do with workspaces as wholes: make, rename, archive, delete, move the project, start twice.
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { expect } from '@playwright/test'
import { EVENT_CHANNEL } from '../electron/ipc-channels'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'

test('a workspace is made, renamed, archived and brought back', async ({ converse }) => {
  const { page } = await converse({ turns: [{ text: 'Hello.' }] })
  await say(page, 'First conversation')
  await untilIdle(page)
  const items = page.getByTestId('sidebar-workspace')
  await page.getByTestId('new-workspace').click()
  await expect(items).toHaveCount(2)
  await expect(composerOf(page)).toBeFocused()
  const second = items.filter({ hasNotText: 'First conversation' })
  await second.focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Title' }).fill('Harbour works')
  await page.keyboard.press('Enter')
  await expect(items.filter({ hasText: 'Harbour works' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Actions for Harbour works' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(items.filter({ hasText: 'Harbour works' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Show archived' }).check()
  await expect(items.filter({ hasText: 'Harbour works' })).toContainText('archived')
  await page.getByRole('button', { name: 'Actions for Harbour works' }).click()
  await page.getByRole('menuitem', { name: 'Take out of the archive' }).click()
  await page.getByRole('checkbox', { name: 'Show archived' }).uncheck()
  await expect(items.filter({ hasText: 'Harbour works' })).toHaveCount(1)
})

test('a deleted workspace leaves the list, and its files go to a trash and are not destroyed', async ({ converse }) => {
  const { app, page, home } = await converse({ turns: [{ text: 'Hello.' }, { text: 'Hello again.' }] })
  await app.evaluate(({ shell }) => {
    const trashed: string[] = []
    Object.assign(globalThis, { trashed })
    const trash = shell.trashItem.bind(shell)
    shell.trashItem = async (path) => {
      await trash(path)
      trashed.push(path)
    }
  })
  await say(page, 'Delete me')
  await untilIdle(page)
  const [id] = await readdir(join(home, 'workspaces'))
  await page.getByTestId('sidebar-workspace').focus()
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Delete me')
  await dialog.getByRole('button', { name: /Delete|Move/ }).click()
  await expect(page.getByTestId('sidebar-workspace').filter({ hasText: 'Delete me' })).toHaveCount(0)
  await expect.poll(() => readdir(join(home, 'workspaces'))).not.toContain(id)
  const trashed = await app.evaluate(() => (globalThis as unknown as { trashed: string[] }).trashed)
  const own = await readdir(join(home, 'trash')).catch(() => [])
  expect([...trashed, ...own].some((path) => path.includes(id ?? '?'))).toBe(true)
  // The project's last conversation went: a fresh one stands there, to be written in at once.
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(1)
  await expect(composerOf(page)).toBeFocused()
  await say(page, 'A new beginning')
  await expect(lastAnswer(page)).toContainText('Hello again.')
  // With others in the project, one of them comes on screen.
  await page.getByTestId('new-workspace').click()
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(2)
  await page.getByTestId('sidebar-workspace').filter({ hasNotText: 'A new beginning' }).focus()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A new beginning')
  await expect(composerOf(page)).toBeVisible()
})

test('T-1, T-4: a conversation has its title at once and goes on in the background while another one is open', async ({
  converse
}) => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const { page } = await converse({
    turns: [
      { text: 'Slow and steady.', delivery: { gate: (event) => (event === 4 ? held : undefined) } },
      { text: 'Quick.' }
    ]
  })
  await say(page, 'Take your time')
  await expect(lastAnswer(page)).toContainText('Slow')
  await page.getByTestId('new-workspace').click()
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(2)
  await say(page, 'Hurry')
  await expect(lastAnswer(page)).toContainText('Quick.')
  const first = page.getByTestId('sidebar-workspace').filter({ hasText: 'Take your time' })
  await expect(first).toContainText('running')
  release()
  await expect(first).toContainText('unread')
  await first.click()
  await expect(lastAnswer(page)).toContainText('Slow and steady.')
  await expect(first).not.toContainText('unread')
})

test('U-11: a click on a notification shows its workspace', async ({ converse }) => {
  const { app, page, home } = await converse({ turns: [{ text: 'Hello.' }] })
  await say(page, 'The first one')
  await untilIdle(page)
  const [id] = await readdir(join(home, 'workspaces'))
  await page.getByTestId('new-workspace').click()
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(2)
  await app.evaluate(
    ({ BrowserWindow }, [channel, argument]) => {
      const events = [{ type: 'shell-command', command: 'open-workspace', argument }]
      BrowserWindow.getAllWindows()[0]?.webContents.send(channel, { channel: 'app', events })
    },
    [EVENT_CHANNEL, id ?? ''] as const
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The first one')
})

test('a moved project folder is told, and the workspace is pointed to where it is now', async ({
  converse,
  folder
}) => {
  const { app, page, project, screenshot } = await converse({
    config: { approvalMode: 'auto' },
    turns: [
      { text: 'Before.' },
      { toolCalls: [{ name: 'file_read', input: { path: 'README.md' } }] },
      { text: 'After.' }
    ]
  })
  await say(page, 'Where are we?')
  await expect(lastAnswer(page)).toContainText('Before.')
  const moved = join(await folder(), 'elsewhere')
  await rename(project, moved)
  await page.getByTestId('new-workspace').focus()
  await page.reload()
  const banner = page.getByTestId('banner-folder-missing')
  await expect(banner).toContainText(project)
  await screenshot('folder-missing')
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] })
  }, moved)
  await banner.getByRole('button', { name: 'Choose the folder' }).click()
  await expect(banner).toHaveCount(0)
  await say(page, 'And now?')
  await expect(lastAnswer(page)).toContainText('After.')
  await expect(page.getByTestId('tool-card-file_read')).toHaveAttribute('data-state', 'done')
  await rm(moved, { recursive: true, force: true })
})

test('a second start with --project shows that project in the window that is open', async ({ launch, folder }) => {
  const [home, one, other] = [await folder(), await folder(), await folder({ 'other.md': '# other\n' })]
  const { app, page } = await launch({ home, project: one })
  await expect(page.getByTestId('sidebar-project')).toHaveCount(1)
  const binary = await app.evaluate(() => process.execPath)
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '.', '--project', other]
  const second = spawn(binary, args, { env: { ...process.env, TIDEMARK_HOME: home }, stdio: 'ignore' })
  expect(await new Promise((resolve) => second.on('exit', resolve))).toBe(0)
  await expect(page.getByTestId('sidebar-project')).toHaveCount(2)
  await expect(page.getByTestId('sidebar-workspace')).toHaveCount(2)
  await expect(composerOf(page)).toBeFocused()
})
