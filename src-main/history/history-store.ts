// Owns a workspace's history; nothing else opens its files for writing. A context window is a file.
// Invariant: a row that was answered with `ok` is on disk once, whatever happens to the process afterwards.
import { randomUUID } from 'node:crypto'
import type { Clock } from '@common/clock'
import { HISTORY_LOCK_WAIT_MS } from '@common/constants'
import { windowIdOf } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import { divideRow } from '@common/rows/divide-row'
import { isEmptyAnswer, settleInterruptedCalls } from '@common/rows/interrupted-calls'
import type { NewRow, Row } from '@common/rows/row-schema'
import { workspacePathsOf } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { type FileSystem, nodeFileSystem } from '../files/file-system'
import type { Log } from '../files/log'
import { createMutex } from '../files/mutex'
import { LeasedLock } from '../files/leased-lock'
import type { AmendedFields } from './amended-line'
import { type DamageReport, NO_DAMAGE } from './damage-report'
import { type ExportBatch, exportBatches } from './export-batches'
import { findRowLine, type RowReference } from './find-row'
import { copyFork, type ForkRequest, type ForkSummary, planFork } from './fork-history'
import { amendRow, clearHistory, deleteRow, type EditTools, previewTruncate, truncateFrom } from './history-edits'
import type { CutSummary, HistoryError } from './history-error'
import { damagedPartial, lockErrorOf, NOT_EMPTY } from './history-failures'
import type { HistoryFiles } from './history-files'
import { type HistoryState, readHistoryState, stateOfTracked } from './history-state'
import { HistoryWriter } from './history-writer'
import { type ImportPlan, type ImportSummary, writeImportedWindows } from './import-windows'
import { type HistoryPage, type PageRequest, readPage } from './page-history'
import {
  readPartialFile,
  removePartialFile,
  removePartialLeftovers,
  setPartialAside,
  writePartialFile
} from './partial-row'
import { prepareHistory } from './prepare-history'
import { readRowsAfter } from './read-rows-after'
import { type ActiveWindow, readActiveWindow } from './read-window'
import { editRecoveryOf } from './recover-edit'
import { repairHistory } from './repair-history'
import { scanBounded } from './scan-bounded'
import { ScanCarry } from './scan-carry'
import type { ScanOptions, ScanResult, ScanVisitor } from './scan-types'
import { settledRead } from './settled-read'
import type { WindowVerdict } from './verify-window'
import { WindowChecks } from './window-checks'
import { listWindows, windowInForce } from './window-files'
import { WindowIndex, type WindowListing } from './window-index'

export interface HistoryOptions {
  /** The workspace's folder; created (0700) when missing. */
  readonly workspaceDir: string
  readonly clock: Clock
  readonly log: Log
  /** `sync` (default) waits for the disk; `relaxed` leaves that to the system (a setting, H-1). */
  readonly durability?: 'sync' | 'relaxed'
  /** The file system's calls; tests make them fail. */
  readonly fs?: FileSystem
}

/** Opens a workspace's history. A folder that may only be read opens too; its appends fail with a clear error. */
export async function openHistory({
  workspaceDir,
  clock,
  log,
  durability = 'sync',
  fs = nodeFileSystem
}: HistoryOptions): Promise<Result<HistoryStore, HistoryError>> {
  const files: HistoryFiles = { fs, paths: workspacePathsOf(workspaceDir), log, isDurable: durability === 'sync' }
  const index = new WindowIndex(files)
  const recovery = editRecoveryOf(files, index, () => clock.now())
  const writer = new HistoryWriter(files, { appended: index.appended, recovery })
  const lock = new LeasedLock(files.paths.historyLock, clock, fs)
  try {
    await prepareHistory(files, { writer, lock })
    return ok(new HistoryStore({ files, writer, index, lock, clock }))
  } catch (cause) {
    writer.close()
    lock.close()
    return err(fileErrorOf(cause, 'open the history', workspaceDir))
  }
}

/** Made by `openHistory`. Every method may be called at any time; writers wait for each other. */
export class HistoryStore {
  readonly #files: HistoryFiles
  readonly #writer: HistoryWriter
  readonly #index: WindowIndex
  readonly #lock: LeasedLock
  readonly #clock: Clock
  readonly #mutex = createMutex()
  readonly #committed = new Set<string>()
  readonly #reported = new Set<string>()
  readonly #carry = new ScanCarry()
  readonly #checks: WindowChecks
  #isClosed = false

  constructor(parts: EditTools & { lock: LeasedLock; clock: Clock }) {
    this.#files = parts.files
    this.#writer = parts.writer
    this.#index = parts.index
    this.#lock = parts.lock
    this.#clock = parts.clock
    this.#checks = new WindowChecks({
      files: parts.files,
      entryOf: async (window) => (await this.#index.entryOf(window, this.#inForce())) ?? this.#index.known(window),
      exclusive: (task) => this.#exclusive('verify the window', task)
    })
  }

  /** The highest sequence ever given, 0 for none; never goes back. Of another process's appends it learns late. */
  get highestSequence(): number {
    return this.#writer.highestSequence
  }

  /** The window that appends go to. */
  get currentWindowId(): string {
    return windowIdOf(this.#writer.window)
  }

  /**
   * Appends a batch with one write and one sync; `ok` means that it is on disk. Rows get consecutive
   * sequences, and a timestamp where they have none. A batch whose first row is a boundary becomes a new
   * window, whole or not at all; a boundary elsewhere in a batch is a bug and throws. After an error nothing
   * of the batch is in the history, but for `outcome_unknown`.
   */
  appendMany(rows: readonly NewRow[]): Promise<Result<Row[], HistoryError>> {
    if (rows.length === 0) return Promise.resolve(ok([]))
    return this.#locked(() => this.#append(rows))
  }

  /** All rows of the window in force: the newest window file whose first line is readable. */
  activeWindow(): Promise<Result<ActiveWindow, HistoryError>> {
    return this.#exclusive('read the history', async () =>
      ok(await this.#settledRead(() => readActiveWindow(this.#files, this.#writer.newestWindowIfCurrent)))
    )
  }

  /** Older rows for the screen, across windows, in bounded reads. */
  page(request: PageRequest): Promise<Result<HistoryPage, HistoryError>> {
    return this.#exclusive('read the history', async () => {
      const { result } = await this.#settledRead(async () => {
        const read = readPage(this.#files, request)
        return { result: read, damage: read.ok ? read.value.damage : NO_DAMAGE }
      })
      return result
    })
  }

  /** The stored line of one row, byte for byte ("show raw"), or null when it is not there. */
  rawLineOf(row: RowReference): Promise<Result<string | null, HistoryError>> {
    return this.#exclusive('read the history', async () => ok(await findRowLine(this.#files, row)))
  }

  /** Rows with a sequence above this one, oldest first: what another process appended meanwhile. */
  rowsAfter(historySequence: number): Promise<Result<Row[], HistoryError>> {
    return this.#exclusive('read the history', async () => ok(readRowsAfter(this.#files, historySequence)))
  }

  /**
   * Runs one short, synchronous read while no append is under way here (S-8): the files, and in which state they
   * are. Never call it while you hold the write lock.
   */
  read<T>(task: (files: HistoryFiles, state: HistoryState) => T): Promise<Result<T, HistoryError>> {
    return this.#exclusive('read the history', async () => {
      const vouched = this.#writer.vouched
      const state = vouched === null ? await readHistoryState(this.#files, this.#clock) : stateOfTracked(vouched)
      return ok(task(this.#files, state))
    })
  }

  /** Lines across all windows within bounds (H-9), resumed without reading a byte again. */
  scanBounded(options: ScanOptions, visitor: ScanVisitor): Promise<Result<ScanResult, HistoryError>> {
    return this.read((files, { windows, epoch }) =>
      scanBounded(files, options, visitor, { windows, epoch, carry: this.#carry })
    )
  }

  /** The whole history in order, damaged lines left out and counted, with bounded memory. Throws the system's error. */
  exportBatches(): AsyncGenerator<ExportBatch, DamageReport, void> {
    return exportBatches(this.#files)
  }

  /**
   * Fills an empty history from a plan of `importHistory`, all of it or nothing. The lines are stored as they
   * are, their own sequences with them; rows appended later count on from the highest.
   */
  importRows(plan: () => Promise<ImportPlan>): Promise<Result<ImportSummary, HistoryError>> {
    return this.#locked(async () => {
      if (listWindows(this.#files).length > 0) return err(NOT_EMPTY)
      const { lines, skipped } = await plan()
      const rows = await writeImportedWindows(this.#files, lines)
      await this.#writer.adoptImported()
      return ok({ rows, skipped: skipped() })
    })
  }

  /**
   * Every window, oldest first, from the window index (H-6): no row is read, but for lines that no index holds yet
   * (another process's, or what a crash left). Made anew where windows.json is missing or damaged.
   */
  listWindows(): Promise<Result<WindowListing[], HistoryError>> {
    return this.#exclusive('list the windows', async () => ok(await this.#index.list(this.#inForce())))
  }

  /** Names the first row of a window that is not what was noted of it (WindowChecks); null for no such window. */
  verifyWindow(windowId: string, options = { again: true }): Promise<Result<WindowVerdict | null, HistoryError>> {
    return this.#checks.check(windowId, options)
  }

  /**
   * Merges these metadata fields into a stored row as it is on disk (H-14); an object is merged field by field,
   * `undefined` removes a field. For K-4's mark, C-1's follow-up and a compaction row's late figures, nothing else.
   */
  amendRow(row: RowReference, fields: AmendedFields): Promise<Result<Row, HistoryError>> {
    return this.#locked(() => amendRow(this.#edits, row, fields))
  }

  /** Names the last edit, by whichever process; another name means that rows were cut or amended. */
  lastEdit(): Promise<Result<string | null, HistoryError>> {
    return this.#exclusive('read the window index', async () => ok(this.#index.lastEdit()))
  }

  /** What `truncateFrom` would cut. */
  previewTruncate(row: RowReference): Promise<Result<CutSummary, HistoryError>> {
    return this.#exclusive('look at the history', () => previewTruncate(this.#edits, row))
  }

  /** Cuts this row and all after it (H-10); `needs_confirmation` where later windows would go too. */
  truncateFrom(row: RowReference, options: { isConfirmed: boolean }): Promise<Result<CutSummary, HistoryError>> {
    return this.#locked(() => truncateFrom(this.#edits, row, options))
  }

  /** Cuts this one row (H-10). */
  deleteRow(row: RowReference): Promise<Result<CutSummary, HistoryError>> {
    return this.#locked(() => deleteRow(this.#edits, row))
  }

  /** Cuts everything (H-10); rows appended later begin a fresh root window and count on. */
  clear(): Promise<Result<CutSummary, HistoryError>> {
    return this.#locked(() => clearHistory(this.#edits))
  }

  /** Puts damage right at a person's wish alone; answers where the copies of what was there are. */
  repair(wanted: { index: boolean }): Promise<Result<string[], HistoryError>> {
    return this.#locked(() => repairHistory(this.#edits, wanted))
  }

  /**
   * Copies the history up to a row, and what its rows name, into a folder that is not there yet (H-10). This history
   * is only read: appends and streams go on meanwhile; the streaming row is not copied.
   */
  async forkTo(request: ForkRequest): Promise<Result<ForkSummary, HistoryError>> {
    const planned = await this.#exclusive('fork the history', () =>
      planFork(this.#files, request, (window) => this.#index.known(window))
    )
    if (!planned.ok) return planned
    return copyFork(this.#files, request, planned.value)
  }

  /**
   * Replaces partial.json with this streaming row, on disk when answered. A row already committed is passed
   * over. Call it through `createPartialWriter`, which keeps to the interval. Owner of turn.lock only.
   */
  writePartial(row: NewRow): Promise<Result<void, HistoryError>> {
    return this.#exclusive('save the answer so far', async () => {
      if (this.#committed.has(row.id)) return ok(undefined)
      await writePartialFile(this.#files, row, this.#writer.highestSequence)
      return ok(undefined)
    })
  }

  /**
   * Appends the finished streaming row and drops partial.json; one copy of it survives a crash at any point.
   * A long one comes as several rows (`divideRow`), the first with the streaming row's id. Calls without a
   * result become `interrupted`. Owner of turn.lock only.
   */
  commitPartial(rows: readonly NewRow[]): Promise<Result<Row[], HistoryError>> {
    return this.#locked(() => this.#commit(rows))
  }

  /** Drops partial.json without committing it: the step that it held is void (a retry before any output). */
  discardPartial(): Promise<Result<void, HistoryError>> {
    return this.#exclusive('drop the answer so far', async () => ok(removePartialFile(this.#files)))
  }

  /**
   * What a crash left: commits the partial row with every call paired, or drops a stale or empty one (no rows).
   * A file that cannot be read is kept under another name and answered with `damaged`, once.
   * Call it after opening, once you own turn.lock: another process may be streaming this very row.
   */
  recoverPartial(): Promise<Result<Row[], HistoryError>> {
    return this.#locked(async () => {
      removePartialLeftovers(this.#files)
      const found = readPartialFile(this.#files)
      if (found.kind === 'none') return ok([])
      if (found.kind === 'damaged') return err(damagedPartial(setPartialAside(this.#files, this.#clock.now())))
      const isStale = (await findRowLine(this.#files, { id: found.row.id }, found.afterSequence)) !== null
      if (isStale || isEmptyAnswer(found.row)) {
        removePartialFile(this.#files)
        return ok([])
      }
      const interrupted = { ...found.row, metadata: { ...found.row.metadata, interrupted: true } }
      return this.#commit(divideRow(interrupted, randomUUID))
    })
  }

  /** Waits for what is under way, gives up the descriptors; later calls answer `closed`. */
  close(): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.#isClosed) return
      this.#isClosed = true
      if (this.#index.wantsClosing) await this.#saveIndex()
      this.#writer.close()
      this.#lock.close()
    })
  }

  get #edits(): EditTools {
    return { files: this.#files, writer: this.#writer, index: this.#index, clock: this.#clock }
  }

  /** The window in force as it is on disk: another process may have begun one. */
  #inForce(): number {
    const windows = listWindows(this.#files)
    return windows.at(-1) === this.#writer.window ? this.#writer.window : windowInForce(this.#files, windows)
  }

  async #append(rows: readonly NewRow[]): Promise<Result<Row[], HistoryError>> {
    await this.#writer.catchUp()
    const { window } = this.#writer
    const appended = await this.#writer.append(rows, this.#clock.now())
    // After the answer: the index is no part of an append (H-1).
    if (window !== this.#writer.window || this.#index.wantsSaving)
      void this.#mutex.run(async () => this.#isClosed || this.#saveIndex())
    return appended
  }

  /** Nothing is lost where the lock is taken or the disk refuses: the index is made anew from the windows. */
  async #saveIndex(): Promise<void> {
    const lock = await this.#lock.beginTask(0)
    if (!lock.ok) return
    try {
      await this.#index.save(() => this.#inForce())
    } finally {
      this.#lock.endTask()
    }
  }

  async #commit(rows: readonly NewRow[]): Promise<Result<Row[], HistoryError>> {
    const appended = await this.#append(rows.map(settleInterruptedCalls))
    if (!appended.ok) return appended
    for (const row of rows) this.#committed.add(row.id)
    try {
      removePartialFile(this.#files)
    } catch (cause) {
      // The row is in the history, so this copy is stale and dropped when the workspace is opened again.
      this.#files.log.warn('partial-not-removed', { ...fileErrorOf(cause, 'remove', this.#files.paths.partial) })
    }
    return appended
  }

  /** Reads again while another process may be in the middle of a write; reports damage once. */
  async #settledRead<T extends { damage: DamageReport }>(read: () => Promise<T>): Promise<T> {
    const mayBeWritten = (): boolean =>
      !this.#lock.isHeld && this.#files.fs.stat(this.#files.paths.historyLock) !== null
    const result = await settledRead(read, { clock: this.#clock, mayBeWritten })
    for (const place of result.damage.places) {
      const key = `${place.windowId} ${place.byteOffset}`
      if (!this.#reported.has(key)) this.#files.log.warn('history-damaged', { ...place })
      this.#reported.add(key)
    }
    return result
  }

  #locked<T>(task: () => Promise<Result<T, HistoryError>>): Promise<Result<T, HistoryError>> {
    return this.#exclusive('save to the history', async () => {
      const lock = await this.#lock.beginTask(HISTORY_LOCK_WAIT_MS)
      if (!lock.ok) return err(lockErrorOf(lock.error))
      try {
        return await task()
      } finally {
        this.#lock.endTask()
      }
    })
  }

  #exclusive<T>(action: string, task: () => Promise<Result<T, HistoryError>>): Promise<Result<T, HistoryError>> {
    return this.#mutex.run(async () => {
      if (this.#isClosed) return err({ kind: 'closed', message: 'This workspace was closed. Open it again.' })
      try {
        return await task()
      } catch (cause) {
        return err(fileErrorOf(cause, action, this.#files.paths.root))
      }
    })
  }
}
