// Owns what happens before a history is used: folders, what a crash left, the first look.
import { dirname } from 'node:path'
import { HISTORY_LOCK_WAIT_MS } from '@common/constants'
import { fileErrorOf } from '../files/file-error'
import { makePrivateFolder } from '../files/make-private-folder'
import type { LeasedLock } from '../files/leased-lock'
import { removeStaleLocks } from '../files/remove-stale-locks'
import type { HistoryFiles } from './history-files'
import type { HistoryWriter } from './history-writer'

/**
 * Makes the folders and looks at what is there: under the lock where it can be had, so that what a crash left
 * is put right; else only a look. A folder that may only be read is no failure. Throws the system's error.
 */
export async function prepareHistory(
  files: HistoryFiles,
  { writer, lock }: { writer: HistoryWriter; lock: LeasedLock }
): Promise<void> {
  const { fs, paths, log } = files
  await makeFolders(files)
  const held = await lock.beginTask(HISTORY_LOCK_WAIT_MS)
  if (!held.ok) {
    log.warn('history-opened-without-lock', { reason: held.error.message })
    await writer.inspect()
    return
  }
  try {
    await writer.catchUp()
    removeStaleLocks(fs, paths.historyLock)
  } catch (cause) {
    log.warn('history-opened-for-reading', { ...fileErrorOf(cause, 'prepare the history', paths.windows) })
    await writer.inspect()
  } finally {
    lock.endTask()
  }
}

async function makeFolders({ fs, paths, log, isDurable }: HistoryFiles): Promise<void> {
  const isNew = fs.stat(paths.windows) === null
  try {
    makePrivateFolder(fs, paths.root)
    makePrivateFolder(fs, paths.windows)
    if (!isNew || !isDurable) return
    await fs.syncFolder(paths.root)
    await fs.syncFolder(dirname(paths.root))
  } catch (cause) {
    const error = fileErrorOf(cause, 'prepare the history', paths.root)
    if (fs.stat(paths.root)?.isFolder !== true) throw cause
    // It may still be read; an append will say what is wrong.
    log.warn('history-folder-not-prepared', { ...error })
  }
}
