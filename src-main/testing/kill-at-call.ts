// Owns a death at a chosen moment, for processes of tests: before its n-th change of the disk the process kills itself,
// so that every state between two system calls can be looked at. Only for a process that is there to die.
import fs from 'node:fs'

/** Calls that change what a disk holds or make it last; what is open or read is as before a crash. */
const CHANGES: readonly string[] = [
  'appendFile',
  'chmod',
  'copyFile',
  'fchmod',
  'fdatasync',
  'fsync',
  'ftruncate',
  'link',
  'mkdir',
  'rename',
  'rm',
  'unlink',
  'write',
  'writeFile'
]

export interface Changes {
  /** Changes of the disk since `countChanges`. */
  readonly count: number
}

/** Counts changes from now on and dies right before number `killAt`, from 1; 0 for never. */
export function countChanges(killAt: number): Changes {
  const changes = { count: 0 }
  const names = CHANGES.flatMap((name) => [name, `${name}Sync`])
  for (const holder of [fs, fs.promises] as unknown as Record<string, unknown>[]) {
    for (const name of names) {
      const act = holder[name]
      if (typeof act !== 'function') continue
      holder[name] = (...args: unknown[]): unknown => {
        changes.count++
        if (changes.count === killAt) process.kill(process.pid, 'SIGKILL')
        return act.apply(holder, args) as unknown
      }
    }
  }
  return changes
}
