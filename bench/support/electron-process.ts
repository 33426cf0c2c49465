// Owns Electron as a bare process, for starts that are timed from outside: nothing is attached to it.
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const QUIT_LIMIT_MS = 20_000
const START_LIMIT_MS = 60_000

/** The runtime that scripts/bench.mjs chose. */
export function electronBinary(): string {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH']
  if (folder === undefined) throw new Error('No Electron was chosen: start through `npm run bench`.')
  const names: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'Electron.app/Contents/MacOS/Electron',
    win32: 'electron.exe'
  }
  return join(folder, names[process.platform] ?? 'electron')
}

/** Arguments that every start here needs: no graphics card; root has no sandbox. */
export function electronArguments(): string[] {
  return ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
}

/** Nothing of the person's own environment but what a window needs. */
export function plainEnvironment(added: Readonly<Record<string, string>>): Record<string, string> {
  const names = ['PATH', 'HOME', 'DISPLAY', 'XAUTHORITY', 'LANG', 'TMPDIR', 'ELECTRON_OVERRIDE_DIST_PATH']
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return { ...Object.fromEntries(kept), ...added }
}

export interface StartedProcess {
  readonly startedAtMs: number
  /** Resolves with the first value that `find` gives for the output so far, asked again with each piece of it. */
  until<Value>(find: (output: string) => Value | null): Promise<Value>
  /** As a person would; killed when it does not end. */
  quit(): Promise<void>
}

/** Starts an app's folder. */
export function startElectron(folder: string, environment: Readonly<Record<string, string>>): StartedProcess {
  const startedAtMs = Date.now()
  const child = spawn(electronBinary(), [folder, ...electronArguments()], {
    env: plainEnvironment(environment),
    stdio: ['ignore', 'pipe', 'ignore']
  })
  let output = ''
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()))
  return { startedAtMs, until: (find) => waitFor(child, () => find(output)), quit: () => quit(child) }
}

async function waitFor<Value>(child: ChildProcess, find: () => Value | null): Promise<Value> {
  const until = Date.now() + START_LIMIT_MS
  for (;;) {
    const found = find()
    if (found !== null) return found
    if (child.exitCode !== null || Date.now() > until) throw new Error('Electron did not come as far as it should.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function quit(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), QUIT_LIMIT_MS)
  await gone
  clearTimeout(timer)
}
