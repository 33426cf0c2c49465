// Owns telling whether the process that a lock names is still that process: ids are given again.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCodeOf } from './file-error'

export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** When the process started, in a form that only this machine compares; null where it cannot be known. */
  readonly startTime: string | null
}

/** The identity of the process that runs this. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), startTime: startTimeOf(process.pid)?.startTime ?? null }
}

/**
 * False only when it is certain that the process is gone: same host, and the id is free, belongs to a
 * zombie or was given to a process that started at another time. Another host's process counts as running.
 */
export function mayBeRunning(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true
  if (!hasProcess(identity.pid)) return false
  const found = startTimeOf(identity.pid)
  if (found === null) return true
  if (found.isZombie) return false
  return identity.startTime === null || !START_TIME.test(identity.startTime) || identity.startTime === found.startTime
}

/** Boot id and clock ticks since then: ticks alone could repeat after a restart of the machine. */
const START_TIME = /^[0-9a-f-]{36}:\d+$/

function hasProcess(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // EPERM: it runs, as another user.
    return systemCodeOf(cause) === 'EPERM'
  }
}

/** From /proc, null where there is none (macOS, Windows): then the id alone decides. */
function startTimeOf(pid: number): { startTime: string; isZombie: boolean } | null {
  if (process.platform !== 'linux') return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in brackets, may itself hold brackets and spaces: fields count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const [state, startTicks] = [fields[0], fields[19]]
    return startTicks === undefined
      ? null
      : { startTime: `${bootId}:${startTicks}`, isZombie: state === 'Z' || state === 'X' }
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return null
  }
}
