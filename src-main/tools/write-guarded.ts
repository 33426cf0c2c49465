// Owns putting new content where a guarded path leads: whole or not at all, the file's mode kept.
// Invariant: no link is followed; a folder that turned into a link meanwhile is noticed before the rename.
import { realpath } from 'node:fs'
import { access, constants, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { err, ok, type Result } from '@common/result'
import { replaceFile } from '../files/atomic-write'
import { systemCodeOf } from '../files/file-error'
import type { GuardedPath } from './path-guard'

const realpathNative = promisify(realpath.native)

/** Where a rename is not allowed but writing is: a mounted file, a folder of somebody else. */
const NO_RENAME = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'ENAMETOOLONG'])

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission was denied',
  EPERM: 'permission was denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'it was replaced by a symbolic link'
}

/** Writes the whole file; `mode` is that of the file it replaces, null for a new one. */
export async function writeGuarded(
  guarded: GuardedPath,
  bytes: Uint8Array,
  mode: number | null
): Promise<Result<void, string>> {
  const { absolute, relative } = guarded
  const folder = path.dirname(absolute)
  try {
    await mkdir(folder, { recursive: true })
    if ((await realpathNative(folder)) !== folder) return err(`${relative}: its folder was replaced; try again.`)
    // A rename would replace a file that its owner made read-only; opening it would not.
    if (mode !== null) await access(absolute, constants.W_OK)
    await replaceOrOverwrite(absolute, bytes, mode)
    return ok(undefined)
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === null) throw cause
    return err(`${relative} was not written: ${WORDS[code] ?? code}.`)
  }
}

async function replaceOrOverwrite(absolute: string, bytes: Uint8Array, mode: number | null): Promise<void> {
  try {
    await replaceFile(absolute, bytes, { mode: mode === null ? 0o666 & ~process.umask() : mode & 0o7777 })
  } catch (cause) {
    if (mode === null ? systemCodeOf(cause) !== 'ENAMETOOLONG' : !NO_RENAME.has(systemCodeOf(cause) ?? '')) throw cause
    await overwrite(absolute, bytes)
  }
}

async function overwrite(absolute: string, bytes: Uint8Array): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(absolute, flags)
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${absolute} is no regular file any more`)
    await handle.truncate(0)
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
