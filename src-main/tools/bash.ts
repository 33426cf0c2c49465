// Owns the bash tool: a command in a real shell in the project, its output streamed, capped and kept, its
// whole process tree ended by the time limit or the abort signal. In the background it only writes a log.
import { setTimeout as delay } from 'node:timers/promises'
import { BASH_DEFAULT_TIMEOUT_SECS, BASH_MAX_TIMEOUT_SECS } from '@common/constants'
import { err, ok } from '@common/result'
import type { ToolInput, ToolOutput } from '@common/tools/tool-contracts'
import { defineTool } from './define-tool'
import { logCapped, OutputLog } from './output-log'
import { collapse, createLineCollapser, createPrintableDecoder } from './printable-output'
import type { ProcessKeeper } from './process-keeper'
import { startCommand, type CommandExit, type RunningCommand } from './run-command'
import type { ToolDefinition, ToolOutcome, ToolRun } from './tool-types'

type Input = ToolInput<'bash'>
type Output = ToolOutput<'bash'>
type EndReason = 'exit' | 'timeout' | 'abort'

/** Linux takes 128 KiB as one argument; a person who is asked should be able to read it at all. */
const MAX_COMMAND_BYTES = 100_000
const TOO_LONG = 'The command line is too long: write it to a script file and run that.'

/** The tool; what it leaves running belongs to `keeper`. */
export function createBash(keeper: ProcessKeeper): ToolDefinition<Input, Output> {
  return defineTool('bash', {
    touch(input, run) {
      if (Buffer.byteLength(input.command) > MAX_COMMAND_BYTES) return Promise.resolve(err(TOO_LONG))
      const subject = { kind: 'command' as const, command: input.command, cwd: run.projectRoot }
      return Promise.resolve(ok({ effect: 'run', paths: [], outside: false, command: input.command, subject }))
    },
    execute(input, run) {
      if (run.abortSignal.aborted)
        return Promise.resolve({ kind: 'interrupted', message: 'The command was not started.' })
      return input.run_in_background === true ? runBehind(input, run, keeper) : runHere(input, run, keeper)
    }
  })
}

async function runHere(input: Input, run: ToolRun, keeper: ProcessKeeper): Promise<ToolOutcome<Output>> {
  const decoder = createPrintableDecoder()
  const lines = createLineCollapser()
  const log = new OutputLog(run.spill)
  const take = (text: string): void => {
    if (text !== '') run.onOutput(collapse(text))
    log.append(lines.push(text))
  }
  const started = await startCommand({
    command: input.command,
    cwd: run.projectRoot,
    env: run.childEnv,
    keeper,
    onBytes: (bytes) => take(decoder.push(bytes))
  })
  if (!started.ok) return { kind: 'failed', message: started.error }
  const seconds = Math.min(input.timeout_secs ?? BASH_DEFAULT_TIMEOUT_SECS, BASH_MAX_TIMEOUT_SECS)
  const reason = await endOf(started.value, seconds * 1_000, run.abortSignal)
  const exit = await started.value.ended
  take(decoder.finish())
  log.append(lines.finish())
  const { text, spill } = await log.finish()
  const kept = spill === undefined ? {} : { spill }
  if (reason === 'abort')
    return {
      kind: 'interrupted',
      message: `Interrupted; all its processes were ended. Output so far:\n${text}`,
      ...kept
    }
  const output = withLine(text, endLine(reason, exit, seconds))
  if (reason === 'timeout') return { kind: 'done', output: { exit_code: null, output, timed_out: true }, ...kept }
  return { kind: 'done', output: { exit_code: exit.exitCode, output }, ...kept }
}

/** Waits for the first of the three ends; for the latter two the tree is gone when this settles. */
async function endOf(command: RunningCommand, timeoutMs: number, abortSignal: AbortSignal): Promise<EndReason> {
  const stopWaiting = new AbortController()
  const aborted = new Promise<EndReason>((resolve) => {
    if (abortSignal.aborted) resolve('abort')
    abortSignal.addEventListener('abort', () => resolve('abort'), { once: true, signal: stopWaiting.signal })
  })
  const timedOut = delay<EndReason>(timeoutMs, 'timeout', { signal: stopWaiting.signal }).catch((cause: unknown) => {
    if (stopWaiting.signal.aborted) return 'exit' as const
    throw cause
  })
  const reason = await Promise.race([command.ended.then((): EndReason => 'exit'), aborted, timedOut])
  stopWaiting.abort()
  if (reason !== 'exit') await command.kill()
  return reason
}

function endLine(reason: EndReason, exit: CommandExit, seconds: number): string {
  if (reason === 'timeout') return `[timed out after ${seconds} s; all its processes were ended]`
  return exit.signal === null ? '' : `[ended by ${exit.signal}]`
}

function withLine(text: string, line: string): string {
  if (line === '') return text
  return text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`
}

async function runBehind(input: Input, run: ToolRun, keeper: ProcessKeeper): Promise<ToolOutcome<Output>> {
  const stream = run.spill.openStream()
  const decoder = createPrintableDecoder()
  let loggedBytes = 0
  const log = (text: string): void => {
    loggedBytes = logCapped(stream, collapse(text), loggedBytes)
  }
  const started = await startCommand({
    command: input.command,
    cwd: run.projectRoot,
    env: run.childEnv,
    keeper,
    onBytes: (bytes) => log(decoder.push(bytes))
  })
  if (!started.ok) {
    await stream.finish()
    return { kind: 'failed', message: started.error }
  }
  const { pid, ended, unref } = started.value
  unref()
  const closeLog = ended.then((exit) => {
    log(decoder.finish())
    log(`\n[ended with ${exit.signal ?? `exit code ${exit.exitCode ?? '?'}`}]\n`)
    return stream.finish()
  })
  // A log that cannot be kept any more (a full disk) has nobody left to be told to.
  closeLog.catch(() => run.onOutput('[the log could not be kept]'))
  const name = stream.id === undefined ? stream.path : `spill:${stream.id}`
  return { kind: 'done', output: { exit_code: null, output: '', background: { pid, log: name } } }
}
