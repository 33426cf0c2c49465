// Starts the built app for an end-to-end test: its own TIDEMARK_HOME, its own instance lock, console
// errors collected from the first moment. The `launch` fixture closes what a test left open, keeps a
// screenshot of a failure and fails a test whose page logged an error. Folders of a test outlive its apps:
// Chromium may spin for ever on the way out when its data is gone.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { _electron, expect, test as base, type ElectronApplication, type Page } from '@playwright/test'

export interface LaunchOptions {
  /** A home to use again, for tests that start the app twice; the fixture makes one when it is left out. */
  readonly home?: string
  /** Opened without a dialog. */
  readonly project?: string
  /** Added to the environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** More arguments for Electron. */
  readonly args?: readonly string[]
}

export interface RunningApp {
  readonly app: ElectronApplication
  readonly page: Page
  readonly home: string
  /** Console errors and uncaught exceptions of the page so far. */
  readonly consoleErrors: readonly string[]
  /** Writes test-results/NAME.png. */
  screenshot(name: string): Promise<void>
  /** Kills the main process with SIGKILL, as a power cut would, and waits until it is gone. */
  killHard(): Promise<void>
  /** Quits as a person would; safe to call twice. */
  close(): Promise<void>
}

const PASSED_ON = ['PATH', 'HOME', 'DISPLAY', 'XAUTHORITY', 'LANG', 'TMPDIR', 'ELECTRON_OVERRIDE_DIST_PATH', 'CI']

/** What Node prints when it lets go of its debugger: every file is closed, and no line of ours runs any more. */
const NODE_ENDS = 'Debugger ending on'
/**
 * Under a debugger one end in fifty never comes: Node 18 then spins in its clean-up (seen in FreeEnvironment; a
 * hundred ends without a debugger all came).
 */
const END_LIMIT_MS = 3_000
/** The app gives itself 15 s to close (electron/main.ts); one that is there after this hangs, and fails the test. */
const QUIT_LIMIT_MS = 25_000

function environment(home: string, added: LaunchOptions['env']): Record<string, string> {
  const kept = PASSED_ON.map((name) => [name, process.env[name]] as const)
  // Not the whole environment: a person's real API keys must not reach a test.
  const all = [...kept, ['TIDEMARK_HOME', home] as const, ...Object.entries(added ?? {})]
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Starts the app and waits for its window. The caller closes it; most tests use the `launch` fixture. */
export async function launchApp(options: LaunchOptions & { readonly home: string }): Promise<RunningApp> {
  const { home } = options
  const project = options.project === undefined ? [] : ['--project', options.project]
  const app = await _electron.launch({
    args: ['.', ...project, '--disable-gpu', ...(options.args ?? [])],
    env: environment(home, options.env)
  })
  const consoleErrors: string[] = []
  app.context().on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text())
  })
  app.context().on('weberror', (error) => consoleErrors.push(String(error.error())))
  const page = await app.firstWindow()
  const main = app.process()
  const gone = new Promise<void>((resolve) => main.once('exit', () => resolve()))
  let complaints = ''
  const ended = new Promise<void>((resolve) =>
    main.stderr?.on('data', (chunk) => {
      complaints += String(chunk)
      if (complaints.includes(NODE_ENDS)) resolve()
    })
  )
  const isGone = (): boolean => main.exitCode !== null || main.signalCode !== null
  return {
    app,
    page,
    home,
    consoleErrors,
    screenshot: async (name) => void (await page.screenshot({ path: join('test-results', `${name}.png`) })),
    async killHard() {
      if (!isGone()) main.kill('SIGKILL')
      await gone
    },
    async close() {
      if (isGone()) return
      const closing = app.close()
      const isHanging = await Promise.race([
        gone.then(() => false),
        ended.then(() => delay(END_LIMIT_MS, false, { ref: false })),
        delay(QUIT_LIMIT_MS, true, { ref: false })
      ])
      if (!isGone()) main.kill('SIGKILL')
      await Promise.all([closing, gone])
      if (isHanging) throw new Error(`The app did not end within ${QUIT_LIMIT_MS} ms. It had said:\n${complaints}`)
    }
  }
}

export type Files = Readonly<Record<string, string>>

interface LaunchFixtures {
  /** Makes a temporary folder with these files; it is removed after the test. */
  readonly folder: (files?: Files) => Promise<string>
  /** For tests that provoke errors on purpose. */
  readonly consoleErrorsExpected: boolean
  readonly launch: (options?: LaunchOptions) => Promise<RunningApp>
}

/** `test` with `launch`: like launchApp, and cleaned up after the test. */
export const test = base.extend<LaunchFixtures>({
  folder: async ({}, use) => {
    const made: string[] = []
    await use(async (files = {}) => {
      const path = await mkdtemp(join(tmpdir(), 'tidemark-e2e-'))
      made.push(path)
      await writeFiles(path, files)
      return path
    })
    for (const path of made) await rm(path, { recursive: true, force: true })
  },
  consoleErrorsExpected: [false, { option: true }],
  launch: async ({ folder, consoleErrorsExpected }, use, testInfo) => {
    const running: RunningApp[] = []
    await use(async (options = {}) => {
      const one = await launchApp({ ...options, home: options.home ?? (await folder()) })
      running.push(one)
      return one
    })
    for (const one of running) {
      const failed = testInfo.status !== testInfo.expectedStatus
      if (failed && !one.page.isClosed())
        await keepPicture(one.page, testInfo.outputPath(`failure-${running.indexOf(one)}.png`))
      await one.close()
    }
    if (!consoleErrorsExpected) expect(running.flatMap((one) => one.consoleErrors)).toEqual([])
  }
})

/** Writes files below a folder, making the folders between. */
export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

/** A window that paints nothing more gives no picture; that must not hide why the test failed. */
async function keepPicture(page: Page, path: string): Promise<void> {
  try {
    await page.screenshot({ path, timeout: 5_000 })
  } catch (error) {
    console.error(`no picture of the failure: ${String(error)}`)
  }
}
