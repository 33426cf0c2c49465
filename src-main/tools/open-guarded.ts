// Owns opening a guarded path for reading: regular files only, never a link, a FIFO or a device.
// The path is checked again after the open, so that a link swapped in meanwhile is noticed.
import { constants, realpath, type Stats } from 'node:fs'
import { lstat, open, readdir, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { err, ok, type Result } from '@common/result'
import { systemCodeOf } from '../files/file-error'
import type { GuardedPath } from './path-guard'

export interface OpenFile {
  readonly handle: FileHandle
  readonly stats: Stats
}

/** `missing` and `folder` are told apart: a write may create the one and must refuse the other. */
export interface OpenProblem {
  readonly kind: 'missing' | 'folder' | 'other'
  readonly message: string
}

const realpathNative = promisify(realpath.native)

/** Without O_NONBLOCK a FIFO would block a thread for ever; O_NOFOLLOW refuses a link as the last part. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Entries of a folder that an error names. */
const MAX_LISTED_ENTRIES = 40

/** Opens a regular file. The caller closes the handle. */
export async function openGuarded(guarded: GuardedPath): Promise<Result<OpenFile, OpenProblem>> {
  const { absolute, relative } = guarded
  let handle: FileHandle | null = null
  try {
    const seen = await lstat(absolute)
    if (seen.isDirectory()) return err({ kind: 'folder', message: await folderMessage(guarded) })
    if (!seen.isFile()) return problem(`${relative} is ${kindOf(seen)}; only regular files can be opened.`)
    handle = await open(absolute, READ_FLAGS)
    const stats = await handle.stat()
    const same = stats.isFile() && stats.ino === seen.ino && stats.dev === seen.dev
    if (same && (await realpathNative(absolute)) === absolute) {
      const opened = { handle, stats }
      handle = null
      return ok(opened)
    }
    return problem(`${relative} was replaced while it was opened; try again.`)
  } catch (cause) {
    return err(await readProblem(cause, guarded))
  } finally {
    await handle?.close()
  }
}

/** Reads a whole regular file of at most `maxBytes`. */
export async function readGuarded(guarded: GuardedPath, maxBytes: number): Promise<Result<OpenedBytes, OpenProblem>> {
  const opened = await openGuarded(guarded)
  if (!opened.ok) return opened
  const { handle, stats } = opened.value
  try {
    if (stats.size > maxBytes)
      return problem(`${guarded.relative} has ${stats.size} bytes, over the ${maxBytes} that fit.`)
    return ok({ bytes: await handle.readFile(), stats })
  } catch (cause) {
    return err(await readProblem(cause, guarded))
  } finally {
    await handle.close()
  }
}

export interface OpenedBytes {
  readonly bytes: Buffer
  readonly stats: Stats
}

function problem(message: string): { ok: false; error: OpenProblem } {
  return err({ kind: 'other' as const, message })
}

async function readProblem(cause: unknown, guarded: GuardedPath): Promise<OpenProblem> {
  const code = systemCodeOf(cause)
  if (code === null) throw cause
  if (code === 'ENOENT') return { kind: 'missing', message: await missingMessage(guarded) }
  const words =
    code === 'EACCES' || code === 'EPERM' ? 'permission to read it was denied' : `it cannot be read (${code})`
  return { kind: 'other', message: `${guarded.relative}: ${words}.` }
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe (FIFO)'
  if (stats.isSocket()) return 'a socket'
  if (stats.isSymbolicLink()) return 'a symbolic link'
  return 'a device'
}

async function folderMessage(guarded: GuardedPath): Promise<string> {
  const entries = await entriesOf(guarded.absolute)
  const shown = entries.slice(0, MAX_LISTED_ENTRIES).join(', ')
  const more = entries.length > MAX_LISTED_ENTRIES ? ` and ${entries.length - MAX_LISTED_ENTRIES} more` : ''
  const holds = entries.length === 0 ? 'It is empty.' : `It holds: ${shown}${more}.`
  return `${guarded.relative} is a folder. ${holds} Use glob to list files.`
}

async function missingMessage(guarded: GuardedPath): Promise<string> {
  const wanted = fold(path.basename(guarded.absolute))
  const near = (await entriesOf(path.dirname(guarded.absolute))).filter((name) => fold(name) === wanted)
  const hint = near.length === 0 ? '' : ` Beside it there is ${near.map((name) => JSON.stringify(name)).join(', ')}.`
  return `${guarded.relative} does not exist.${hint}`
}

/** Names that a person takes for the same: letter case and Unicode form do not count. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    names.sort()
    return names
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return []
  }
}
