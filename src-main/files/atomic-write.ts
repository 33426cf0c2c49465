// Owns replacing a small file as a whole: readers, also after a crash, see the old content or the new one.
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { err, ok, type Result } from '@common/result'
import { PRIVATE_FILE_MODE } from './app-paths'
import { type FileError, fileErrorOf } from './file-error'
import { type FileSystem, nodeFileSystem, OPEN_NEW } from './file-system'
import { writeAll } from './write-all'

export interface AtomicWriteOptions {
  readonly fs?: FileSystem
  /** False leaves it to the system when the bytes reach the disk; still whole or not at all to readers. */
  readonly durable?: boolean
  /** Permission bits, whatever the umask; default 0600. */
  readonly mode?: number
}

/** Writes `data` beside `path`, then renames it there. After an error `path` is as it was. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {}
): Promise<Result<void, FileError>> {
  try {
    await replaceFile(path, data, options)
    return ok(undefined)
  } catch (cause) {
    return err(fileErrorOf(cause, `write ${basename(path)}`, path))
  }
}

/** As `writeFileAtomic`, but throws the system's error: for callers that have their own words for it. */
export async function replaceFile(
  path: string,
  data: string | Uint8Array,
  { fs = nodeFileSystem, durable = true, mode = PRIVATE_FILE_MODE }: AtomicWriteOptions = {}
): Promise<void> {
  const temporary = temporaryPathFor(path)
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const descriptor = fs.open(temporary, OPEN_NEW, mode)
  try {
    try {
      fs.setMode(descriptor, mode)
      writeAll(fs, descriptor, bytes)
      if (durable) await fs.sync(descriptor)
    } finally {
      fs.close(descriptor)
    }
    fs.rename(temporary, path)
  } catch (cause) {
    removeIfThere(fs, temporary)
    throw cause
  }
  if (durable) await fs.syncFolder(dirname(path))
}

/** A hidden name in the same folder, so that the rename stays within one file system. */
export function temporaryPathFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
}

/** True for a name that `temporaryPathFor` makes: what a crash left, of no use to anyone. */
export function isTemporaryName(name: string): boolean {
  return /^\..+\.[0-9a-f]{12}\.tmp$/.test(name)
}

/** Removes a leftover. Answers false when it stays: it is of no use, but does no harm either. */
export function removeIfThere(fs: FileSystem, path: string): boolean {
  try {
    fs.unlink(path)
    return true
  } catch (cause) {
    fileErrorOf(cause, 'remove', path)
    return false
  }
}
