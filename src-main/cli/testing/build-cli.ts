// Builds the command line once before the tests that run it; nothing to do when it is newer than its sources.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/** Vitest's global set-up. */
export function setup(): void {
  const built = spawnSync(process.execPath, [path.join(root, 'scripts/tidemark.mjs'), '--help'], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`the command line did not build:\n${built.stderr}`)
}
