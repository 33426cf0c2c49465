// Owns the process that edits a history for ever and is killed in the middle of it.
// Usage: node edit-child.cjs WORKSPACE SEED. Before each step it says on stdout what the rows will be, after it that
// they are: `will ["a","b"]`, `is ["a","b"]`.
import { writeSync } from 'node:fs'
import type { Clock } from '@common/clock'
import { silentLog } from '../../files/log'
import { openHistory } from '../history-store'
import { personRow, resetRow } from './row-builders'

const [, , workspaceDir = '', seed = '1'] = process.argv
const clock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
}

let state = Number(seed) + 1
/** Park and Miller: the same steps for the same seed. */
function pick(below: number): number {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}

function say(word: 'will' | 'is', ids: readonly string[]): void {
  writeSync(1, `${word} ${JSON.stringify(ids)}\n`)
}

async function main(): Promise<void> {
  const opened = await openHistory({ workspaceDir, clock, log: silentLog })
  if (!opened.ok) throw new Error(opened.error.message)
  const store = opened.value
  let ids: string[] = []
  for await (const { lines } of store.exportBatches())
    ids.push(...lines.map((line) => (JSON.parse(line) as { id: string }).id))
  say('is', ids)
  for (let count = 0; ; count++) {
    const id = `${seed}-${count}`
    const at = pick(Math.max(1, ids.length))
    const target = { id: ids[at] ?? '' }
    const step = ids.length < 6 ? pick(2) : pick(7)
    const isReset = (name: string | undefined): boolean => name?.endsWith('-reset') === true
    let next = ids
    let run
    if (step === 0) {
      next = [...ids, `${id}-reset`]
      say('will', next)
      run = store.appendMany([resetRow(`${id}-reset`)])
    } else if (step < 4 || isReset(ids[at])) {
      next = [...ids, id]
      say('will', next)
      run = store.appendMany([personRow(id, 'x'.repeat(pick(40_000)))])
    } else if (step === 4) {
      next = ids.slice(0, at)
      say('will', next)
      run = store.truncateFrom(target, { isConfirmed: true })
    } else if (step === 5) {
      next = ids.toSpliced(at, 1)
      say('will', next)
      run = store.deleteRow(target)
    } else {
      say('will', next)
      run = store.amendRow(target, { note: id })
    }
    const done = await run
    if (!done.ok) throw new Error(done.error.message)
    ids = next
    say('is', ids)
  }
}

void main().catch((cause: unknown) => {
  writeSync(2, `${String(cause)}\n`)
  process.exit(1)
})
