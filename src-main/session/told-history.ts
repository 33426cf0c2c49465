// Owns what of the history watchers were told (T-3): up to which sequence, and after which edit. What lies above came
// from another process, or was left by a crash; another edit means that rows were cut or changed.
import type { SessionEvent } from '@common/contract/events'
import type { Row } from '@common/rows/row-schema'
import type { OpenedSession } from './session-deps'

export class ToldHistory {
  readonly #opened: OpenedSession
  readonly #publish: (event: SessionEvent) => void
  #sequence: number
  /** Undefined until it was looked at. */
  #lastEdit: string | null | undefined = undefined

  constructor(opened: OpenedSession, publish: (event: SessionEvent) => void) {
    this.#opened = opened
    this.#publish = publish
    this.#sequence = opened.history.highestSequence
  }

  /** The highest sequence told. */
  get sequence(): number {
    return this.#sequence
  }

  /** A row is told. */
  note(row: Row): void {
    this.#sequence = Math.max(this.#sequence, row.metadata.historySequence ?? 0)
  }

  /** Everything counts as told: watchers take a new snapshot. */
  async startOver(): Promise<void> {
    this.#sequence = this.#opened.history.highestSequence
    await this.#readLastEdit()
  }

  /** Tells rows that stand in history and were not told. */
  async tellMissed(): Promise<void> {
    const { history, queue } = this.#opened
    const rows = await history.rowsAfter(this.#sequence)
    if (!rows.ok) return
    for (const row of rows.value) {
      // Asked again for each: while the file was read, the row may have been told by whoever appended it.
      if ((row.metadata.historySequence ?? 0) > this.#sequence) this.#publish({ type: 'row-appended', row })
      if (queue.find(row.id) !== null) await queue.delivered(row.id)
    }
  }

  /** True once after another process cut or changed rows. */
  async wasRewritten(): Promise<boolean> {
    const known = this.#lastEdit
    await this.#readLastEdit()
    return known !== undefined && known !== this.#lastEdit
  }

  async #readLastEdit(): Promise<void> {
    const lastEdit = await this.#opened.history.lastEdit()
    if (lastEdit.ok) this.#lastEdit = lastEdit.value
  }
}
