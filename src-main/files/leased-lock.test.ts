import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '@common/clock'
import { nodeFileSystem } from './file-system'
import { LeasedLock } from './leased-lock'
import { newOwner } from './lock-owner'

const clock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
}

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-lease-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'history.lock')
}

test('H-7 tasks that follow each other take the lock once, and it is given back soon after', async () => {
  const path = lockPath()
  let links = 0
  const lock = new LeasedLock(path, clock, {
    ...nodeFileSystem,
    link(from, to) {
      links++
      nodeFileSystem.link(from, to)
    }
  })
  for (let task = 0; task < 50; task++) {
    expect((await lock.beginTask(0)).ok).toBe(true)
    lock.endTask()
  }
  expect(links).toBe(1)
  while (lock.isHeld) await clock.sleep(1)
  expect(existsSync(path)).toBe(false)
  lock.close()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('H-7 who waits gets the lock in the middle of a burst, and the burst goes on after', async () => {
  const path = lockPath()
  const [busy, waiting] = [new LeasedLock(path, clock), new LeasedLock(path, clock)]
  const served = { isDone: false }
  const serving = (async () => {
    expect((await waiting.beginTask(5_000)).ok).toBe(true)
    served.isDone = true
    waiting.endTask()
  })()
  let tasksBefore = 0
  do {
    expect((await busy.beginTask(5_000)).ok).toBe(true)
    await clock.sleep(0)
    busy.endTask()
    tasksBefore++
  } while (!served.isDone && tasksBefore < 1_000)
  await serving
  expect(served.isDone).toBe(true)
  expect(tasksBefore).toBeLessThan(1_000)
  expect((await busy.beginTask(5_000)).ok).toBe(true)
  busy.close()
  waiting.close()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('H-7 a lock that another took by hand is noticed before the next task', async () => {
  const path = lockPath()
  const lock = new LeasedLock(path, clock)
  await lock.beginTask(0)
  lock.endTask()
  writeFileSync(path, JSON.stringify(newOwner()))
  expect(await lock.beginTask(0)).toMatchObject({ ok: false, error: { kind: 'held' } })
})
