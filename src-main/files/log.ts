// Owns the log: one line of JSON an event in a private file, for people who look for a fault.
// Callers keep secrets and message texts out of the fields; a log that cannot be written never fails its caller.
import { appendFileSync, chmodSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '@common/clock'

export type LogFields = Readonly<Record<string, unknown>>

/** `event` is kebab-case, noun first (`receipt-write-failed`). */
export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** One older file is kept beside the present one, so that a log never takes more than twice this. */
const MAX_LOG_BYTES = 4_194_304

/** A log that says nothing: for tests and short commands. */
export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** Logs to `path` (0600), moved to `path.1` when it passes 4 MiB. */
export function createFileLog(path: string, clock: Clock): Log {
  let complained = false
  const write = (level: string, event: string, fields: LogFields = {}): void => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      rotate(path)
      appendFileSync(
        path,
        `${JSON.stringify({ at: new Date(clock.now()).toISOString(), level, event, ...fields })}\n`,
        {
          mode: 0o600
        }
      )
    } catch (cause) {
      // Said once on stderr: a log that fails each time would drown what it was asked to tell.
      if (!complained) process.stderr.write(`tidemark: could not write the log (${path}): ${String(cause)}\n`)
      complained = true
    }
  }
  return {
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields)
  }
}

function rotate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  if ((stats.mode & 0o777) !== 0o600) chmodSync(path, 0o600)
  if (stats.size > MAX_LOG_BYTES) renameSync(path, `${path}.1`)
}
