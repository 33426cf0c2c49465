// Owns what a cursor's place is worth now (S-5, H-8): made into text for the agent, and checked when it comes back.
import { err, ok, type Result } from '@common/result'
import type { HistoryFailure } from '@common/tools/session-history-contract'
import { stampHash } from '../history/append-receipt'
import type { HistoryFiles } from '../history/history-files'
import { type HistoryState, isPrefixKept } from '../history/history-state'
import type { ScanCursor } from '../history/scan-types'
import { windowPath } from '../history/window-files'
import { type CursorAction, type CursorPlace, decodeCursor, encodeCursor } from './cursor-codec'
import type { HistoryBrowser } from './history-browser'
import { cursorFailure, staleCursor } from './history-failures'
import { epochHash } from './item-id'

export interface CursorUse {
  readonly action: CursorAction
  /** What the call asks for beside its page: a cursor of another question is refused. */
  readonly purpose: string
}

/** The history at one moment, while a page is read. */
export interface HistoryMoment {
  readonly files: HistoryFiles
  readonly state: HistoryState
}

/** `snapshot` is that of the chain's first page, null on the first. */
export function cursorOf(
  browser: HistoryBrowser,
  { files, state }: HistoryMoment,
  use: CursorUse,
  place: ScanCursor,
  { details = [], snapshot = null }: { details?: readonly number[]; snapshot?: CursorPlace['snapshot'] | null } = {}
): string {
  const { window, byteOffset, isInLongLine } = place
  const stamp = files.fs.stat(windowPath(files, window))
  const newest = state.windows.at(-1) ?? 0
  const encoded: CursorPlace = {
    window,
    byteOffset,
    isInLongLine,
    stamp: stamp === null ? NO_STAMP : stampHash(window, stamp),
    epoch: epochHash(state.epoch),
    snapshot: snapshot ?? { window: newest, byteOffset: state.current?.stamp.size ?? 0 },
    details
  }
  return encodeCursor(encoded, { workspaceId: browser.workspaceId, ...use }, browser.key())
}

/** The place that a cursor names, if its bytes are still what they were. */
export function placeOf(
  browser: HistoryBrowser,
  { files, state }: HistoryMoment,
  use: CursorUse,
  cursor: string
): Result<CursorPlace, HistoryFailure> {
  const decoded = decodeCursor(cursor, { workspaceId: browser.workspaceId, ...use }, browser.key())
  if (!decoded.ok) return cursorFailure(decoded.error)
  const { window, stamp, epoch } = decoded.value
  const isSameEpoch = epoch === epochHash(state.epoch)
  const isKept = isSameEpoch && isPrefixKept(files, state, { window, stamp, epoch: state.epoch })
  return isKept ? ok(decoded.value) : err(staleCursor().error)
}

const NO_STAMP = '0'.repeat(16)
