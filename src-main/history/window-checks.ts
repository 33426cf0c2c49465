// Owns checking windows against the index (H-6) without being in anybody's way: one window at a time, a sealed one
// while appends go on, and none twice whose file is untouched since.
import { sequenceOfWindowId } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import { fileErrorOf } from '../files/file-error'
import { createMutex } from '../files/mutex'
import { stampHash } from './append-receipt'
import type { HistoryError } from './history-error'
import type { HistoryFiles } from './history-files'
import { verifyWindow, type WindowVerdict } from './verify-window'
import type { WindowEntry } from './window-entry'
import { windowPath } from './window-files'

export interface CheckSurroundings {
  readonly files: HistoryFiles
  /** What is noted of a window now; null for no such window. Called within `exclusive`. */
  entryOf(window: number): Promise<WindowEntry | null>
  /** Runs a task while nothing else touches the history. */
  exclusive<T>(task: () => Promise<Result<T, HistoryError>>): Promise<Result<T, HistoryError>>
}

type Verdict = Result<WindowVerdict | null, HistoryError>

interface Noted {
  readonly entry: WindowEntry
  /** Of the file as it is and of what is noted of it: the verdict is the same while this is. */
  readonly key: string
}

/** Edits that may come between; then the check waits for its turn among them. */
const MAX_LOOKS = 3

export class WindowChecks {
  readonly #around: CheckSurroundings
  readonly #known = new Map<number, { readonly key: string; readonly verdict: WindowVerdict }>()
  readonly #mutex = createMutex()

  constructor(around: CheckSurroundings) {
    this.#around = around
  }

  /** Null for no such window. `again` reads the file also where it is untouched since it was read last. */
  check(windowId: string, { again }: { again: boolean }): Promise<Verdict> {
    const window = sequenceOfWindowId(windowId)
    return window === null ? Promise.resolve(ok(null)) : this.#mutex.run(() => this.#check(window, again))
  }

  async #check(window: number, again: boolean): Promise<Verdict> {
    for (let look = 1; look <= MAX_LOOKS; look++) {
      const before = await this.#look(window)
      if (!before.ok || before.value === null) return before.ok ? ok(null) : before
      // The window in force grows: nothing may be appended while it is read.
      if (before.value.entry.sha256 === null) break
      const known = this.#known.get(window)
      if (!again && known?.key === before.value.key) return ok(known.verdict)
      const verdict = await this.#read(before.value.entry)
      const after = await this.#look(window)
      // An edit meanwhile: file and note may not belong together.
      if (!verdict.ok || !after.ok || after.value?.key !== before.value.key) continue
      this.#known.set(window, { key: before.value.key, verdict: verdict.value })
      return verdict
    }
    return this.#around.exclusive(async () => {
      const entry = await this.#around.entryOf(window)
      return entry === null ? ok(null) : this.#read(entry)
    })
  }

  #look(window: number): Promise<Result<Noted | null, HistoryError>> {
    const { files, entryOf, exclusive } = this.#around
    return exclusive(async () => {
      const entry = await entryOf(window)
      if (entry === null) return ok(null)
      const stamp = files.fs.stat(windowPath(files, window))
      return ok({ entry, key: `${stamp === null ? 'gone' : stampHash(window, stamp)} ${entry.sha256}` })
    })
  }

  async #read(entry: WindowEntry): Promise<Result<WindowVerdict, HistoryError>> {
    const { files } = this.#around
    try {
      return ok(await verifyWindow(files, entry))
    } catch (cause) {
      return err(fileErrorOf(cause, 'verify the window', windowPath(files, entry.window)))
    }
  }
}
