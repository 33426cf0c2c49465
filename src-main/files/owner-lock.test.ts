import { spawn } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '@common/clock'
import { fastTempFolder } from '../testing/fast-temp-folder'
import { nodeFileSystem } from './file-system'
import { newOwner } from './lock-owner'
import { acquireOwnerLock, OwnerLockFile } from './owner-lock'
import { removeStaleLocks } from './remove-stale-locks'

const clock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
}
const AT_ONCE = { waitMs: 0, clock }

function lockPath(): string {
  const folder = mkdtempSync(join(fastTempFolder(), 'tidemark-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'history.lock')
}

/** Id of a process that has just ended, its exit seen. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.once('exit', resolve))
  return child.pid ?? 0
}

test('H-7 a lock names pid, host and start time, is 0600, and is gone when released', async () => {
  const path = lockPath()
  const lock = await acquireOwnerLock(path, AT_ONCE)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  if (lock.ok) lock.value.release()
  if (lock.ok) lock.value.release()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('H-7 a held lock is refused with its owner and a clear sentence, and had once it is released', async () => {
  const path = lockPath()
  const first = await acquireOwnerLock(path, AT_ONCE)
  const refused = await acquireOwnerLock(path, AT_ONCE)
  expect(refused).toMatchObject({ ok: false, error: { kind: 'held', owner: { pid: process.pid } } })
  if (!refused.ok) expect(refused.error.message).toContain(`process ${process.pid}`)
  const waiting = acquireOwnerLock(path, { waitMs: 5_000, clock })
  if (first.ok) first.value.release()
  expect((await waiting).ok).toBe(true)
})

test('H-7 a lock whose process ended is taken over, and nothing stays beside it', async () => {
  const path = lockPath()
  writeFileSync(path, JSON.stringify({ ...newOwner(), pid: await endedPid() }))
  const lock = await acquireOwnerLock(path, AT_ONCE)
  expect(lock.ok).toBe(true)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid })
  if (lock.ok) lock.value.release()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test.runIf(process.platform === 'linux')('H-7 a process id that was given again does not keep a lock', async () => {
  const path = lockPath()
  const owner = newOwner()
  const [boot] = owner.startTime?.split(':') ?? []
  writeFileSync(path, JSON.stringify({ ...owner, startTime: `${boot}:1` }))
  expect((await acquireOwnerLock(path, AT_ONCE)).ok).toBe(true)
})

test('H-7 a lock of another computer, or with a start time in a form we do not know, is not taken over', async () => {
  for (const change of [{ host: 'elsewhere.example' }, { startTime: 'Thu Jan 1' }, { startTime: null }]) {
    const path = lockPath()
    writeFileSync(path, JSON.stringify({ ...newOwner(), ...change }))
    expect(await acquireOwnerLock(path, AT_ONCE)).toMatchObject({ ok: false, error: { kind: 'held' } })
  }
})

test.each(['', '{"pid":', '[]', 'nonsense'])(
  'H-7 a lock that names nobody (%j) counts as held at first, later as left behind',
  async (content) => {
    const path = lockPath()
    writeFileSync(path, content)
    expect(await acquireOwnerLock(path, AT_ONCE)).toMatchObject({ ok: false, error: { kind: 'held' } })
    const aMinuteAgo = new Date(Date.now() - 60_000)
    utimesSync(path, aMinuteAgo, aMinuteAgo)
    expect((await acquireOwnerLock(path, AT_ONCE)).ok).toBe(true)
  }
)

test('H-7 of many who find a lock stale one gets it', async () => {
  const deadPid = await endedPid()
  for (let round = 0; round < 50; round++) {
    const path = lockPath()
    writeFileSync(path, JSON.stringify({ ...newOwner(), pid: deadPid }))
    const rivals = Array.from({ length: 8 }, () => new OwnerLockFile(path))
    const taken = rivals.map((rival) => rival.tryTake())
    expect(taken.filter((lock) => lock.ok)).toHaveLength(1)
  }
})

test('H-7 one who decided too late that a lock is stale does not take it from its new owner', async () => {
  const path = lockPath()
  writeFileSync(path, JSON.stringify({ ...newOwner(), pid: await endedPid() }))
  const winner = new OwnerLockFile(path)
  // The late one has read the stale lock and is about to ask for the right when the winner takes over.
  let isInterrupted = false
  const late = new OwnerLockFile(path, {
    ...nodeFileSystem,
    link(from, to) {
      if (to.includes('.over-') && !isInterrupted) {
        isInterrupted = true
        expect(winner.tryTake().ok).toBe(true)
      }
      linkSync(from, to)
    }
  })
  expect(late.tryTake()).toMatchObject({ ok: false, error: { kind: 'held' } })
  expect(isInterrupted).toBe(true)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ token: winner.owner.token })
})

test('H-7 one who died while taking over does not block the next', async () => {
  const path = lockPath()
  const pid = await endedPid()
  writeFileSync(path, JSON.stringify({ ...newOwner(), pid }))
  const dying = new OwnerLockFile(path, {
    ...nodeFileSystem,
    rename() {
      throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'rename' })
    },
    unlink() {
      throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'unlink' })
    }
  })
  expect(dying.tryTake().ok).toBe(false)
  for (const name of readdirSync(join(path, '..'))) {
    const file = join(path, '..', name)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), pid }))
  }
  const next = await acquireOwnerLock(path, AT_ONCE)
  expect(next.ok).toBe(true)
  removeStaleLocks(nodeFileSystem, path)
  expect(readdirSync(join(path, '..'))).toEqual(['history.lock'])
})

test('H-7 giving a lock back leaves one that is no longer ours', async () => {
  const path = lockPath()
  const first = await acquireOwnerLock(path, AT_ONCE)
  rmSync(path)
  const second = await acquireOwnerLock(path, AT_ONCE)
  if (first.ok) first.value.release()
  expect(existsSync(path)).toBe(true)
  if (second.ok) second.value.release()
  expect(existsSync(path)).toBe(false)
})

test('H-7 a lock that could not be removed when it was given back is removed at the end, so that others get it', async () => {
  const path = lockPath()
  let isBroken = true
  const file = new OwnerLockFile(path, {
    ...nodeFileSystem,
    unlink(name) {
      if (isBroken) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'unlink' })
      nodeFileSystem.unlink(name)
    }
  })
  const taken = file.tryTake()
  if (taken.ok) taken.value.release()
  expect((await acquireOwnerLock(path, AT_ONCE)).ok).toBe(false)
  isBroken = false
  file.close()
  expect(existsSync(path)).toBe(false)
  expect((await acquireOwnerLock(path, AT_ONCE)).ok).toBe(true)
})

test('H-7 a file system without hard links has locks too', async () => {
  const path = lockPath()
  const fs = {
    ...nodeFileSystem,
    link() {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'link' })
    }
  }
  const [a, b] = [new OwnerLockFile(path, fs), new OwnerLockFile(path, fs)]
  const taken = a.tryTake()
  expect(taken.ok).toBe(true)
  expect(b.tryTake().ok).toBe(false)
  if (taken.ok) taken.value.release()
  expect(b.tryTake().ok).toBe(true)
})

test('H-7 a lock that is given back while we look at it is had, not an error', async () => {
  const path = lockPath()
  const first = new OwnerLockFile(path).tryTake()
  const second = new OwnerLockFile(path, {
    ...nodeFileSystem,
    open(file, flags, mode) {
      if (file === path && first.ok) first.value.release()
      return nodeFileSystem.open(file, flags, mode)
    }
  })
  expect(second.tryTake().ok).toBe(true)
})
