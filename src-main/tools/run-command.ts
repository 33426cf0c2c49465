// Owns the life of one command's process: start, output, end. It ends by itself, by its time limit, or by the
// abort signal, and is answered in each case, even when something that it left behind holds its pipe open.
import { spawn, type ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { BASH_DRAIN_MS, KILL_GRACE_MS } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import { systemCodeOf } from '../files/file-error'
import type { ProcessKeeper } from './process-keeper'
import { killProcesses, type ProcessTarget } from './process-tree'
import { NON_INTERACTIVE, shellLineFor } from './shell'

export interface CommandStart {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly keeper: ProcessKeeper
  onBytes(bytes: Uint8Array): void
}

export interface CommandExit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

export interface RunningCommand {
  readonly pid: number
  /** Settles when the process ended and its output was read; never rejects. */
  readonly ended: Promise<CommandExit>
  /** Ends the whole tree; settles when it is gone. */
  kill(graceMs?: number): Promise<void>
  /** Lets our own process end although this one goes on. */
  unref(): void
}

const SPAWN_WORDS: Readonly<Record<string, string>> = {
  E2BIG: 'The command line is too long: write it to a script file and run that.',
  EACCES: 'The shell may not be started here: permission was denied.',
  EAGAIN: 'The system has no room for another process.',
  ENOMEM: 'The system has no memory for another process.'
}

/** Starts a command. Fails with words for the model when it cannot even begin. */
export async function startCommand(start: CommandStart): Promise<Result<RunningCommand, string>> {
  if (start.command.includes('\0')) return err('The command holds a NUL byte.')
  if (!(await isFolder(start.cwd))) return err(`The project folder ${start.cwd} is not there.`)
  const run = start.keeper.newRun()
  const { file, args } = shellLineFor(start.command)
  const env = { ...start.env, ...NON_INTERACTIVE, ...run.variables }
  try {
    const child = spawn(file, args, {
      cwd: start.cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true
    })
    child.stdout.on('data', start.onBytes)
    child.stderr.on('data', start.onBytes)
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    const pid = child.pid ?? 0
    start.keeper.add(pid)
    return ok(follow(child, { marker: run.marker, leader: pid }, start.keeper))
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === null) throw cause
    return err(SPAWN_WORDS[code] ?? `The shell could not be started (${code}).`)
  }
}

function follow(child: ChildProcess, target: ProcessTarget, keeper: ProcessKeeper): RunningCommand {
  const pid = target.leader ?? 0
  const closed = new Promise<true>((resolve) => child.once('close', () => resolve(true)))
  const exited = new Promise<CommandExit>((resolve) =>
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  )
  const ended = exited.then(async (exit) => {
    const drained = await Promise.race([closed, delay(BASH_DRAIN_MS, false)])
    if (drained) keeper.forget(pid)
    else letGo(child)
    return exit
  })
  return {
    pid,
    ended,
    async kill(graceMs = KILL_GRACE_MS) {
      await killProcesses(target, graceMs)
      await ended
    },
    unref() {
      child.unref()
      for (const stream of [child.stdout, child.stderr]) unrefStream(stream)
    }
  }
}

/** What was left behind may go on printing to nobody: closing the pipe would end it by a signal. */
function letGo(child: ChildProcess): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.removeAllListeners('data').resume()
    unrefStream(stream)
  }
}

/** A child's pipe is a socket, which its type does not say. */
function unrefStream(stream: ChildProcess['stdout']): void {
  if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return false
  }
}
