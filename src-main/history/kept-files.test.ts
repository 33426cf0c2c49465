import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { attachmentHashOf, attachmentUrl, openAttachments } from './attachments'
import { openSpill } from './spill'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-kept-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return join(path, 'kept')
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('H-13 an attachment is kept once by the hash of its bytes, private, and read back', async () => {
  const path = folder()
  const attachments = openAttachments(path)
  const bytes = Buffer.from([0, 255, 1, 2, 3])
  const { sha256 } = await attachments.put(bytes, 'image/png')
  await attachments.put(bytes, 'image/png')
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(readdirSync(path)).toEqual([sha256])
  expect([modeOf(path), modeOf(join(path, sha256))]).toEqual([0o700, 0o600])
  expect(await attachments.read({ url: attachmentUrl(sha256) })).toEqual(bytes)
})

test('H-13 an attachment that is missing, damaged or named by a path is not read', async () => {
  const path = folder()
  const attachments = openAttachments(path)
  const { sha256 } = await attachments.put(Buffer.from('whole'), 'text/plain')
  writeFileSync(join(path, sha256), 'other')
  expect(await attachments.read({ url: attachmentUrl(sha256) })).toBeNull()
  expect(readFileSync(join(path, sha256), 'utf8')).toBe('other')
  for (const url of [
    attachmentUrl('0'.repeat(64)),
    'attachment:../../etc/passwd',
    'https://example.org/x.png',
    sha256
  ]) {
    expect(await attachments.read({ url })).toBeNull()
  }
  expect(attachmentHashOf(`attachment:${'A'.repeat(64)}`)).toBeNull()
})

test('H-13 a spill holds the whole value under its hash; what else is asked for is not there', async () => {
  const path = folder()
  const spill = openSpill(path)
  const text = 'line é\n'.repeat(10_000)
  const reference = await spill.write(text, 'text/plain')
  expect(reference).toEqual({
    id: createHash('sha256').update(text).digest('hex'),
    bytes: 80_000,
    mediaType: 'text/plain'
  })
  expect(readFileSync(spill.pathOf(reference.id) ?? '', 'utf8')).toBe(text)
  expect(await spill.write(text)).toMatchObject({ id: reference.id })
  expect(readdirSync(path)).toEqual([reference.id])
  expect([modeOf(path), modeOf(join(path, reference.id))]).toEqual([0o700, 0o600])
  for (const id of ['', '..', '../windows/w-0.jsonl', '.hidden', 'f'.repeat(64)]) expect(spill.pathOf(id)).toBeNull()
})

test('H-13 a growing log can be read by its id from the start', async () => {
  const path = folder()
  const spill = openSpill(path)
  const log = spill.openStream()
  log.append(Buffer.from('first '))
  expect(readFileSync(spill.pathOf(log.id) ?? '', 'utf8')).toBe('first ')
  log.append(Buffer.from('second'))
  expect(await log.finish()).toEqual({ id: log.id, bytes: 12, mediaType: 'text/plain' })
  expect(readFileSync(log.path, 'utf8')).toBe('first second')
  expect(modeOf(log.path)).toBe(0o600)
})

test('H-13 a log that cannot be written says so when it ends', async () => {
  const path = folder()
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, 'a file where the folder should be')
  const log = openSpill(path).openStream()
  log.append(Buffer.from('lost'))
  await expect(log.finish()).rejects.toMatchObject({ code: expect.stringMatching(/ENOTDIR|EEXIST/) })
  expect(existsSync(log.path)).toBe(false)
})
