import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keepAside } from './keep-aside'

it('a damaged file is kept byte for byte, each content once, and says where', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-aside-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'queue.json')
  const bytes = Buffer.from([0xff, 0x00, 0x7b])
  const copy = await keepAside(path, bytes)
  expect(await keepAside(path, bytes)).toEqual(copy)
  expect(readFileSync(copy.ok ? copy.value : '').equals(bytes)).toBe(true)
  await keepAside(path, Buffer.from('{'))
  expect(readdirSync(folder)).toHaveLength(2)
})

it('a copy that cannot be written is an error in words', async () => {
  const copy = await keepAside('/nowhere/at/all/queue.json', Buffer.from('{'))
  expect(copy).toMatchObject({ ok: false, error: { kind: 'not_found' } })
})
