// Owns the write side of a history: the kept descriptor of the window in force, the sequence, the receipt.
// Every method is called under the store's mutex and, but for `inspect`, under history.lock.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { err, ok, type Result } from '@common/result'
import type { NewRow, Row } from '@common/rows/row-schema'
import { isTemporaryName, removeIfThere } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { type FileStamp, OPEN_APPEND, OPEN_READ, sameStamp } from '../files/file-system'
import type { AppendOutcome } from './append-outcome'
import {
  isReceiptOfFile,
  MAX_SEALED_STAMPS,
  type Receipt,
  ReceiptFile,
  receiptMatches,
  receiptStampOf,
  stampHash
} from './append-receipt'
import { appendToWindow } from './append-to-window'
import type { AppendedLines } from './appended-lines'
import type { EditMarker } from './edit-marker'
import { encodeBatch } from './encode-batch'
import type { HistoryError } from './history-error'
import { unknownOutcome } from './history-failures'
import type { HistoryFiles } from './history-files'
import { encodeHashes } from './line-hash'
import { NEWLINE } from './read-lines'
import type { EditRecovery } from './recover-edit'
import { startWindow } from './start-window'
import { type TrackedState, untrackedEpochOf } from './history-state'
import { highestUntracked } from './untracked-rows'
import { listWindows, ROOT_WINDOW, windowInForce, windowPath } from './window-files'

/** Room for most batches: a fresh buffer for each costs more than filling it. */
const SCRATCH_BYTES = 65_536

interface KeptWindow {
  readonly window: number
  readonly descriptor: number
  readonly stamp: FileStamp
  readonly endsInTornLine: boolean
}

export class HistoryWriter {
  readonly #files: HistoryFiles
  readonly #receipt: ReceiptFile
  readonly #appended: AppendedLines
  readonly #recovery: EditRecovery
  /** For the bytes of a batch; batches never overlap. */
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
  #kept: KeptWindow | null = null
  #window = ROOT_WINDOW
  #highest = 0
  #epoch = newEpoch()
  /** What our appends left of the windows before this one, in this epoch. */
  #sealed: NonNullable<Receipt['sealed']> = []
  /** State of the windows folder when it was listed; null when it may have changed unseen since. */
  #listed: FileStamp | null = null
  /** As of then, oldest first. */
  #windows: readonly number[] = []
  /** A cut that could not be made, also when its receipt could not be written either. */
  #pendingCut: Receipt | null = null

  constructor(files: HistoryFiles, parts: { appended: AppendedLines; recovery: EditRecovery }) {
    this.#files = files
    this.#receipt = new ReceiptFile(files)
    this.#appended = parts.appended
    this.#recovery = parts.recovery
  }

  get highestSequence(): number {
    return this.#highest
  }

  get window(): number {
    return this.#window
  }

  /** The window in force when it is the newest of all and nobody touched the folder since, else null. */
  get newestWindowIfCurrent(): number | null {
    return this.#window === (this.#windows.at(-1) ?? ROOT_WINDOW) && this.#isCurrent() ? this.#window : null
  }

  /** What this writer itself vouches for; null when somebody else may have written since. */
  get vouched(): TrackedState | null {
    const kept = this.#kept
    if (kept === null || !this.#isCurrent()) return null
    const { window, stamp } = kept
    return { windows: this.#windows, epoch: this.#epoch, window, stamp, sealed: this.#sealed }
  }

  /** Looks without changing anything: enough to read by. Throws the system's error. */
  async inspect(): Promise<void> {
    await this.#resync(OPEN_READ)
    this.forget()
  }

  /** Makes sure that what we know is what is on disk: others may have appended or opened a window. */
  async catchUp(): Promise<void> {
    if (this.#isCurrent()) return
    const edit = await this.#recovery.recover()
    await this.#resync(OPEN_APPEND)
    if (edit !== null && (await this.#beginEpoch(edit.marker)) && edit.isNoted) await this.#recovery.close(edit.marker)
  }

  /** Takes over what an edit left. The edit counts already: nothing is thrown. */
  async adoptEdited(edit: EditMarker): Promise<void> {
    try {
      await this.#resync(OPEN_APPEND)
      if (await this.#beginEpoch(edit)) await this.#recovery.close(edit)
    } catch (cause) {
      this.#reportAfterAppend(cause)
      this.forget()
    }
  }

  /** Takes over windows that were written without us, and vouches for them. They are durable: nothing is thrown. */
  async adoptImported(): Promise<void> {
    try {
      await this.#resync(OPEN_APPEND)
      this.#record(this.#highest)
    } catch (cause) {
      this.#reportAfterAppend(cause)
      this.forget()
    }
  }

  /** Appends a batch; call `catchUp` first, under the same lock. Never throws a system error. */
  async append(rows: readonly NewRow[], nowMs: number): Promise<Result<Row[], HistoryError>> {
    const kept = this.#kept
    const batch = encodeBatch(rows, {
      firstSequence: this.#highest + 1,
      nowMs,
      isAfterTornLine: kept?.endsInTornLine ?? false,
      scratch: this.#scratch
    })
    if (!batch.ok) return batch
    const { bytes, startsWindow, rows: numbered } = batch.value
    const window = startsWindow ? this.#highest + 1 : ROOT_WINDOW
    const highest = this.#highest + numbered.length
    let outcome: AppendOutcome
    if (startsWindow || kept === null) {
      const started = await startWindow(this.#files, window, bytes)
      outcome = started.outcome
      if (started.descriptor !== null) {
        this.#appended.add(window, 0, bytes, numbered)
        this.#adopt(window, started.descriptor)
        this.#record(highest)
      }
    } else {
      const oldSize = kept.stamp.size
      // The receipt is written while the disk is at work; a failed append puts it right again.
      const whileSyncing = (): void => {
        this.#appended.add(kept.window, oldSize, bytes, numbered)
        this.#record(highest)
      }
      outcome = await appendToWindow(this.#files, kept.descriptor, { oldSize, bytes, whileSyncing })
      if (!isAccepted(outcome)) this.#appended.drop(kept.window, oldSize)
    }
    return this.#settle(outcome, numbered)
  }

  /** Everything is looked up again before the next append. */
  forget(): void {
    this.#listed = null
    if (this.#kept !== null) this.#close(this.#kept.descriptor)
    this.#kept = null
  }

  close(): void {
    this.forget()
    this.#receipt.close()
  }

  #settle(outcome: AppendOutcome, rows: Row[]): Result<Row[], HistoryError> {
    const { log, paths } = this.#files
    switch (outcome.kind) {
      case 'durable':
      case 'accepted_after_failure':
        if (outcome.kind === 'accepted_after_failure') log.warn('append-accepted', { cause: String(outcome.cause) })
        this.#highest += rows.length
        return ok(rows)
      case 'undone':
        this.#record(this.#highest)
        this.forget()
        return err(fileErrorOf(outcome.cause, 'save to the history', paths.windows))
      case 'part_left':
        // The numbers of what is left until it is cut are not given again.
        this.#highest += rows.length
        this.#recordCut(outcome)
        this.forget()
        return err(fileErrorOf(outcome.cause, 'save to the history', paths.windows))
      case 'unknown':
        this.#highest += rows.length
        this.forget()
        return err(unknownOutcome(outcome.cause, paths.windows))
    }
  }

  /** True when nobody touched the window in force nor the folder since our last look. */
  #isCurrent(): boolean {
    const kept = this.#kept
    if (kept === null || this.#listed === null) return false
    const { fs, paths } = this.#files
    const folder = fs.stat(paths.windows)
    if (folder === null || !sameStamp(folder, this.#listed)) return false
    const stamp = fs.fstat(kept.descriptor)
    return stamp.links > 0 && sameStamp(stamp, kept.stamp)
  }

  async #resync(flags: number): Promise<void> {
    this.forget()
    const { fs, paths } = this.#files
    const canWrite = flags !== OPEN_READ
    const receipt = this.#receipt.read()
    const listed = fs.stat(paths.windows)
    const windows = listWindows(this.#files)
    this.#window = windowInForce(this.#files, windows)
    this.#windows = windows
    if (windows.includes(this.#window)) {
      const descriptor = fs.open(windowPath(this.#files, this.#window), flags)
      try {
        if (canWrite) this.#cutLeftPart(descriptor, receipt)
        this.#kept = this.#keptOf(this.#window, descriptor)
      } catch (cause) {
        this.#close(descriptor)
        throw cause
      }
    }
    const isTracked = this.#isTracked(receipt)
    if (canWrite) this.#removeLeftovers()
    this.#epoch = isTracked && receipt !== null ? receipt.epoch : this.#untrackedEpoch()
    this.#sealed = isTracked ? (receipt?.sealed ?? []) : []
    const untracked = isTracked ? 0 : await highestUntracked(this.#files, windows, receipt, this.#kept)
    this.#highest = Math.max(this.#highest, receipt?.highestSequence ?? 0, windows.at(-1) ?? 0, untracked)
    this.#listed = listed
    if (isTracked && receipt?.window != null) this.#appended.resume(receipt.window, receipt)
  }

  /** What points into the windows by offset expires, also where only an older one was changed (H-8). */
  async #beginEpoch(edit: EditMarker): Promise<boolean> {
    this.#highest = Math.max(this.#highest, edit.highestSequence)
    this.#epoch = newEpoch()
    this.#sealed = []
    const kept = this.#kept
    const receipt = kept === null ? this.#emptyReceipt() : this.#receiptOf(kept.window, kept.stamp, this.#highest)
    // The sequences of what was cut stand nowhere else, so this once it is waited for.
    if (!this.#receipt.write(receipt)) return false
    if (this.#files.isDurable) await this.#receipt.sync()
    return true
  }

  #emptyReceipt(): Receipt {
    const nowhere = { device: '', inode: '', size: 0, mtimeNs: '', ctimeNs: '' }
    return { version: 1, window: null, ...nowhere, highestSequence: this.#highest, epoch: this.#epoch }
  }

  /** Named after the state found, so that readers in other processes come to the same name. */
  #untrackedEpoch(): string {
    return this.#kept === null ? newEpoch() : untrackedEpochOf(this.#kept.window, this.#kept.stamp)
  }

  #isTracked(receipt: Receipt | null): boolean {
    if (receipt === null) return false
    const kept = this.#kept
    return kept === null ? receipt.window === null : receiptMatches(receipt, kept.window, kept.stamp)
  }

  /** Cuts what a failed append left, if the file is still as that append left it. */
  #cutLeftPart(descriptor: number, receipt: Receipt | null): void {
    const { fs, log } = this.#files
    const stamp = fs.fstat(descriptor)
    for (const { cut, ...of } of [this.#pendingCut, receipt].filter((each) => each !== null)) {
      if (cut === undefined || !isReceiptOfFile({ ...of }, this.#window, stamp) || stamp.size !== cut.to) continue
      try {
        fs.truncate(descriptor, cut.from)
        log.warn('part-of-append-cut', { window: this.#window, ...cut })
      } catch (cause) {
        // What cannot be cut counts as accepted: it is on disk, and it is shown.
        log.error('part-of-append-kept', {
          ...fileErrorOf(cause, 'cut a failed append', windowPath(this.#files, this.#window))
        })
      }
      break
    }
    this.#pendingCut = null
  }

  #keptOf(window: number, descriptor: number): KeptWindow {
    const { fs } = this.#files
    const stamp = fs.fstat(descriptor)
    const last = Buffer.alloc(1)
    const count = stamp.size === 0 ? 0 : fs.read(descriptor, last, 0, 1, stamp.size - 1)
    return { window, descriptor, stamp, endsInTornLine: count === 1 && last[0] !== NEWLINE }
  }

  /** The new window becomes the one that is appended to. */
  #adopt(window: number, descriptor: number): void {
    if (this.#kept !== null) {
      const sealed = { window: this.#kept.window, stamp: stampHash(this.#kept.window, this.#kept.stamp) }
      this.#sealed = [...this.#sealed, sealed].slice(-MAX_SEALED_STAMPS)
    }
    this.forget()
    this.#window = window
    // Its sequence is above every other window's, and nobody else makes one while we hold the lock.
    this.#windows = [...this.#windows, window]
    try {
      this.#kept = this.#keptOf(window, descriptor)
      this.#listed = this.#files.fs.stat(this.#files.paths.windows)
    } catch (cause) {
      this.#reportAfterAppend(cause)
      this.#close(descriptor)
    }
  }

  /**
   * Notes the state of the window in force, here and in the receipt. What fails is told to the log and looked up
   * again before the next append; the descriptor stays open, the disk may be at work on it.
   */
  #record(highest: number): void {
    const kept = this.#kept
    if (kept === null) return
    try {
      const stamp = this.#files.fs.fstat(kept.descriptor)
      this.#kept = { ...kept, stamp, endsInTornLine: false }
      // A window that another process opens from now on gets a later time than this append. Only if the
      // folder's own time is earlier still can that show in it; else the folder is listed again.
      if (this.#listed !== null && this.#listed.mtimeNs >= stamp.mtimeNs) this.#listed = null
      this.#receipt.write(this.#receiptOf(kept.window, stamp, highest))
    } catch (cause) {
      this.#reportAfterAppend(cause)
      this.#listed = null
    }
  }

  #recordCut({ from, to }: { from: number; to: number }): void {
    const kept = this.#kept
    if (kept === null) return
    this.#pendingCut = { ...this.#receiptOf(kept.window, kept.stamp, this.#highest), size: to, cut: { from, to } }
    this.#receipt.write(this.#pendingCut)
  }

  #receiptOf(window: number, stamp: FileStamp, highestSequence: number): Receipt {
    const sealed = this.#sealed.length === 0 ? {} : { sealed: this.#sealed }
    const tail = this.#appended.tailOf(window, stamp.size)
    return {
      version: 1,
      window,
      ...receiptStampOf(stamp),
      highestSequence,
      epoch: this.#epoch,
      ...sealed,
      ...(tail === null ? {} : { tail: { from: tail.from, hashes: encodeHashes(tail.hashes) } })
    }
  }

  /** Half-made window files of writers that died; nobody makes one now, we hold the lock. */
  #removeLeftovers(): void {
    const { fs, paths } = this.#files
    if (fs.stat(paths.windows) === null) return
    for (const name of fs.list(paths.windows)) {
      if (isTemporaryName(name)) removeIfThere(fs, join(paths.windows, name))
    }
  }

  #close(descriptor: number): void {
    try {
      this.#files.fs.close(descriptor)
    } catch (cause) {
      this.#reportAfterAppend(cause)
    }
  }

  #reportAfterAppend(cause: unknown): void {
    this.#files.log.warn('history-bookkeeping-failed', {
      ...fileErrorOf(cause, 'look after', this.#files.paths.windows)
    })
  }
}

function isAccepted({ kind }: AppendOutcome): boolean {
  return kind === 'durable' || kind === 'accepted_after_failure'
}

function newEpoch(): string {
  return randomBytes(6).toString('hex')
}
