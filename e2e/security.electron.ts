// Proves that the shell's security holds in the running app: what a page that was taken over could
// try, and what comes of it. The list follows docs/security.md.
import { resolve } from 'node:path'
import { expect, type ElectronApplication, type Page } from '@playwright/test'
import { REQUESTS } from '@common/contract/requests'
import { test } from './support/launch-app'

// What a policy blocks, Chromium logs.
test.use({ consoleErrorsExpected: true })

/** Replaces the hand-over to the operating system by a list. */
async function recordOpened(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async (url) => void opened.push(url)
  })
  return () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
}

/** Sends a request that the types would not allow. */
function ask(page: Page, name: unknown, input: unknown): Promise<unknown> {
  return page.evaluate(
    ([askedName, askedInput]) => {
      const { tidemark } = window as unknown as { tidemark: { request(a: unknown, b: unknown): Promise<unknown> } }
      return tidemark.request(askedName, askedInput)
    },
    [name, input]
  )
}

test('the page has neither Node nor Electron, and a bridge of exactly two functions', async ({ launch }) => {
  const { page } = await launch()
  const seen = await page.evaluate(() => {
    const all = globalThis as unknown as Record<string, unknown>
    const names = [
      'require',
      'process',
      'module',
      'exports',
      'Buffer',
      'global',
      '__dirname',
      'electron',
      'ipcRenderer'
    ]
    const bridge = all['tidemark'] as Record<string, unknown>
    try {
      bridge['request'] = () => 'replaced'
    } catch (error) {
      console.log(`the bridge is frozen: ${String(error)}`)
    }
    return {
      leaked: names.filter((name) => name in all),
      bridge: Object.entries(bridge).map(([name, value]) => `${name}: ${typeof value}`),
      replaced: String(bridge['request']).includes('replaced')
    }
  })
  expect(seen.leaked).toEqual([])
  expect(seen.bridge.toSorted()).toEqual(['onEvent: function', 'request: function'])
  expect(seen.replaced).toBe(false)
})

test('every window is sandboxed, isolated and without Node', async ({ launch }) => {
  const { app } = await launch()
  const preferences = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => {
      const contents = window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      return contents.getLastWebPreferences()
    })
  )
  expect(preferences).toHaveLength(1)
  expect(preferences[0]).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false
  })
  for (const name of ['nodeIntegrationInWorker', 'navigateOnDragDrop', 'experimentalFeatures', 'enableBlinkFeatures'])
    expect(Boolean(preferences[0]?.[name]), name).toBe(false)
})

test('the policy blocks inline scripts, eval, remote content and frames', async ({ launch }) => {
  const { page } = await launch()
  const outcome = await page.evaluate(async () => {
    const blocked: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
    const all = globalThis as unknown as Record<string, unknown>
    const script = document.createElement('script')
    script.textContent = 'globalThis.inlineRan = true'
    document.body.append(script)
    const handler = document.createElement('div')
    handler.innerHTML = '<img src="data:," onerror="globalThis.handlerRan = true">'
    document.body.append(handler)
    const remote = document.createElement('script')
    remote.src = 'http://127.0.0.1:9/x.js'
    document.body.append(remote)
    const image = new Image()
    image.src = 'http://127.0.0.1:9/x.png'
    const frame = document.createElement('iframe')
    frame.src = 'http://127.0.0.1:9/'
    document.body.append(frame)
    const fetched = await fetch('http://127.0.0.1:9/').then(
      () => 'fetched',
      () => 'refused'
    )
    const file = await fetch('file:///etc/passwd').then(
      () => 'fetched',
      () => 'refused'
    )
    // In a task of its own: code sent by a debugger is exempt from the policy's word on eval.
    const evaluated = await new Promise<string>((done) => {
      setTimeout(() => {
        try {
          // oxlint-disable-next-line typescript/no-implied-eval -- that it fails is what is tested
          done(String(new Function('return "ran"')()))
        } catch (error) {
          done((error as Error).name)
        }
      }, 0)
    })
    await new Promise((done) => setTimeout(done, 300))
    return { blocked, fetched, file, evaluated, ran: ['inlineRan', 'handlerRan'].filter((name) => name in all) }
  })
  expect(outcome.ran).toEqual([])
  expect(outcome.evaluated).toBe('EvalError')
  expect([outcome.fetched, outcome.file]).toEqual(['refused', 'refused'])
  for (const directive of ['script-src-elem', 'script-src-attr', 'img-src', 'frame-src', 'connect-src'])
    expect(outcome.blocked).toContain(directive)
})

test('the app’s scheme serves the renderer’s folder and nothing beside it', async ({ launch }) => {
  const { page } = await launch()
  expect(page.url()).toBe('app://tidemark/index.html')
  const answers = await page.evaluate(() => {
    const paths = ['/index.html', '/../../package.json', '/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/%']
    return Promise.all(
      paths.map((path) =>
        fetch(path)
          .then(({ status }) => status)
          .catch(() => 'refused')
      )
    )
  })
  expect(answers).toEqual([200, 'refused', 'refused', 'refused', 'refused'])
})

test('navigation is refused, and only links with a safe scheme leave the app', async ({ launch }) => {
  const { app, page } = await launch()
  const opened = await recordOpened(app)
  for (const url of ['https://example.org/a', 'file:///etc/passwd', 'data:text/html,x', 'javascript:1', 'smb://h/s'])
    await page.evaluate((target) => {
      const link = document.createElement('a')
      link.href = target
      document.body.append(link)
      link.click()
    }, url)
  await expect.poll(opened).toEqual(['https://example.org/a'])
  expect(page.url()).toBe('app://tidemark/index.html')
})

test('no window is opened; a safe link goes to the system', async ({ launch }) => {
  const { app, page } = await launch()
  const opened = await recordOpened(app)
  const results = await page.evaluate(() =>
    ['https://example.org/w', 'file:///etc/passwd', 'app://tidemark/index.html', 'about:blank'].map(
      (url) => window.open(url) === null
    )
  )
  expect(results).toEqual([true, true, true, true])
  await expect.poll(opened).toEqual(['https://example.org/w'])
  expect(app.windows()).toHaveLength(1)
})

test('webviews are not made', async ({ launch }) => {
  const { app, page } = await launch()
  await page.evaluate(() => {
    const view = document.createElement('webview')
    view.setAttribute('src', 'https://example.org')
    document.body.append(view)
  })
  const contents = await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)
  expect(contents).toBe(1)
})

test('permissions are denied, but for writing text to the clipboard', async ({ launch }) => {
  const { page } = await launch()
  const outcome = await page.evaluate(async () => {
    const nameOf = (error: unknown): string => (error as Error).name
    return {
      notification: await Notification.requestPermission(),
      media: await navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'given', nameOf),
      screen: await navigator.mediaDevices.getDisplayMedia().then(() => 'given', nameOf),
      clipboard: await navigator.clipboard.readText().then(() => 'given', nameOf),
      copying: await navigator.clipboard.writeText('copied').then(() => 'given', nameOf),
      location: await new Promise((done) =>
        navigator.geolocation.getCurrentPosition(
          () => done('given'),
          (error) => done(error.code)
        )
      )
    }
  })
  expect(outcome).toMatchObject({ notification: 'denied', clipboard: 'NotAllowedError', location: 1, copying: 'given' })
  expect(outcome.media).not.toBe('given')
  expect(outcome.screen).not.toBe('given')
})

test('every request answers a wrong name or input with a typed error', async ({ launch }) => {
  const { page } = await launch()
  const failure = { ok: false, error: { kind: 'invalid-input', message: expect.any(String) } }
  for (const name of ['no.such', '', 'constructor', '__proto__', 'toString', 7, null, ['app.start']])
    expect(await ask(page, name, {}), String(name)).toMatchObject(failure)
  for (const name of Object.keys(REQUESTS))
    for (const input of [null, 7, 'text', [1]]) expect(await ask(page, name, input), name).toMatchObject(failure)
})

test('a request from another window or page is refused', async ({ launch }) => {
  const { app } = await launch()
  const answer = await app.evaluate(async ({ BrowserWindow }, preload) => {
    const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
    await stranger.loadURL('data:text/html,<p>stranger</p>')
    const result: unknown = await stranger.webContents.executeJavaScript('window.tidemark.request("app.start", {})')
    stranger.destroy()
    return result
  }, resolve('out/preload/preload.cjs'))
  expect(answer).toMatchObject({ ok: false, error: { kind: 'refused' } })
})
