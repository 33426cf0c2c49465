// Owns where tests put their folders.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Memory where the system offers it: tests sync thousands of times, and a busy disk makes each one slow. */
export function fastTempFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
}
