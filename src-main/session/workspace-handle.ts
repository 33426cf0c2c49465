// Owns an open workspace's file: changes are merged into what is on disk now and written one after another.
import type { Result } from '@common/result'
import { ok } from '@common/result'
import type { Row } from '@common/rows/row-schema'
import { isUnpriced } from '../costs/cost-ledger'
import { createMutex } from '../files/mutex'
import { readWorkspaceFile, writeWorkspaceFile } from './workspace-file'
import type { WorkspaceFile } from './workspace-file'

export class WorkspaceHandle {
  readonly #path: string
  #file: WorkspaceFile
  readonly #mutex = createMutex()
  /** Figures that grow with every row; written with the next change. */
  #counted: Pick<WorkspaceFile, 'rows' | 'costUsd' | 'costIncomplete' | 'requestSequence'>

  constructor(path: string, file: WorkspaceFile) {
    this.#path = path
    this.#file = file
    this.#counted = figuresOf(file)
  }

  get file(): WorkspaceFile {
    return { ...this.#file, ...this.#counted }
  }

  /** The next provider request's number; never given twice, also across a restart once `update` wrote it (V-1). */
  nextRequestSequence(): number {
    this.#counted.requestSequence++
    return this.#counted.requestSequence
  }

  /** Takes note of a number that was given: none up to it is given again. */
  raiseRequestSequence(atLeast: number): void {
    this.#counted.requestSequence = Math.max(this.#counted.requestSequence, atLeast)
  }

  /** Starts the figures over: the history is about to be counted from its first row. */
  forgetFigures(): void {
    this.#counted = { ...this.#counted, rows: 0, costUsd: 0, costIncomplete: false }
  }

  /** Takes the figures of the file: another process edited the history and counted. */
  readAgain(): Promise<void> {
    return this.#mutex.run(async () => {
      const onDisk = await readWorkspaceFile(this.#path, this.#file.id)
      if (onDisk === null || onDisk.damage !== null) return
      const { requestSequence } = this.#counted
      this.#file = onDisk.file
      this.#counted = figuresOf(onDisk.file)
      this.#counted.requestSequence = Math.max(requestSequence, onDisk.file.requestSequence)
    })
  }

  /** Rows were cut; what they cost was spent all the same. */
  dropRows(count: number): void {
    this.#counted.rows = Math.max(0, this.#counted.rows - count)
  }

  /** Adds a new row to the figures. */
  countRow(row: Row): void {
    this.#counted.rows++
    this.#counted.costUsd += row.metadata.costUsd ?? 0
    if (isUnpriced(row)) this.#counted.costIncomplete = true
    const { requestSequence = 0, postCompactionContext } = row.metadata
    // An imported mark of a request to come counts like those before it: the next one must not lie before the mark.
    this.raiseRequestSequence(Math.max(requestSequence, (postCompactionContext?.omittedFromRequest ?? 1) - 1))
  }

  /**
   * Merges `change` into the file on disk; unknown fields of another version stay. A function gets what the file
   * holds when its turn comes, so that two changes of one list both count.
   */
  update(
    change: Partial<WorkspaceFile> | ((file: WorkspaceFile) => Partial<WorkspaceFile>)
  ): Promise<Result<void, string>> {
    return this.#mutex.run(async () => {
      const onDisk = await readWorkspaceFile(this.#path, this.#file.id)
      const base = onDisk === null || onDisk.damage !== null ? this.#file : onDisk.file
      // Another process may have sent requests meanwhile: their numbers are not given again.
      this.#counted.requestSequence = Math.max(this.#counted.requestSequence, base.requestSequence)
      const counted = { ...base, ...this.#counted }
      const next = { ...counted, ...(typeof change === 'function' ? change(counted) : change) }
      const written = await writeWorkspaceFile(this.#path, next)
      if (!written.ok) return written
      this.#file = next
      return ok(undefined)
    })
  }

  /** Resolves when every change so far is on disk. */
  async settled(): Promise<void> {
    await this.#mutex.run(async () => undefined)
  }
}

function figuresOf(
  file: WorkspaceFile
): Pick<WorkspaceFile, 'rows' | 'costUsd' | 'costIncomplete' | 'requestSequence'> {
  const { rows, costUsd, costIncomplete, requestSequence } = file
  return { rows, costUsd, costIncomplete, requestSequence }
}
