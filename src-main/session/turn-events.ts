// Owns the numbered event stream of one session (T-3): deltas are joined and batched a frame, sequences
// rise without a gap, and a snapshot taken at `flush()` plus what follows equals all.
import type { Clock } from '@common/clock'
import { FRAME_MS, MAX_IPC_STRING_BYTES, MAX_LIVE_OUTPUT_CHARS } from '@common/constants'
import type { SessionEvent } from '@common/contract/events'
import { rowForWatchers } from '@common/rows/row-for-watchers'

/** A character takes at most four bytes. */
const MAX_DELTA_CHARS = MAX_IPC_STRING_BYTES / 4

export interface SessionBatch {
  /** Sequence of the first event; the others follow. */
  readonly firstSequence: number
  readonly events: readonly SessionEvent[]
}

export class TurnEvents {
  readonly #clock: Clock
  readonly #listeners = new Set<(batch: SessionBatch) => void>()
  #pending: SessionEvent[] = []
  #sequence = 0
  #timerRuns = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Puts an event into the current batch; it is told within a frame, in order. */
  emit(told: SessionEvent): void {
    const event = told.type === 'row-appended' ? { ...told, row: rowForWatchers(told.row) } : told
    const last = this.#pending.at(-1)
    const joined = last === undefined ? null : joinDeltas(last, event)
    if (joined === null) this.#pending.push(event)
    else this.#pending[this.#pending.length - 1] = joined
    if (!this.#timerRuns) this.#flushSoon()
  }

  /** Tells what is pending now; returns the sequence of the last event told. */
  flush(): number {
    if (this.#pending.length > 0) {
      const batch = { firstSequence: this.#sequence + 1, events: this.#pending }
      this.#sequence += this.#pending.length
      this.#pending = []
      for (const listener of this.#listeners) listener(batch)
    }
    return this.#sequence
  }

  /** Hears every batch from now on; returns a function that stops it. */
  subscribe(listener: (batch: SessionBatch) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #flushSoon(): void {
    this.#timerRuns = true
    void this.#clock.sleep(FRAME_MS).then(() => {
      this.#timerRuns = false
      this.flush()
    })
  }
}

/**
 * One delta for two neighbours of the same part; null when they do not join. Nothing that joins grows over what
 * may cross IPC in one event; of a tool's live output its tail is kept, which is all that a screen keeps.
 */
export function joinDeltas(first: SessionEvent, second: SessionEvent): SessionEvent | null {
  if (first.type === 'text-delta' || first.type === 'reasoning-delta') {
    if (second.type !== first.type || second.rowId !== first.rowId || second.partIndex !== first.partIndex) return null
    if (first.text.length + second.text.length > MAX_DELTA_CHARS) return null
    return { ...first, text: first.text + second.text }
  }
  if (first.type === 'tool-output' && second.type === 'tool-output') {
    if (first.toolCallId !== second.toolCallId || first.rowId !== second.rowId) return null
    return { ...first, text: (first.text + second.text).slice(-MAX_LIVE_OUTPUT_CHARS) }
  }
  return null
}
