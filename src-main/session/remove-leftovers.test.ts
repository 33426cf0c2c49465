import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { workspacePathsOf } from '../files/app-paths'
import { systemClock } from '../files/system-clock'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { removeLeftovers } from './remove-leftovers'

/** No system gives an id this high. */
const NO_PROCESS = 99_999_999

it('T-2 takes away what killed processes left, and nothing of living ones', async () => {
  const workspace = tempWorkspace()
  const paths = workspacePathsOf(workspace.dir)
  mkdirSync(workspace.dir, { recursive: true })
  const lockOf = (pid: number) => JSON.stringify({ pid, host: hostname(), startTime: null, token: 'a' })
  const files = {
    'queue.json': '{"entries":[]}',
    '.queue.json.0123456789ab.tmp': 'old',
    '.workspace.json.0123456789ab.tmp': 'new',
    'queue.json.lock.0123456789abcdef': lockOf(NO_PROCESS),
    'queue.json.lock.fedcba9876543210': lockOf(process.pid),
    'turn.lock.0123456789abcdef': lockOf(NO_PROCESS),
    'turn.lock': lockOf(NO_PROCESS)
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(workspace.path(name), text)
  const hourAgo = Date.now() / 1_000 - 3_600
  utimesSync(workspace.path('.queue.json.0123456789ab.tmp'), hourAgo, hourAgo)
  await removeLeftovers(paths, systemClock)
  expect(readdirSync(workspace.dir).toSorted()).toEqual([
    '.workspace.json.0123456789ab.tmp',
    'queue.json',
    'queue.json.lock.fedcba9876543210'
  ])
})
