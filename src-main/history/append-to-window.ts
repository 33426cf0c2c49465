// Owns adding lines to an open window file: one write, one sync, and after a failure the file as it was.
import { systemCodeOf } from '../files/file-error'
import { writeAll } from '../files/write-all'
import type { AppendOutcome } from './append-outcome'
import type { HistoryFiles } from './history-files'

/**
 * Appends `bytes` to a file of `oldSize` bytes. The caller holds the write lock and keeps it until this is
 * settled: what a failure left is truncated away under the lock, or else read to learn what is there.
 * `whileSyncing` is called once the bytes are written, while the disk is at work; it throws no system error.
 */
export async function appendToWindow(
  files: HistoryFiles,
  descriptor: number,
  { oldSize, bytes, whileSyncing }: { oldSize: number; bytes: Buffer; whileSyncing: () => void }
): Promise<AppendOutcome> {
  try {
    writeAll(files.fs, descriptor, bytes)
    const synced = files.isDurable ? files.fs.datasync(descriptor) : undefined
    try {
      whileSyncing()
    } finally {
      await synced
    }
    return { kind: 'durable' }
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return undo(files, descriptor, oldSize, bytes, cause)
  }
}

async function undo(
  files: HistoryFiles,
  descriptor: number,
  oldSize: number,
  bytes: Buffer,
  cause: unknown
): Promise<AppendOutcome> {
  try {
    files.fs.truncate(descriptor, oldSize)
  } catch (truncateCause) {
    files.log.error('append-undo-failed', { cause: String(truncateCause), afterCause: String(cause) })
    return lookAtTail(files, descriptor, oldSize, bytes, cause)
  }
  try {
    // Without this a machine that loses power now could come up with the bytes that we say are not there.
    if (files.isDurable) await files.fs.datasync(descriptor)
  } catch (syncCause) {
    files.log.error('append-undo-not-synced', { cause: String(syncCause), afterCause: String(cause) })
  }
  return { kind: 'undone', cause }
}

function lookAtTail(
  files: HistoryFiles,
  descriptor: number,
  oldSize: number,
  bytes: Buffer,
  cause: unknown
): AppendOutcome {
  try {
    const { size } = files.fs.fstat(descriptor)
    if (size <= oldSize) return { kind: 'undone', cause }
    const found = Buffer.alloc(Math.min(size - oldSize, bytes.length))
    let held = 0
    while (held < found.length) {
      const count = files.fs.read(descriptor, found, held, found.length - held, oldSize + held)
      if (count === 0) break
      held += count
    }
    if (size - oldSize === bytes.length && found.equals(bytes)) return { kind: 'accepted_after_failure', cause }
    return { kind: 'part_left', cause, from: oldSize, to: size }
  } catch (lookCause) {
    files.log.error('append-outcome-unknown', { cause: String(lookCause), afterCause: String(cause) })
    return { kind: 'unknown', cause }
  }
}
