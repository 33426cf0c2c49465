// The desktop shell's entry: one instance a home, one window, and an order of things that starts
// fast and ends safely. The window opens first; the app behind it loads while the page runs, and
// requests wait for it. On the way out the app closes before the process ends.
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { WindowState } from '@common/settings/settings-schema'
import { app, type BrowserWindow, dialog } from 'electron'
import { z } from 'zod'
import { appPathsOf, appRootOf, PRIVATE_FOLDER_MODE } from '../src-main/files/app-paths'
import { registerAppScheme, serveRenderer } from './app-protocol'
import { answerRequests, sendEvents } from './ipc-transport'
import { launchArgumentsOf } from './launch-arguments'
import { installMenu } from './menu'
import { hardenAllPages } from './security'
import { APP_PAGE, pageOf } from './security-rules'
import { startApp, type StartedApp } from './start-app'
import { type OpenedWindow, openWindow } from './window'

/** A close that takes longer than this hangs; what is on disk is consistent at every instant anyway. */
const CLOSE_LIMIT_MS = 15_000

/** A page that asks for no script for this long does not keep the app from starting. */
const PAGE_LIMIT_MS = 1_000

/** What a second instance tells the first. */
const SecondInstance = z.object({ projectPath: z.string().nullable() })

const home = appRootOf(process.env, homedir())
const paths = appPathsOf(home)
const page = pageOf(process.env, app.isPackaged)
const launched = launchArgumentsOf(process.argv, process.env, process.cwd())

let opened: OpenedWindow | null = null
let started: Promise<StartedApp> | null = null
let lastSave: Promise<void> = Promise.resolve()
let closed = false

function currentWindow(): BrowserWindow | null {
  return opened === null || opened.window.isDestroyed() ? null : opened.window
}

function saveWindowState(state: WindowState): void {
  lastSave = started?.then((running) => running.saveWindowState(state)) ?? lastSave
}

function showWindow(): void {
  const window = currentWindow()
  if (window === null) {
    opened = openWindow({ page, configPath: paths.config, saveState: saveWindowState })
    return
  }
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

function sendCommand(command: string, argument: string | null = null): void {
  sendEvents(currentWindow(), { channel: 'app', events: [{ type: 'shell-command', command, argument }] })
}

async function start(): Promise<void> {
  await app.whenReady()
  const scriptServed = new Promise<void>((resolve) => serveRenderer(join(__dirname, '../renderer'), resolve))
  showWindow()
  const running = pageIsUnderWay(scriptServed).then(() =>
    startApp({
      home,
      projectPath: launched.projectPath,
      currentWindow,
      publish: (batch) => sendEvents(currentWindow(), batch)
    })
  )
  started = running
  answerRequests(currentWindow, page, async (name, input) => (await running).dispatch(name, input))
  installMenu((command) => sendCommand(command))
  await running
}

/** Resolves when the page has its script and runs it beside us: only then loading the app may block this thread. */
function pageIsUnderWay(scriptServed: Promise<void>): Promise<void> {
  if (page !== APP_PAGE) return Promise.resolve()
  return Promise.race([scriptServed, new Promise<void>((resolve) => setTimeout(resolve, PAGE_LIMIT_MS))])
}

/** Lets the app finish its last append, then ends. Called once. */
async function closeAndExit(): Promise<void> {
  const limit = new Promise<'limit'>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS, 'limit'))
  opened?.saveNow()
  const closing = lastSave.then(() => started).then((running) => running?.close())
  try {
    if ((await Promise.race([closing, limit])) === 'limit') console.error('the app did not close in time')
  } finally {
    closed = true
    app.exit(0)
  }
}

function wireLifeCycle(): void {
  let closing = false
  app.on('before-quit', (event) => {
    if (closed) return
    event.preventDefault()
    if (closing) return
    closing = true
    void closeAndExit()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('activate', showWindow)
  app.on('second-instance', (_event, _args, _folder, data) => {
    showWindow()
    const told = SecondInstance.safeParse(data)
    if (told.success && told.data.projectPath !== null) sendCommand('open-project', told.data.projectPath)
  })
}

/** Without its home or its app a window would only hang: says why and ends. */
function failToStart(cause: unknown): void {
  console.error(cause)
  const reason = cause instanceof Error ? cause.message : String(cause)
  dialog.showErrorBox('Tidemark could not start', `${reason}\n\nIts files are in ${home}.`)
  closed = true
  app.exit(1)
}

// Chromium's data lives in the home, and with it the single-instance lock: one instance a home.
try {
  mkdirSync(paths.electronData, { recursive: true, mode: PRIVATE_FOLDER_MODE })
} catch (cause) {
  failToStart(cause)
}
app.setPath('userData', paths.electronData)
// Every process, also ones that no window of ours asked for. Root runs without (see npm start), and
// the two together keep Chromium's helpers from starting.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerAppScheme()
hardenAllPages(page)

if (app.requestSingleInstanceLock(launched)) {
  wireLifeCycle()
  start().catch(failToStart)
} else {
  app.exit(0)
}
