// Runs the built command line as a person does: a real process, real files, real signals.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ProviderEntry } from '../../../src-common/settings/provider-schema'

/** Set by the tests' set-up (build-cli). */
const program = process.env['TIDEMARK_CLI_UNDER_TEST'] ?? ''

export type JsonEvent = Readonly<Record<string, unknown>> & { readonly type?: string }

export interface FinishedRun {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Lines of stdout as JSON. */
  readonly events: readonly JsonEvent[]
  readonly last: JsonEvent
}

export interface RunningCommand {
  readonly pid: number
  readonly finished: Promise<FinishedRun>
  kill(signal: NodeJS.Signals): void
  /** Resolves once stdout holds `text`. */
  printed(text: string): Promise<void>
}

export interface CommandHome {
  readonly base: string
  readonly home: string
  readonly project: string
  setProviders(...providers: readonly ProviderEntry[]): void
  start(args: readonly string[], options?: RunOptions): RunningCommand
  run(args: readonly string[], options?: RunOptions): Promise<FinishedRun>
  /** `run --project … --json` with a prompt. */
  ask(prompt: string, ...flags: readonly string[]): Promise<FinishedRun>
  remove(): void
}

export interface RunOptions {
  readonly stdin?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A fresh home and project; `base` may name a folder to lie in (a small disk, say). */
export function commandHome(within: string = tmpdir()): CommandHome {
  const base = realpathSync(mkdtempSync(path.join(within, 'tidemark-cli-')))
  const [home, project] = [path.join(base, 'home'), path.join(base, 'project')]
  mkdirSync(home, { mode: 0o700 })
  mkdirSync(project)
  const start: CommandHome['start'] = (args, options = {}) => startCommand(home, args, options)
  return {
    base,
    home,
    project,
    setProviders: (...providers) =>
      writeFileSync(path.join(home, 'providers.json'), JSON.stringify({ providers }, null, 2), { mode: 0o600 }),
    start,
    run: (args, options) => start(args, options).finished,
    ask: (prompt, ...flags) =>
      start(['run', '--project', project, '--approve', 'auto', '--prompt', prompt, '--json', ...flags]).finished,
    remove: () => rmSync(base, { recursive: true, force: true })
  }
}

function startCommand(home: string, args: readonly string[], options: RunOptions): RunningCommand {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? home,
    env: { PATH: process.env['PATH'], HOME: home, TIDEMARK_HOME: home, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  let [stdout, stderr] = ['', '']
  const watchers = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
    for (const watcher of watchers) watcher()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.stdin ?? '')
  const finished = new Promise<FinishedRun>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const events = args.includes('--json') ? eventsOf(stdout) : []
      resolve({ code, signal, stdout, stderr, events, last: events.at(-1) ?? {} })
    })
  })
  return {
    pid: child.pid ?? -1,
    finished,
    kill: (signal) => void child.kill(signal),
    printed: (text) =>
      new Promise((resolve) => {
        const watcher = (): void => {
          if (!stdout.includes(text)) return
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
        watcher()
      })
  }
}

/** Complete lines only: a killed process may leave half a line. */
function eventsOf(stdout: string): JsonEvent[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonEvent)
}
