// Owns the secret of this installation: 32 random bytes in `install-key`, made when first needed. Of two processes that
// make it at once, one wins and both use that one. It signs cursors, so losing it costs a new search and nothing more.
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { PRIVATE_FILE_MODE } from './app-paths'
import { removeIfThere, temporaryPathFor } from './atomic-write'
import { fileErrorOf, systemCodeOf } from './file-error'
import { type FileSystem, nodeFileSystem, OPEN_NEW } from './file-system'
import type { Log } from './log'
import { makePrivateFolder } from './make-private-folder'
import { openIfThere } from './open-if-there'
import { writeAll } from './write-all'

export const INSTALL_KEY_BYTES = 32

/**
 * The key at this path, the same at every call. Where it cannot be kept or read (a home that may only be read, a
 * damaged file) it is one of this process alone, and the log says so.
 */
export function installKeyOf(path: string, log: Log, fs: FileSystem = nodeFileSystem): () => Uint8Array {
  let key: Uint8Array | null = null
  return () => {
    key ??= keptKey(path, log, fs)
    return key
  }
}

function keptKey(path: string, log: Log, fs: FileSystem): Uint8Array {
  try {
    const found = readKey(path, fs) ?? makeKey(path, fs)
    if (found.length === INSTALL_KEY_BYTES) return found
    log.warn('install-key-damaged', { path, bytes: found.length })
  } catch (cause) {
    log.warn('install-key-not-kept', { ...fileErrorOf(cause, 'keep the key of this installation', path) })
  }
  return randomBytes(INSTALL_KEY_BYTES)
}

/** At most one byte more than a key has, so that a longer file shows. */
function readKey(path: string, fs: FileSystem): Uint8Array | null {
  const descriptor = openIfThere(fs, path)
  if (descriptor === null) return null
  try {
    const bytes = Buffer.alloc(INSTALL_KEY_BYTES + 1)
    return bytes.subarray(0, fs.read(descriptor, bytes, 0, bytes.length, 0))
  } finally {
    fs.close(descriptor)
  }
}

/** Writes it whole beside its place and gives it its name only if nobody has: a name is never there half-written. */
function makeKey(path: string, fs: FileSystem): Uint8Array {
  makePrivateFolder(fs, dirname(path))
  const temporary = temporaryPathFor(path)
  const descriptor = fs.open(temporary, OPEN_NEW, PRIVATE_FILE_MODE)
  try {
    fs.setMode(descriptor, PRIVATE_FILE_MODE)
    writeAll(fs, descriptor, randomBytes(INSTALL_KEY_BYTES))
  } finally {
    fs.close(descriptor)
  }
  try {
    giveName(temporary, path, fs)
  } finally {
    removeIfThere(fs, temporary)
  }
  return readKey(path, fs) ?? new Uint8Array()
}

function giveName(temporary: string, path: string, fs: FileSystem): void {
  try {
    fs.link(temporary, path)
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === 'EEXIST') return
    if (code === null || !NO_LINKS.has(code)) throw cause
    // A file system without hard links: whoever renames last wins, and both read that one below.
    if (fs.stat(path) === null) fs.rename(temporary, path)
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
