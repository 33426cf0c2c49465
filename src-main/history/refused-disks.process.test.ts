import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, type TestContext } from 'vitest'
import { type BuiltScript, buildChild } from './testing/build-child'
import type { ProbeAnswer } from './testing/probe-child'
import { assistantRow, personRow, rolloverBatch } from './testing/row-builders'
import { TempWorkspace, tempWorkspace } from './testing/temp-workspace'

/** Root ignores modes, so as root the probe runs as the user who owns nothing. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

let probe: BuiltScript
beforeAll(async () => {
  probe = await buildChild(new URL('./testing/probe-child.ts', import.meta.url))
  chmodSync(dirname(probe.file), 0o755)
}, 60_000)
afterAll(() => probe.remove())

function probeAsUser(workspaceDir: string): ProbeAnswer {
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const ended = spawnSync(process.execPath, [probe.file, workspaceDir], { ...identity, encoding: 'utf8' })
  if (ended.status !== 0 || ended.stdout === '') throw new Error(`The probe failed: ${ended.stderr}`)
  return JSON.parse(ended.stdout) as ProbeAnswer
}

function giveToUser(...paths: string[]): void {
  if (isRoot) for (const path of paths) chownSync(path, NOBODY, NOBODY)
}

async function workspaceOfUser(): Promise<TempWorkspace> {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  await store.appendMany([personRow('a')])
  await store.close()
  const names = ['.', 'windows', 'windows/w-0.jsonl', 'append-receipt.json']
  giveToUser(...names.map((name) => workspace.path(name)))
  return workspace
}

test('a folder that may only be read opens and shows its rows; an append says so and changes nothing', async () => {
  const workspace = await workspaceOfUser()
  for (const name of ['windows/w-0.jsonl', 'append-receipt.json']) chmodSync(workspace.path(name), 0o400)
  for (const name of ['windows', '.']) chmodSync(workspace.path(name), 0o500)
  // The user owns the folder and could open it up again: only a folder of somebody else stays closed.
  if (isRoot) for (const name of ['windows', '.']) chownSync(workspace.path(name), 0, 0)
  if (isRoot) for (const name of ['windows', '.']) chmodSync(workspace.path(name), 0o555)
  const answer = probeAsUser(workspace.dir)
  expect(answer).toMatchObject({ open: 'ok', ids: ['a'], append: { kind: 'permission' } })
  expect(answer.append).toHaveProperty(
    'message',
    expect.stringContaining('permission was denied. Give your user read and write access')
  )
  for (const name of ['.', 'windows']) chmodSync(workspace.path(name), 0o700)
  expect(readdirSync(workspace.dir).toSorted()).toEqual(['append-receipt.json', 'windows', 'windows.json'])
  expect(workspace.storedIds()).toEqual(['a'])
})

test('a window file that may not be written refuses the append with its reason', async () => {
  const workspace = await workspaceOfUser()
  chmodSync(workspace.path('windows', 'w-0.jsonl'), 0o400)
  expect(probeAsUser(workspace.dir)).toMatchObject({ open: 'ok', ids: ['a'], append: { kind: 'permission' } })
  expect(workspace.storedIds()).toEqual(['a'])
})

test('a receipt that may not be written does not fail the append', async () => {
  const workspace = await workspaceOfUser()
  chmodSync(workspace.path('append-receipt.json'), 0o400)
  expect(probeAsUser(workspace.dir)).toMatchObject({ open: 'ok', append: 'ok' })
  expect(workspace.storedIds()).toEqual(['a', 'probe'])
})

test('a folder that may not be entered does not open, and says why', async () => {
  const workspace = await workspaceOfUser()
  if (isRoot) chownSync(workspace.dir, 0, 0)
  chmodSync(workspace.dir, 0o000)
  expect(probeAsUser(workspace.dir)).toMatchObject({ open: { kind: 'permission' } })
  chmodSync(workspace.dir, 0o700)
})

test('a workspace that cannot be made does not open, and says why', () => {
  const workspace = tempWorkspace()
  giveToUser(workspace.dir)
  chmodSync(workspace.dir, 0o500)
  expect(probeAsUser(workspace.path('workspaces', 'w1'))).toMatchObject({ open: { kind: 'permission' } })
  chmodSync(workspace.dir, 0o700)
})

/** A small disk of its own, or a skipped test where this user may not mount one. */
function smallDisk({ skip }: TestContext, sizeKib: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKib}k`, 'tmpfs', folder], { encoding: 'utf8' })
  onTestFinished(() => {
    if (mounted.status === 0) execFileSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  })
  if (mounted.status !== 0) skip(`this machine mounts no tmpfs for us: ${mounted.stderr ?? mounted.error}`)
  return folder
}

describe('H-1 a full disk', () => {
  test('refuses appends, windows and partials whole, loses nothing, and goes on when there is room', async (context) => {
    const disk = smallDisk(context, 256)
    const dir = join(disk, 'workspace')
    mkdirSync(dir)
    const workspace = new TempWorkspace(dir)
    const store = await workspace.open()
    const accepted: string[] = []
    const append = async (id: string, bytes: number): Promise<string> => {
      const result = await store.appendMany([personRow(`${id}-1`, 'x'.repeat(bytes)), assistantRow(`${id}-2`)])
      if (result.ok) accepted.push(...result.value.map((row) => row.id))
      return result.ok ? 'ok' : result.error.kind
    }
    expect(await append('first', 10)).toBe('ok')
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(100_000))
    let outcome = 'ok'
    for (let batch = 0; outcome === 'ok'; batch++) outcome = await append(`b${batch}`, 9_000)
    expect(outcome).toBe('disk_full')
    const size = statSync(workspace.path('windows', 'w-0.jsonl')).size
    expect(await append('again', 20_000)).toBe('disk_full')
    expect(statSync(workspace.path('windows', 'w-0.jsonl')).size).toBe(size)
    const rollover = await store.appendMany([...rolloverBatch('r'), personRow('r-large', 'x'.repeat(20_000))])
    expect(rollover).toMatchObject({
      ok: false,
      error: { kind: 'disk_full', message: expect.stringContaining('the disk is full. Free some space') }
    })
    expect(await store.writePartial(assistantRow('p', 'x'.repeat(20_000)))).toMatchObject({
      ok: false,
      error: { kind: 'disk_full' }
    })
    expect(readdirSync(workspace.path('windows'))).toEqual(['w-0.jsonl'])
    expect(workspace.storedIds()).toEqual(accepted)
    unlinkSync(join(disk, 'ballast'))
    expect(await append('after', 9_000)).toBe('ok')
    await store.close()
    const next = await workspace.open()
    expect(workspace.storedIds()).toEqual(accepted)
    expect(next.highestSequence).toBeGreaterThanOrEqual(accepted.length)
    await next.close()
  })
})

test('a disk that is mounted read-only opens, and an append says so', async (context) => {
  const disk = smallDisk(context, 512)
  const workspace = new TempWorkspace(join(disk, 'workspace'))
  const before = await workspace.open()
  await before.appendMany([personRow('a')])
  await before.close()
  execFileSync('mount', ['-o', 'remount,ro', disk])
  const store = await workspace.open()
  expect(await store.appendMany([personRow('b')])).toMatchObject({ ok: false, error: { kind: 'read_only' } })
  const window = await store.activeWindow()
  expect(window.ok && window.value.rows.map((row) => row.id)).toEqual(['a'])
  expect(readFileSync(workspace.path('windows', 'w-0.jsonl'), 'utf8').split('\n')).toHaveLength(2)
  await store.close()
})
