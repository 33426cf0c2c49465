// Owns finding and ending all processes of a command: its group and session, its descendants, and those
// that left both, by a marker in their environment (Linux). Elsewhere the group and `tree-kill`.
// Invariant: never our own process, and never one that was not found in the same moment.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import treeKill from 'tree-kill'
import { systemCodeOf } from '../files/file-error'

export interface ProcessTarget {
  /** A prefix of the value of MARKER_VARIABLE. */
  readonly marker: string
  /** Leader of the process group, or null when it is only the marker that counts. */
  readonly leader: number | null
}

/** Set for every child; what forks away and becomes a daemon still carries it. */
export const MARKER_VARIABLE = 'TIDEMARK_TOOL_RUN'

/** How often ended processes are looked for. */
const POLL_MS = 25

/** A fork bomb may outrun one round of signals, not this many. */
const MAX_KILL_ROUNDS = 40

/** Asks all to end, waits `graceMs`, then kills until none is left. */
export async function killProcesses(target: ProcessTarget, graceMs: number): Promise<void> {
  if (process.platform !== 'linux') return killElsewhere(target, graceMs)
  const asked = findProcesses(target)
  signalAll(asked, 'SIGTERM')
  const deadline = Date.now() + graceMs
  while (asked.some(isRunning) && Date.now() < deadline) await delay(POLL_MS)
  for (let round = 0; round < MAX_KILL_ROUNDS; round++) {
    const left = findProcesses(target)
    if (left.length === 0) return
    signalAll(left, 'SIGKILL')
    await delay(POLL_MS)
  }
}

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
}

/** All living processes of the target, its leader first (Linux only). */
export function findProcesses({ marker, leader }: ProcessTarget): number[] {
  const entries = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => entryOf(Number(name)) ?? [])
    .filter(({ pid }) => pid !== process.pid)
  // The leader first: a shell would otherwise still report how its children ended.
  const found = new Set<number>(entries.some(({ pid }) => pid === leader) && leader !== null ? [leader] : [])
  for (const { pid, group, session } of entries)
    if (pid === leader || group === leader || session === leader || carries(pid, marker)) found.add(pid)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of entries) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

/** Null when it is gone or a zombie. */
function entryOf(pid: number): ProcessEntry | null {
  const text = readProc(pid, 'stat')
  // The name in parentheses may itself hold spaces and parentheses.
  const [state, ...numbers] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, group, session] = numbers.map(Number)
  if (state === undefined || state === 'Z' || state === 'X') return null
  if (parent === undefined || group === undefined || session === undefined) return null
  return { pid, parent, group, session }
}

function isRunning(pid: number): boolean {
  return entryOf(pid) !== null
}

function carries(pid: number, marker: string): boolean {
  return `\0${readProc(pid, 'environ')}`.includes(`\0${MARKER_VARIABLE}=${marker}`)
}

/** Empty when the process is gone or another user's. */
function readProc(pid: number, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return ''
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) signalOne(pid, signal)
}

/** A process that is gone, or is another user's, cannot be signalled: nothing to do about it here. */
function signalOne(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return false
  }
}

async function killElsewhere({ leader }: ProcessTarget, graceMs: number): Promise<void> {
  if (leader === null) return
  await signalTree(leader, 'SIGTERM')
  // On Windows the tree is ended by force at once.
  if (process.platform === 'win32') return
  const deadline = Date.now() + graceMs
  while (Date.now() < deadline && groupLives(leader)) await delay(POLL_MS)
  await signalTree(leader, 'SIGKILL')
}

async function signalTree(leader: number, signal: NodeJS.Signals): Promise<void> {
  await new Promise<void>((resolve) => treeKill(leader, signal, () => resolve()))
  if (process.platform !== 'win32') signalOne(-leader, signal)
}

function groupLives(leader: number): boolean {
  try {
    return process.kill(-leader, 0)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return false
  }
}
