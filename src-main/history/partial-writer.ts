// Owns the pace of partial.json: at most one write every PARTIAL_FLUSH_INTERVAL_MS, at once when asked (H-4).
import type { Clock } from '@common/clock'
import { PARTIAL_FLUSH_INTERVAL_MS } from '@common/constants'
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

/** One a turn; it may go on to the next row after `stop` and `commitPartial`. */
export function createPartialWriter({ store, clock, onError }: PartialWriterOptions): PartialWriter {
  let pending: NewRow | null = null
  let lastWriteMs = Number.NEGATIVE_INFINITY
  let timer: AbortController | null = null
  let underWay: Promise<Result<void, HistoryError>> = Promise.resolve(ok(undefined))

  /** Never two writes at once; a newer state noted meanwhile goes into the write after. */
  const write = (): Promise<Result<void, HistoryError>> => {
    timer?.abort()
    timer = null
    underWay = underWay.then(async () => {
      if (pending === null) return ok(undefined)
      const row = pending
      pending = null
      lastWriteMs = clock.now()
      const written = await store.writePartial(row)
      // Kept for the next try, unless a newer state was noted meanwhile.
      if (!written.ok) pending ??= row
      return written
    })
    return underWay
  }

  const writeLater = async (delayMs: number, { signal }: AbortController): Promise<void> => {
    try {
      await clock.sleep(delayMs, signal)
    } catch (cause) {
      // Only a flush or stop ends the wait early, and both took over what was pending.
      if (signal.aborted) return
      throw cause
    }
    if (signal.aborted) return
    const written = await write()
    if (!written.ok) onError(written.error)
  }

  return {
    update(row) {
      pending = row
      if (timer !== null) return
      timer = new AbortController()
      // Bounded on both sides: a wall clock may jump.
      const dueInMs = lastWriteMs + PARTIAL_FLUSH_INTERVAL_MS - clock.now()
      void writeLater(Math.min(Math.max(0, dueInMs), PARTIAL_FLUSH_INTERVAL_MS), timer)
    },
    flush: write,
    async stop() {
      timer?.abort()
      timer = null
      pending = null
      await underWay
      pending = null
    }
  }
}
