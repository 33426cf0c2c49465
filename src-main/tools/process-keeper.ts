// Owns the processes that tools started: marks them, remembers their leaders, ends them all when the app closes.
import { randomUUID } from 'node:crypto'
import { KILL_GRACE_MS } from '@common/constants'
import { killProcesses, MARKER_VARIABLE } from './process-tree'

export interface KeptRun {
  readonly marker: string
  /** What the child's environment must hold. */
  readonly variables: Readonly<Record<string, string>>
}

export interface ProcessKeeper {
  /** A marker for one command. */
  newRun(): KeptRun
  /** Remembers a leader until it and all that it started are known to be gone. */
  add(leader: number): void
  forget(leader: number): void
  /** Ends everything that was started and still runs. */
  close(graceMs?: number): Promise<void>
}

export function createProcessKeeper(): ProcessKeeper {
  const id = randomUUID()
  const leaders = new Set<number>()
  let isUsed = false
  return {
    newRun() {
      isUsed = true
      const marker = `${id}.${randomUUID()}`
      return { marker, variables: { [MARKER_VARIABLE]: marker } }
    },
    add: (leader) => void leaders.add(leader),
    forget: (leader) => void leaders.delete(leader),
    async close(graceMs = KILL_GRACE_MS) {
      if (!isUsed) return
      // On Linux the shared part of the markers finds them all, those that left their group too.
      await Promise.all([
        killProcesses({ marker: `${id}.`, leader: null }, graceMs),
        ...[...leaders].map((leader) => killProcesses({ marker: `${id}.`, leader }, graceMs))
      ])
      leaders.clear()
    }
  }
}
