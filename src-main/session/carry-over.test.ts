// K-3: what a compaction carries is built in time or left out, and nothing on the disk stands in its way.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { planFileOf } from '@common/agents/protected-paths'
import { MAX_CARRIED_PLAN_BYTES, POST_COMPACTION_CONTEXT_MS } from '@common/constants'
import { ok } from '@common/result'
import { silentLog } from '../files/log'
import { createManualClock } from '../provider/testing/manual-clock'
import { fastTempFolder } from '../testing/fast-temp-folder'
import { SeenFiles } from '../tools/seen-files'
import { carryOver, type CarryOverDeps } from './carry-over'
import { WorkspaceFile } from './workspace-file'

let project = ''
let plan = ''
beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(fastTempFolder(), 'tidemark-carry-')))
  plan = path.join(project, planFileOf('ws'))
  mkdirSync(path.dirname(plan), { recursive: true })
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

const counted: CarryOverDeps['counter'] = { countText: async (text) => ok(text.length) }
const clock = createManualClock()

function carried(changes: Partial<CarryOverDeps> = {}, abortSignal = new AbortController().signal) {
  const todo = [{ content: 'the item', status: 'pending' }]
  const file = WorkspaceFile.parse({ id: 'ws', projectPath: project, todo })
  const opened = { workspace: { file }, seenFiles: new SeenFiles() }
  const deps = { clock, log: silentLog, counter: counted, ...changes }
  return carryOver(deps, opened, { windowRows: [], encoding: 'o200k_base', abortSignal })
}

it.skipIf(process.platform === 'win32')(
  'K-3 does not wait for a plan that is a pipe, and carries the rest',
  async () => {
    execFileSync('mkfifo', [plan])
    const context = await carried()
    expect(context?.text).toContain(`The plan (${planFileOf('ws')}) is not here: `)
    expect(context?.text).toContain('named pipe')
    expect(context?.text).toContain('the item')
    expect(context).not.toHaveProperty('plan')
  }
)

it.each([
  ['a folder', () => mkdirSync(plan), 'is a folder'],
  ['too long', () => writeFileSync(plan, 'x'.repeat(MAX_CARRIED_PLAN_BYTES + 1)), 'over the 240000 that fit'],
  ['no text', () => writeFileSync(plan, Buffer.from([0, 1, 2])), 'it is no text']
])('K-3 says why a plan is not carried that is %s', async (_name, make, words) => {
  make()
  const context = await carried()
  expect(context?.text).toContain(words)
  expect(context?.text).toContain('the item')
})

it('K-3 follows no link out of the project', async () => {
  const elsewhere = path.join(project, '..', `${path.basename(project)}-secret`)
  writeFileSync(elsewhere, 'the secret')
  symlinkSync(elsewhere, plan)
  const context = await carried()
  rmSync(elsewhere)
  expect(context?.text).toContain('the item')
  expect(context?.text).not.toContain('secret')
})

it('K-3 leaves out what is not built within its time', async () => {
  const slow = createManualClock()
  const building = carried({ clock: slow, counter: { countText: () => new Promise(() => undefined) } })
  await slow.sleeping(POST_COMPACTION_CONTEXT_MS)
  await slow.advance(POST_COMPACTION_CONTEXT_MS - 1)
  await slow.advance(1)
  expect(await building).toBeNull()
})

it('K-3 gives up at once where the person stops the compaction', async () => {
  const stop = new AbortController()
  const building = carried({ counter: { countText: () => new Promise(() => undefined) } }, stop.signal)
  stop.abort()
  expect(await building).toBeNull()
})

it('K-3 answers nothing, and logs it, where the building itself fails', async () => {
  const logged: string[] = []
  const log = { ...silentLog, warn: (event: string) => void logged.push(event) }
  expect(await carried({ log, counter: { countText: () => Promise.reject(new Error('broken')) } })).toBeNull()
  expect(logged).toEqual(['post-compaction-context-failed'])
})

it('K-3 K-1 carries the rest where the project is gone', async () => {
  rmSync(project, { recursive: true })
  expect((await carried())?.text).toContain('the item')
})
