import { expect, test } from 'vitest'
import { createPacedSync } from './paced-sync'

/** A disk whose next answer takes as long as it is told. */
function fakeDisk() {
  let nowMs = 0
  const disk = { tookMs: 0.2, log: [] as string[], isBroken: false }
  const answer = (how: string): void => {
    nowMs += disk.tookMs
    disk.log.push(how)
    if (disk.isBroken) throw new Error('EIO')
  }
  const sync = createPacedSync({
    now: () => answer('now'),
    later: async () => answer('later'),
    elapsedMs: () => nowMs
  })
  const waits = async (count: number): Promise<string[]> => {
    disk.log.length = 0
    for (let index = 0; index < count; index++) await sync(1)
    return [...disk.log]
  }
  return { disk, sync, waits }
}

test('a disk is waited for on another thread until it has shown to be quick', async () => {
  const { waits } = fakeDisk()
  expect(await waits(10)).toEqual([...Array.from({ length: 8 }, () => 'later'), 'now', 'now'])
})

test('a disk that becomes slow stops the caller once, and is trusted again after it was quick for a while', async () => {
  const { disk, waits } = fakeDisk()
  await waits(8)
  disk.tookMs = 100
  expect(await waits(4)).toEqual(['now', 'later', 'later', 'later'])
  disk.tookMs = 0.2
  expect(await waits(9)).toEqual([...Array.from({ length: 8 }, () => 'later'), 'now'])
})

test('a failure is the rejection of that sync, in place or not', async () => {
  const { disk, sync, waits } = fakeDisk()
  disk.isBroken = true
  await expect(sync(1)).rejects.toThrow('EIO')
  disk.isBroken = false
  await waits(9)
  disk.isBroken = true
  await expect(sync(1)).rejects.toThrow('EIO')
})
