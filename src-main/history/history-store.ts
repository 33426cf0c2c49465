// Owns a workspace's history; nothing else opens its files for writing. A context window is a file.
// Invariant: a row that was answered with `ok` is on disk once, whatever happens to the process afterwards.
import type { Clock } from '@common/clock'
import { err, type Result } from '@common/result'
import type { NewRow, Row } from '@common/rows/row-schema'
import type { Log } from '../files/log'
import type { DamageReport } from './damage-report'
import type { HistoryError } from './history-error'

export interface HistoryOptions {
  /** The workspace's folder; created (0700) when missing. */
  readonly workspaceDir: string
  readonly clock: Clock
  readonly log: Log
  /** `sync` (default) waits for the disk; `relaxed` leaves that to the system (a setting, H-1). */
  readonly durability?: 'sync' | 'relaxed'
}

export interface ActiveWindow {
  readonly windowId: string
  /** Oldest first; the first is the boundary row, but in the root window. */
  readonly rows: Row[]
  readonly damage: DamageReport
}

/** Where a page begins; opaque, safe to hand to the renderer and back, of no use after a rewrite of its file. */
export type PageCursor = string

export interface PageRequest {
  /** Null asks for the newest rows. */
  readonly before: PageCursor | null
  readonly maxRows: number
  /** Bound of `lines` in UTF-8 bytes; one row alone may not pass it either (it becomes a placeholder). */
  readonly maxBytes: number
}

export interface HistoryPage {
  /** JSONL, oldest row first, each line ended. Without `metadata.postCompactionContext` (K-2). */
  readonly lines: string
  readonly rowCount: number
  /** For the next, older page; null when the start of the history is reached. */
  readonly before: PageCursor | null
  readonly damage: DamageReport
}

/** Opens a workspace's history. A folder that may only be read opens too; its appends fail with a clear error. */
export async function openHistory(options: HistoryOptions): Promise<Result<HistoryStore, HistoryError>> {
  await options.clock.sleep(0)
  return notBuilt()
}

export class HistoryStore {
  /** The highest sequence ever given, 0 for none; never goes back. */
  get highestSequence(): number {
    return 0
  }

  /** The window that appends go to. */
  get currentWindowId(): string {
    return 'w:0'
  }

  /**
   * Appends a batch with one write and one sync; `ok` means that it is on disk. Rows get consecutive
   * sequences, and a timestamp where they have none. A batch whose first row is a boundary becomes a new
   * window, whole or not at all; a boundary elsewhere in a batch is a bug and throws. After an error nothing
   * of the batch is in the history, but for `outcome_unknown`.
   */
  async appendMany(_rows: readonly NewRow[]): Promise<Result<Row[], HistoryError>> {
    return notBuilt()
  }

  /** All rows of the window in force: the newest window file whose first line is readable. */
  async activeWindow(): Promise<Result<ActiveWindow, HistoryError>> {
    return notBuilt()
  }

  /** Older rows for the screen, across windows, in bounded reads. */
  async page(_request: PageRequest): Promise<Result<HistoryPage, HistoryError>> {
    return notBuilt()
  }

  /** The stored line of one row, byte for byte ("show raw"), or null when it is not there. */
  async rawLineOf(_row: { id: string; historySequence?: number }): Promise<Result<string | null, HistoryError>> {
    return notBuilt()
  }

  /** Rows with a sequence above this one, oldest first: what another process appended meanwhile. */
  async rowsAfter(_historySequence: number): Promise<Result<Row[], HistoryError>> {
    return notBuilt()
  }

  /**
   * Replaces partial.json with this streaming row, on disk when answered. A row already committed is passed
   * over. Call it through `createPartialWriter`, which keeps to the interval. Owner of turn.lock only.
   */
  async writePartial(_row: NewRow): Promise<Result<void, HistoryError>> {
    return notBuilt()
  }

  /**
   * Appends the finished streaming row and drops partial.json; one copy of it survives a crash at any point.
   * Calls without a result become `interrupted`. Owner of turn.lock only.
   */
  async commitPartial(_row: NewRow): Promise<Result<Row, HistoryError>> {
    return notBuilt()
  }

  /** Drops partial.json without committing it: the step that it held is void (a retry before any output). */
  async discardPartial(): Promise<Result<void, HistoryError>> {
    return notBuilt()
  }

  /**
   * What a crash left: commits the partial row with every call paired, or drops a stale or empty one (null).
   * Call it after opening, once you own turn.lock: another process may be streaming this very row.
   */
  async recoverPartial(): Promise<Result<Row | null, HistoryError>> {
    return notBuilt()
  }

  /** Waits for what is under way, gives up the descriptors; later calls answer `closed`. */
  async close(): Promise<void> {}
}

function notBuilt<T>(): Result<T, HistoryError> {
  return err({ kind: 'closed', message: 'The history is not built yet.' })
}
