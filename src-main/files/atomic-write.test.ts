import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeFileAtomic } from './atomic-write'
import { type FileSystem, nodeFileSystem } from './file-system'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-atomic-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a file is replaced as a whole, private whatever the umask', async () => {
  const path = join(folder(), 'config.json')
  const old = process.umask(0o177)
  try {
    expect(await writeFileAtomic(path, 'one')).toEqual({ ok: true, value: undefined })
    process.umask(0)
    expect(await writeFileAtomic(path, Buffer.from('two'))).toEqual({ ok: true, value: undefined })
  } finally {
    process.umask(old)
  }
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('each call that fails leaves the old content, a sentence, and nothing beside it', async () => {
  const names = ['open', 'setMode', 'write', 'sync', 'rename'] as const
  for (const name of names) {
    const dir = folder()
    const path = join(dir, 'config.json')
    await writeFileAtomic(path, 'old')
    const refused = (): never => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: name })
    }
    const fs: FileSystem = { ...nodeFileSystem, [name]: name === 'sync' ? async () => refused() : refused }
    expect(await writeFileAtomic(path, 'new', { fs })).toMatchObject({
      ok: false,
      error: { kind: 'disk_full', path, message: expect.stringContaining('Could not write config.json') }
    })
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(readdirSync(dir)).toEqual(['config.json'])
  }
})

test('a folder that is not there is said so', async () => {
  expect(await writeFileAtomic(join(folder(), 'no', 'config.json'), 'x')).toMatchObject({
    ok: false,
    error: { kind: 'not_found' }
  })
})
