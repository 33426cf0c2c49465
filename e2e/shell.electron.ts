// Proves the shell's life cycle: one instance a home, Chromium's data inside the home, a second
// start that hands its project over, a window that comes back where it was.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test, type RunningApp } from './support/launch-app'

test('Chromium keeps its data in the home', async ({ launch }) => {
  const { app, home } = await launch()
  expect(await app.evaluate(({ app: shell }) => shell.getPath('userData'))).toBe(join(home, 'electron'))
})

test('a second start on the same home ends at once and hands its project to the first', async ({ launch }) => {
  const { app, page, home } = await launch()
  const commands = page.evaluate(
    () =>
      new Promise((resolve) => {
        const { tidemark } = window as unknown as { tidemark: { onEvent(listener: (batch: unknown) => void): void } }
        tidemark.onEvent((batch) => {
          if (JSON.stringify(batch).includes('open-project')) resolve(batch)
        })
      })
  )
  // The promise above is only listened to once the page has run it.
  await page.evaluate(() => 0)
  const binary = await app.evaluate(() => process.execPath)
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '.', '--project', '/some/project']
  const second = spawn(binary, args, { env: { ...process.env, TIDEMARK_HOME: home }, stdio: 'ignore' })
  const code = await new Promise((resolve) => second.on('exit', resolve))
  expect(code).toBe(0)
  expect(await commands).toMatchObject({
    channel: 'app',
    events: [{ type: 'shell-command', command: 'open-project', argument: '/some/project' }]
  })
  expect(app.windows()).toHaveLength(1)
})

test('U-11: the window comes back where it was and as large as it was', async ({ launch, folder }) => {
  const home = await folder()
  const bounds = { x: 40, y: 50, width: 900, height: 700 }
  const first = await launch({ home })
  await first.page.waitForLoadState()
  await first.app.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds)
  // The display carries it out a moment later.
  await expect.poll(() => boundsOf(first)).toEqual(bounds)
  await first.close()
  const second = await launch({ home })
  await expect.poll(() => boundsOf(second)).toEqual(bounds)
})

test('two homes run side by side', async ({ launch }) => {
  const [one, other] = [await launch(), await launch()]
  expect(one.home).not.toBe(other.home)
  expect(other.page.url()).toBe(one.page.url())
})

function boundsOf({ app }: RunningApp): Promise<unknown> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
}
