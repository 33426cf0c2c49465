// Owns making a window file: written beside its name, synced, renamed, its folder synced. So a boundary with
// its whole batch is there, or nothing is (H-5).
import { removeIfThere, temporaryPathFor } from '../files/atomic-write'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { systemCodeOf } from '../files/file-error'
import { type FileStamp, OPEN_NEW, sameFile } from '../files/file-system'
import { writeAll } from '../files/write-all'
import type { AppendOutcome } from './append-outcome'
import type { HistoryFiles } from './history-files'
import { windowPath } from './window-files'

export type StartedWindow =
  | { readonly outcome: AppendOutcome & { kind: 'durable' | 'accepted_after_failure' }; readonly descriptor: number }
  | { readonly outcome: AppendOutcome & { kind: 'undone' | 'unknown' }; readonly descriptor: null }

/** Makes the window file with these bytes; answers its open descriptor. The caller holds the write lock. */
export async function startWindow(files: HistoryFiles, windowSequence: number, bytes: Buffer): Promise<StartedWindow> {
  const { fs, paths, isDurable } = files
  const path = windowPath(files, windowSequence)
  const temporary = temporaryPathFor(path)
  let descriptor: number | null = null
  try {
    descriptor = fs.open(temporary, OPEN_NEW, PRIVATE_FILE_MODE)
    fs.setMode(descriptor, PRIVATE_FILE_MODE)
    writeAll(fs, descriptor, bytes)
    if (isDurable) await fs.sync(descriptor)
    fs.rename(temporary, path)
    if (isDurable) await fs.syncFolder(paths.windows)
    return { outcome: { kind: 'durable' }, descriptor }
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    if (descriptor === null) return { outcome: { kind: 'undone', cause }, descriptor: null }
    return undo(files, { path, temporary, descriptor, cause })
  }
}

async function undo(
  files: HistoryFiles,
  { path, temporary, descriptor, cause }: { path: string; temporary: string; descriptor: number; cause: unknown }
): Promise<StartedWindow> {
  const { fs, paths, log } = files
  removeIfThere(fs, temporary)
  try {
    // A failed rename may have happened all the same (network disks), so the name decides.
    if (hasName(files, path, fs.fstat(descriptor))) {
      fs.unlink(path)
      if (files.isDurable) await fs.syncFolder(paths.windows)
    }
  } catch (undoCause) {
    log.error('window-undo-failed', { cause: String(undoCause), afterCause: String(cause) })
    return lookAgain(files, path, descriptor, cause)
  }
  closeQuietly(files, descriptor)
  return { outcome: { kind: 'undone', cause }, descriptor: null }
}

/** The file was whole before it was renamed, so where its name is there, the whole batch is. */
function lookAgain(files: HistoryFiles, path: string, descriptor: number, cause: unknown): StartedWindow {
  try {
    if (hasName(files, path, files.fs.fstat(descriptor))) {
      return { outcome: { kind: 'accepted_after_failure', cause }, descriptor }
    }
    closeQuietly(files, descriptor)
    return { outcome: { kind: 'undone', cause }, descriptor: null }
  } catch (lookCause) {
    files.log.error('window-outcome-unknown', { cause: String(lookCause), afterCause: String(cause) })
    closeQuietly(files, descriptor)
    return { outcome: { kind: 'unknown', cause }, descriptor: null }
  }
}

function hasName({ fs }: HistoryFiles, path: string, stamp: FileStamp): boolean {
  const found = fs.stat(path)
  return found !== null && sameFile(found, stamp)
}

function closeQuietly({ fs, log }: HistoryFiles, descriptor: number): void {
  try {
    fs.close(descriptor)
  } catch (cause) {
    log.warn('window-close-failed', { cause: String(cause) })
  }
}
