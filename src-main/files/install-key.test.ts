import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FileSystem, nodeFileSystem } from './file-system'
import { installKeyOf } from './install-key'
import { type Log, silentLog } from './log'

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex')

function listeningLog(): { log: Log; said: string[] } {
  const said: string[] = []
  return { said, log: { ...silentLog, warn: (name) => void said.push(name) } }
}

test('S-5 the key is 32 random bytes of this installation, made when first needed, for its owner alone', () => {
  const folder = join(home(), 'not', 'there', 'yet')
  const path = join(folder, 'install-key')
  const key = installKeyOf(path, silentLog)
  expect(existsSync(path)).toBe(false)
  const first = hex(key())
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(hex(key())).toBe(first)
  expect(hex(installKeyOf(path, silentLog)())).toBe(first)
  expect(hex(readFileSync(path))).toBe(first)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['install-key'])
  expect(hex(installKeyOf(join(home(), 'install-key'), silentLog)())).not.toBe(first)
})

test('S-5 of several that make it at once one wins, and all use that one', () => {
  const path = join(home(), 'install-key')
  const others: string[] = []
  let depth = 0
  // Each link of a key is preceded by the whole making of another one.
  const racing: FileSystem = {
    ...nodeFileSystem,
    link(from, to) {
      if (depth++ < 3) others.push(hex(installKeyOf(path, silentLog, racing)()))
      nodeFileSystem.link(from, to)
    }
  }
  const own = hex(installKeyOf(path, silentLog, racing)())
  expect(new Set([own, ...others])).toEqual(new Set([hex(readFileSync(path))]))
  expect(others).toHaveLength(3)
})

test('S-5 without hard links the key is renamed into place', () => {
  const folder = home()
  const path = join(folder, 'install-key')
  const fs: FileSystem = {
    ...nodeFileSystem,
    link() {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'link' })
    }
  }
  expect(hex(installKeyOf(path, silentLog, fs)())).toBe(hex(readFileSync(path)))
  expect(readdirSync(folder)).toEqual(['install-key'])
})

test('S-5 a damaged key is left as it is; this process then has one of its own, and says so', () => {
  for (const content of ['', 'short', 'x'.repeat(33)]) {
    const path = join(home(), 'install-key')
    writeFileSync(path, content)
    const { log, said } = listeningLog()
    const key = installKeyOf(path, log)
    expect(key()).toHaveLength(32)
    expect(hex(key())).toBe(hex(key()))
    expect(said).toEqual(['install-key-damaged'])
    expect(readFileSync(path, 'utf8')).toBe(content)
  }
})

test('S-5 a home that may not be written has a key for as long as the process runs', () => {
  const folder = join(home(), 'locked')
  mkdirSync(folder)
  chmodSync(folder, 0o500)
  const { log, said } = listeningLog()
  const refusing: FileSystem = {
    ...nodeFileSystem,
    setPathMode: () => undefined,
    open(path, flags, mode) {
      if (mode !== undefined) throw Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' })
      return nodeFileSystem.open(path, flags, mode)
    }
  }
  expect(installKeyOf(join(folder, 'install-key'), log, refusing)()).toHaveLength(32)
  expect(said).toEqual(['install-key-not-kept'])
})
