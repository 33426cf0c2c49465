// Owns the highest sequence of what no receipt vouches for: after a crash, a lost receipt, another writer.
import type { FileStamp } from '../files/file-system'
import { isReceiptOfFile, type Receipt } from './append-receipt'
import { highestSequenceIn } from './highest-sequence'
import type { HistoryFiles } from './history-files'
import { windowPath } from './window-files'

/**
 * Reads only what came after the receipt, and the cut rows; without one it reads every window, once.
 * `current` is the window in force and its file's stamp, null where no file is there yet.
 */
export async function highestUntracked(
  files: HistoryFiles,
  windows: readonly number[],
  receipt: Receipt | null,
  current: { window: number; stamp: FileStamp } | null
): Promise<number> {
  let highest = 0
  for (const window of windows) {
    if (receipt?.window != null && window < receipt.window) continue
    const isSameFile = receipt !== null && current?.window === window && isReceiptOfFile(receipt, window, current.stamp)
    const from = isSameFile && receipt.size <= current.stamp.size ? receipt.size : 0
    highest = Math.max(highest, await highestSequenceIn(files.fs, windowPath(files, window), from))
  }
  // A receipt that is older than an edit does not know what was cut.
  return Math.max(highest, await highestSequenceIn(files.fs, files.paths.cutRows))
}
