// Owns an open workspace's file: changes are merged into what is on disk now and written one after another.
import type { Result } from '@common/result'
import { ok } from '@common/result'
import type { Row } from '@common/rows/row-schema'
import { isKnownPart } from '@common/rows/row-schema'
import { readWorkspaceFile, writeWorkspaceFile } from './workspace-file'
import type { WorkspaceFile } from './workspace-file'

export class WorkspaceHandle {
  readonly #path: string
  #file: WorkspaceFile
  #tail: Promise<unknown> = Promise.resolve()
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

  /** Adds a new row to the figures. */
  countRow(row: Row): void {
    this.#counted.rows++
    this.#counted.costUsd += row.metadata.costUsd ?? 0
    const steps = row.parts.filter((part) => isKnownPart(part) && part.type === 'step')
    if (steps.length > 0 && row.metadata.costUsd === undefined) this.#counted.costIncomplete = true
    const sequence = row.metadata.requestSequence ?? 0
    this.#counted.requestSequence = Math.max(this.#counted.requestSequence, sequence)
  }

  /** Merges `change` into the file on disk; unknown fields of another version stay. */
  update(change: Partial<WorkspaceFile>): Promise<Result<void, string>> {
    const work = this.#tail.then(async (): Promise<Result<void, string>> => {
      const onDisk = await readWorkspaceFile(this.#path, this.#file.id)
      const base = onDisk === null || onDisk.damage !== null ? this.#file : onDisk.file
      const next = { ...base, ...this.#counted, ...change }
      const written = await writeWorkspaceFile(this.#path, next)
      if (!written.ok) return written
      this.#file = next
      return ok(undefined)
    })
    this.#tail = work
    return work
  }

  /** Resolves when every change so far is on disk. */
  async settled(): Promise<void> {
    await this.#tail
  }
}

function figuresOf(
  file: WorkspaceFile
): Pick<WorkspaceFile, 'rows' | 'costUsd' | 'costIncomplete' | 'requestSequence'> {
  const { rows, costUsd, costIncomplete, requestSequence } = file
  return { rows, costUsd, costIncomplete, requestSequence }
}
