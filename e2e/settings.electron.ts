// Proves the settings in the whole app (U-10, L-1): a provider is added, tested and used; its key is never
// readable again; files that do not parse are told and left alone.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { composerOf, lastAnswer, request, say } from './support/conversation'
import { writeFiles } from './support/launch-app'
import { test } from './support/session-test'

const KEY = 'sk-planted-9f2c71'

test('U-10, L-1: a provider is added, tested and chosen, and its key is never readable again', async ({
  launch,
  folder,
  serve
}) => {
  const server = await serve({
    models: ['llama-tide'],
    turns: (seen) => ({ text: `You said ${JSON.stringify(seen.body).includes('Hello there') ? 'hello' : 'nothing'}.` })
  })
  const { page, home, screenshot } = await launch({ project: await folder() })
  await page.getByTestId('open-settings').click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByRole('menuitem', { name: /Other endpoint/ }).click()
  await settings.getByLabel('Name', { exact: true }).fill('Harbour')
  await settings.getByLabel('Id', { exact: true }).fill('harbour')
  await settings.getByLabel('Base URL').fill(server.baseUrl)
  await settings.getByLabel('Key', { exact: true }).fill(KEY)
  await settings.getByRole('button', { name: 'Add a model' }).click()
  await settings.getByLabel('Model 1', { exact: true }).fill('llama-tide')
  await settings.getByLabel('Context limit of model 1').fill('32000')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByText(/^✓ /)).toBeVisible()
  await screenshot('settings-provider')
  await settings.getByRole('button', { name: 'Edit Harbour' }).click()
  await expect(settings.getByLabel('Key', { exact: true })).toHaveValue('')
  await page.keyboard.press('Escape')

  expect(await page.content()).not.toContain(KEY)
  for (const name of ['providers.list', 'app.start', 'models.list'])
    expect(JSON.stringify(await request(page, name, {}))).not.toContain(KEY)
  expect((await readFile(join(home, 'logs', 'tidemark.log'), 'utf8').catch(() => '')).includes(KEY)).toBe(false)

  await page.getByTestId('model-picker').click()
  await page.getByRole('option', { name: /llama-tide/ }).click()
  await expect(page.getByTestId('model-picker')).toContainText('llama-tide')
  await say(page, 'Hello there')
  await expect(lastAnswer(page)).toContainText('You said hello.')
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
})

test('U-10: a provider that does not answer says where, and what to do', async ({ launch, folder, serve }) => {
  const server = await serve()
  await server.close()
  const gone = { id: 'gone', kind: 'openai-compatible', name: 'Gone', baseUrl: server.baseUrl, models: [{ id: 'm' }] }
  const home = await folder({ 'providers.json': JSON.stringify({ providers: [gone] }) })
  const { page } = await launch({ home })
  await page.getByTestId('open-settings').click()
  await page.getByRole('button', { name: 'Test connection to Gone' }).click()
  await expect(page.getByText(/^✗ /)).toContainText('Gone does not answer at 127.0.0.1')
  await expect(page.getByText(/^✗ /)).toContainText('start its server')
})

test('U-10: the theme changes at once and is kept', async ({ launch, folder }) => {
  const home = await folder()
  const first = await launch({ home })
  const background = (page: typeof first.page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await first.page.emulateMedia({ colorScheme: 'light' })
  const light = await background(first.page)
  await first.page.getByTestId('open-settings').click()
  await first.page.getByRole('tab', { name: 'Appearance' }).click()
  await first.page.getByRole('radio', { name: 'Dark' }).click()
  await expect.poll(() => background(first.page)).not.toBe(light)
  const dark = await background(first.page)
  await expect.poll(() => readFile(join(home, 'config.json'), 'utf8').catch(() => '')).toContain('dark')
  await first.close()
  const second = await launch({ home })
  await second.page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => background(second.page)).toBe(dark)
})

for (const name of ['config.json', 'providers.json'])
  test(`${name} that does not parse is told, left as it is, and the app works`, async ({ launch, folder }) => {
    const broken = '{ "providers": [ { "id": '
    const [home, project] = [await folder(), await folder({ 'README.md': '# hello\n' })]
    await writeFiles(home, { [name]: broken })
    const { page } = await launch({ home, project })
    await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: name }).first()).toBeVisible()
    await page.getByRole('button', { name: /^Notices, / }).click()
    await expect(page.getByRole('dialog', { name: 'Notices' })).toContainText(name)
    await page.keyboard.press('Escape')
    await expect(composerOf(page)).toBeVisible()
    expect(await readFile(join(home, name), 'utf8')).toBe(broken)
  })
