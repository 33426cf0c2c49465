// Owns the pace of partial.json: at most one write every PARTIAL_FLUSH_INTERVAL_MS, at once when asked (H-4).
import type { Clock } from '@common/clock'
import { ok, type Result } from '@common/result'
import type { NewRow } from '@common/rows/row-schema'
import type { HistoryError } from './history-error'

export interface PartialWriter {
  /** Notes the newest state of the streaming row; written when the interval is over. Returns at once. */
  update(row: NewRow): void
  /** Writes the newest state now; resolves when it is on disk. Call it when a tool call settles. */
  flush(): Promise<Result<void, HistoryError>>
  /** Forgets what is not written yet and waits for a write under way: before the row is committed. */
  stop(): Promise<void>
}

export interface PartialWriterOptions {
  readonly store: { writePartial(row: NewRow): Promise<Result<void, HistoryError>> }
  readonly clock: Clock
  /** Told of a timed write that failed; `flush` answers its own failures. */
  readonly onError: (error: HistoryError) => void
}

/** One a streaming row or turn; `stop` it before `commitPartial`. */
export function createPartialWriter(_options: PartialWriterOptions): PartialWriter {
  return { update() {}, flush: async () => ok(undefined), stop: async () => {} }
}
