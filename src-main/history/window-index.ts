// Owns the window index of an open history (H-6): which windows there are and what each holds, without reading a
// row for it. Called under the store's mutex; saved under history.lock. Nothing here ever fails an append.
import { windowIdOf } from '@common/ids'
import { fileErrorOf } from '../files/file-error'
import { readReceipt } from './append-receipt'
import { AppendedLines, tailOfReceipt } from './appended-lines'
import { readEditMarker } from './edit-marker'
import type { HistoryFiles } from './history-files'
import { indexWindow, type IndexSources } from './index-windows'
import { hashCount } from './line-hash'
import { type Amendment, NO_INDEX, readIndexFile, type StoredIndex, writeIndexFile } from './window-index-file'
import type { WindowEntry, WindowKind } from './window-entry'
import { listWindows } from './window-files'

/** What a list of windows shows of one; everything in it comes from the index. */
export interface WindowListing {
  readonly windowId: string
  readonly window: number
  /** For display. A privacy floor is asked of the boundary row itself (S-3). */
  readonly kind: WindowKind
  readonly rows: number
  readonly bytes: number
  readonly firstSequence: number | null
  readonly lastSequence: number | null
  readonly startedAtMs: number | null
  readonly lastAtMs: number | null
  /** It is the one in force: sent to a model and appended to. */
  readonly isCurrent: boolean
}

/** Lines that wait for the index before it is written for their sake alone; more of them as the index grows. */
const MIN_WAITING_LINES = 64
const LINES_A_WAITING_LINE = 64
/** Amendments are for people who wonder; the oldest go. */
const MAX_AMENDMENTS = 1_000

export class WindowIndex {
  readonly appended = new AppendedLines()
  readonly #files: HistoryFiles
  #index: StoredIndex = NO_INDEX
  #isChanged = false
  #knownLines = 0
  /** Windows of an edit that counts and that neither index nor receipt know yet. */
  readonly #unnoted = new Set<number>()

  constructor(files: HistoryFiles) {
    this.#files = files
  }

  /** True when what was appended since should be written down. */
  get wantsSaving(): boolean {
    return this.appended.count >= Math.max(MIN_WAITING_LINES, this.#knownLines / LINES_A_WAITING_LINE)
  }

  /** Id of the last edit of this history, by whichever process; null for none. Throws the system's error. */
  lastEdit(): string | null {
    this.#read()
    return this.#index.lastEdit
  }

  /** True when something is known that windows.json does not say. */
  get wantsClosing(): boolean {
    return this.#isChanged || this.appended.count > 0
  }

  /** Every window, oldest first. Reads windows.json, and of the window files only what no index knows yet. */
  async list(current: number): Promise<WindowListing[]> {
    const entries = await this.refresh(current)
    return entries.map((entry) => listingOf(entry, current))
  }

  /** Brings every entry up to the files. Throws the system's error. */
  async refresh(current: number): Promise<WindowEntry[]> {
    this.#read()
    const sources = this.#sources()
    const entries: WindowEntry[] = []
    for (const window of listWindows(this.#files)) {
      const entry = await this.#refreshOne(window, current, sources)
      if (entry !== null) entries.push(entry)
    }
    this.#knownLines = entries.reduce((sum, { hashes }) => sum + hashCount(hashes), 0)
    return entries
  }

  /** The entry of one window; null when there is no such file. Throws the system's error. */
  async entryOf(window: number, current: number): Promise<WindowEntry | null> {
    this.#read()
    return this.#refreshOne(window, current, this.#sources())
  }

  /** What is known of a window without looking at its file. */
  known(window: number): WindowEntry | null {
    this.#read()
    return this.#index.entries.get(window) ?? null
  }

  /** Windows that the index knows and whose files are gone, though nobody here removed them. */
  missing(): WindowEntry[] {
    this.#read()
    const there = new Set(listWindows(this.#files))
    return [...this.#index.entries.values()].filter(({ window }) => !there.has(window))
  }

  /** Writes what changed. A failure is logged: the index is then made anew. Call it under history.lock. */
  async save(current: () => number): Promise<void> {
    try {
      await this.refresh(current())
      if (this.#isChanged) await this.#write(false)
    } catch (cause) {
      this.#report(cause)
    }
  }

  /**
   * After an edit: entries that replace others, null for windows that are gone. On disk when answered with true;
   * until then the edit is not over, or a later run would take it for damage.
   */
  async replace(
    entries: ReadonlyMap<number, WindowEntry | null>,
    { editId, amendments = [] }: { editId: string; amendments?: readonly Amendment[] }
  ): Promise<boolean> {
    try {
      this.#takeOver()
      const next = new Map(this.#index.entries)
      for (const [window, entry] of entries) {
        this.appended.forget(window)
        if (entry === null) next.delete(window)
        else next.set(window, entry)
      }
      const all = [...this.#index.amendments, ...amendments].slice(-MAX_AMENDMENTS)
      this.#index = { ...this.#index, entries: next, amendments: all, lastEdit: editId }
      this.#isChanged = true
      await this.#write(true)
      return true
    } catch (cause) {
      this.#report(cause)
      return false
    }
  }

  /** Forgets what the index says and takes the files as they are: only where a person asks for it (doctor). */
  async rebuild(current: number): Promise<void> {
    this.#index = { ...this.#index, entries: new Map() }
    this.#isChanged = true
    const none: IndexSources = { appended: new AppendedLines(), tail: null }
    for (const window of listWindows(this.#files)) {
      this.appended.forget(window)
      await this.#refreshOne(window, current, none)
    }
    await this.#write(true)
  }

  async #refreshOne(window: number, current: number, sources: IndexSources): Promise<WindowEntry | null> {
    const known = this.#index.entries.get(window) ?? null
    const isCurrent = window === current
    const entry = await indexWindow(this.#files, window, known, { isCurrent, sources })
    if (entry === null || entry === known) return entry
    this.#index = { ...this.#index, entries: new Map(this.#index.entries).set(window, entry) }
    this.#isChanged = true
    this.appended.forget(window)
    return entry
  }

  /** What windows.json says now, but for windows of an edit that was not noted in it yet. */
  #read(): void {
    this.#takeOver()
    this.#unnoted.clear()
    const found = readEditMarker(this.#files)
    if (found.kind !== 'marker' || found.marker.state !== 'committed') return
    const entries = new Map(this.#index.entries)
    for (const { window } of found.marker.files) {
      entries.delete(window)
      this.appended.forget(window)
      this.#unnoted.add(window)
    }
    this.#index = { ...this.#index, entries }
    this.#isChanged = true
  }

  /** Takes over what another process wrote down meanwhile; what is known here of more lines stays. */
  #takeOver(): void {
    const stored = readIndexFile(this.#files, this.#index)
    if (stored === this.#index) return
    const isEdited = stored.stamp !== null && stored.lastEdit !== this.#index.lastEdit
    // What we noted of lines may be of lines that are cut now.
    if (isEdited) this.appended.clear()
    const entries = new Map(stored.entries)
    if (this.#isChanged && !isEdited) {
      for (const [window, entry] of this.#index.entries) {
        if (entry.bytes > (entries.get(window)?.bytes ?? -1)) entries.set(window, entry)
      }
    }
    this.#index = { ...stored, entries }
  }

  async #write(durable: boolean): Promise<void> {
    this.#index = await writeIndexFile(this.#files, this.#index, { durable: durable && this.#files.isDurable })
    this.#isChanged = false
  }

  #sources(): IndexSources {
    const receipt = readReceipt(this.#files)
    const tail = receipt?.tail === undefined ? null : tailOfReceipt(receipt.tail)
    const window = receipt?.window ?? null
    const isKnown = tail !== null && window !== null && !this.#unnoted.has(window)
    return { appended: this.appended, tail: isKnown ? { window, tail } : null }
  }

  #report(cause: unknown): void {
    const { log, paths } = this.#files
    log.warn('window-index-not-written', { ...fileErrorOf(cause, 'write the window index', paths.windowIndex) })
  }
}

function listingOf(entry: WindowEntry, current: number): WindowListing {
  const { window, kind, rows, bytes, firstSequence, lastSequence, startedAtMs, lastAtMs } = entry
  return {
    windowId: windowIdOf(window),
    window,
    kind,
    rows,
    bytes,
    firstSequence,
    lastSequence,
    startedAtMs,
    lastAtMs,
    isCurrent: window === current
  }
}
