// Builds the command line once before the tests that run it (nothing to do when it is newer than its sources) and
// gives them a copy of their own, since another build may replace it while they run.
import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/** Vitest's global set-up; answers its tear-down. The copy lies below `out/`, where packages are still found. */
export function setup(): () => void {
  const built = spawnSync(process.execPath, [path.join(root, 'scripts/tidemark.mjs'), '--help'], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`the command line did not build:\n${built.stderr}`)
  const copy = path.join(root, 'out', `cli-under-test-${process.pid}`)
  cpSync(path.join(root, 'out/cli'), copy, { recursive: true })
  process.env['TIDEMARK_CLI_UNDER_TEST'] = path.join(copy, 'tidemark.cjs')
  return () => rmSync(copy, { recursive: true, force: true })
}
