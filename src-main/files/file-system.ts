// Owns the few file-system calls that durable files are made of, as an object, so that tests can make each
// of them fail. Small calls are synchronous (microseconds in the page cache); only waiting for the disk is not.
import fs from 'node:fs'
import { createPacedSync } from './paced-sync'

/** What identifies a state of a file: equal stamps mean that nobody touched it. */
export interface FileStamp {
  readonly device: bigint
  readonly inode: bigint
  readonly size: number
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  /** Names that the file has; 0 for an open file that was deleted or replaced. */
  readonly links: number
  /** Permission bits. */
  readonly mode: number
  readonly isFolder: boolean
}

/** Every method throws the system's error; `stat` alone answers null for what is not there. */
export interface FileSystem {
  open(path: string, flags: number, mode?: number): number
  close(descriptor: number): void
  /** Writes up to `length` bytes; at `position`, or at the end or the present place when null. Returns the count. */
  write(descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number | null): number
  read(descriptor: number, bytes: Uint8Array, offset: number, length: number, position: number): number
  fstat(descriptor: number): FileStamp
  stat(path: string): FileStamp | null
  truncate(descriptor: number, size: number): void
  setMode(descriptor: number, mode: number): void
  setPathMode(path: string, mode: number): void
  /** Data and what is needed to read it back are on disk. */
  datasync(descriptor: number): Promise<void>
  sync(descriptor: number): Promise<void>
  /** A folder's entries are on disk; does nothing where the system has no such call. */
  syncFolder(path: string): Promise<void>
  rename(from: string, to: string): void
  /** A copy with an inode of its own, sharing blocks where the file system can; fails when `to` exists. */
  copyFile(from: string, to: string): Promise<void>
  /** A second name for a file; fails when `to` exists. */
  link(from: string, to: string): void
  unlink(path: string): void
  list(path: string): string[]
  makeFolder(path: string, mode: number): void
}

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, COPYFILE_EXCL, COPYFILE_FICLONE } = fs.constants

export const OPEN_READ = O_RDONLY
export const OPEN_UPDATE = O_RDWR
export const OPEN_CREATE_OR_UPDATE = O_RDWR | O_CREAT
export const OPEN_APPEND = O_RDWR | O_APPEND
export const OPEN_APPEND_OR_CREATE = O_RDWR | O_APPEND | O_CREAT
/** Fails when the file exists. */
export const OPEN_NEW = O_RDWR | O_APPEND | O_CREAT | O_EXCL

export const nodeFileSystem: FileSystem = {
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
  close: (descriptor) => fs.closeSync(descriptor),
  write: (descriptor, bytes, offset, length, position) => fs.writeSync(descriptor, bytes, offset, length, position),
  read: (descriptor, bytes, offset, length, position) => fs.readSync(descriptor, bytes, offset, length, position),
  fstat: (descriptor) => stampOf(fs.fstatSync(descriptor, { bigint: true })),
  stat: (path) => {
    const stats = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? null : stampOf(stats)
  },
  truncate: (descriptor, size) => fs.ftruncateSync(descriptor, size),
  setMode: (descriptor, mode) => fs.fchmodSync(descriptor, mode),
  setPathMode: (path, mode) => fs.chmodSync(path, mode),
  datasync: createPacedSync({
    now: (descriptor) => fs.fdatasyncSync(descriptor),
    later: (descriptor) => waitFor((done) => fs.fdatasync(descriptor, done)),
    elapsedMs: () => performance.now()
  }),
  sync: (descriptor) => waitFor((done) => fs.fsync(descriptor, done)),
  syncFolder,
  rename: (from, to) => fs.renameSync(from, to),
  copyFile: (from, to) => fs.promises.copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE),
  link: (from, to) => fs.linkSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  list: (path) => fs.readdirSync(path),
  makeFolder: (path, mode) => fs.mkdirSync(path, { mode })
}

/** True when two stamps show the same file in the same state. */
export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return sameFile(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
}

/** True when two stamps show the same file, whatever happened to it. */
export function sameFile(a: FileStamp, b: FileStamp): boolean {
  return a.inode === b.inode && a.device === b.device
}

function stampOf(stats: fs.BigIntStats): FileStamp {
  return {
    device: stats.dev,
    inode: stats.ino,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    links: Number(stats.nlink),
    mode: Number(stats.mode) & 0o777,
    isFolder: stats.isDirectory()
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder for this; its rename is journaled by the file system.
  if (process.platform === 'win32') return
  const descriptor = fs.openSync(path, O_RDONLY)
  try {
    await waitFor((done) => fs.fsync(descriptor, done))
  } finally {
    fs.closeSync(descriptor)
  }
}

function waitFor(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error === null ? resolve() : reject(error))))
}
