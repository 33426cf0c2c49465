// Owns what is known of a history's files at one moment, and in which epoch they are (H-8): while the epoch stays,
// bytes that were there stay where they are. It reads; it changes nothing.
import type { Clock } from '@common/clock'
import type { FileStamp } from '../files/file-system'
import { type Receipt, readReceipt, receiptMatches, stampHash } from './append-receipt'
import type { HistoryFiles } from './history-files'
import { listWindows, windowInForce, windowPath } from './window-files'

/** What a receipt, or the writer itself, vouches for. */
export interface TrackedState {
  /** Oldest first. */
  readonly windows: readonly number[]
  readonly epoch: string
  /** The window in force. */
  readonly window: number
  readonly stamp: FileStamp
  readonly sealed: NonNullable<Receipt['sealed']>
}

export interface HistoryState {
  /** Window files, oldest first. */
  readonly windows: readonly number[]
  readonly epoch: string
  /** The window in force and its file; null where there is no file yet. */
  readonly current: { readonly window: number; readonly stamp: FileStamp } | null
  readonly sealed: TrackedState['sealed']
}

/** An append of another process, from its bytes to its receipt, is over within microseconds. */
const MAX_LOOKS = 10
const LOOK_WAIT_MS = 3

/** Epoch of files that no receipt vouches for: the same name wherever the same state is found. */
export function untrackedEpochOf(window: number, stamp: FileStamp): string {
  return stampHash(window, stamp).slice(0, 12)
}

/** The state that the writer in this process is sure of. */
export function stateOfTracked({ windows, epoch, window, stamp, sealed }: TrackedState): HistoryState {
  return { windows, epoch, current: { window, stamp }, sealed }
}

/** The state on disk, by the receipt where it fits. Throws the system's error. */
export async function readHistoryState(files: HistoryFiles, clock: Pick<Clock, 'sleep'>): Promise<HistoryState> {
  for (let look = 1; ; look++) {
    const found = lookAtFiles(files)
    if (found.isTracked || look === MAX_LOOKS) return found.state
    // Receipt and file were read one after the other, so that a second look follows at once.
    if (look === 1) continue
    if (files.fs.stat(files.paths.historyLock) === null) return found.state
    await clock.sleep(LOOK_WAIT_MS)
  }
}

/**
 * True when what stood in this window's file before offset `size` still stands there: the file is untouched since
 * it had the state `stamp`, or only appended to by writers that keep to the lock. `epoch` and `stamp` are of then.
 */
export function isPrefixKept(
  files: HistoryFiles,
  state: HistoryState,
  then: { readonly window: number; readonly epoch: string; readonly stamp: string }
): boolean {
  if (then.epoch !== state.epoch) return false
  if (state.current?.window === then.window) return true
  const found = files.fs.stat(windowPath(files, then.window))
  if (found === null) return false
  const now = stampHash(then.window, found)
  return now === then.stamp || state.sealed.some(({ window, stamp }) => window === then.window && stamp === now)
}

function lookAtFiles(files: HistoryFiles): { state: HistoryState; isTracked: boolean } {
  const windows = listWindows(files)
  const receipt = readReceipt(files)
  const newest = windows.at(-1)
  if (newest === undefined) return { state: { windows, epoch: 'none', current: null, sealed: [] }, isTracked: true }
  const window = receipt?.window === newest ? newest : windowInForce(files, windows)
  const stamp = files.fs.stat(windowPath(files, window))
  if (stamp === null) return { state: { windows, epoch: 'none', current: null, sealed: [] }, isTracked: false }
  const current = { window, stamp }
  if (receipt !== null && receiptMatches(receipt, window, stamp))
    return { state: { windows, epoch: receipt.epoch, current, sealed: receipt.sealed ?? [] }, isTracked: true }
  return { state: { windows, epoch: untrackedEpochOf(window, stamp), current, sealed: [] }, isTracked: false }
}
