// Owns the ledger of windows: what each took and cost, from its rows. Rows are streamed in slices, with bounded memory;
// a window whose file is untouched is not read again. Cut rows keep their cost on a line of their own, so that the sums
// equal what the workspace says it cost.
import { setImmediate } from 'node:timers/promises'
import { windowIdOf } from '@common/ids'
import type { Row } from '@common/rows/row-schema'
import { type FileStamp, sameStamp } from '../files/file-system'
import { createMutex } from '../files/mutex'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from '../history/history-files'
import { parseLine } from '../history/parse-line'
import { readCutRows } from '../history/read-cut-rows'
import { readLines } from '../history/read-lines'
import { listWindows, windowPath } from '../history/window-files'
import { addSums, LedgerCollector, type LedgerSums, NO_SUMS, type PriceOf } from './ledger-sums'

export interface WindowSums {
  readonly windowId: string
  readonly models: ReadonlyMap<string, LedgerSums>
  readonly sums: LedgerSums
}

export interface Ledger {
  /** Oldest first. */
  readonly windows: readonly WindowSums[]
  readonly cut: LedgerSums
  /** Of rows that are copies; in no other line. */
  readonly copied: LedgerSums
}

/** What one file's rows cost: those of this conversation, and copies. */
interface FileSums {
  readonly own: ReadonlyMap<string, LedgerSums>
  readonly copied: LedgerSums
}

interface Known extends FileSums {
  readonly stamp: FileStamp
  readonly copiedUpTo: number
}

/** Others get their turn after so many steps (1 MiB of parsing, about 10 ms): nobody waits for the sums alone. */
const STEPS_A_TURN = 4

export class WindowLedger {
  readonly #files: HistoryFiles
  readonly #priceOf: PriceOf
  readonly #mutex = createMutex()
  #known = new Map<number, Known>()
  #knownCut: Known | null = null

  constructor(files: HistoryFiles, priceOf: PriceOf) {
    this.#files = files
    this.#priceOf = priceOf
  }

  /** The sums as the files are now; rows up to `copiedUpTo` are copies. Throws the system's error. */
  read(copiedUpTo: number): Promise<Ledger> {
    return this.#mutex.run(async () => {
      const known = new Map<number, Known>()
      for (const window of listWindows(this.#files)) {
        const sums = await this.#windowSums(window, copiedUpTo)
        if (sums !== null) known.set(window, sums)
      }
      this.#known = known
      this.#knownCut = await this.#cutSums(copiedUpTo)
      const all = [...known.values(), ...(this.#knownCut === null ? [] : [this.#knownCut])]
      return {
        windows: [...known].map(([window, { own }]) => ({
          windowId: windowIdOf(window),
          models: own,
          sums: totalOf(own)
        })),
        cut: this.#knownCut === null ? NO_SUMS : totalOf(this.#knownCut.own),
        copied: all.reduce((sum, { copied }) => addSums(sum, copied), NO_SUMS)
      }
    })
  }

  async #windowSums(window: number, copiedUpTo: number): Promise<Known | null> {
    const { fs } = this.#files
    const descriptor = openIfThere(fs, windowPath(this.#files, window))
    if (descriptor === null) return null
    try {
      const stamp = fs.fstat(descriptor)
      const known = this.#known.get(window) ?? null
      if (isUntouched(known, stamp, copiedUpTo)) return known
      const sums = new FileCollector(this.#priceOf, copiedUpTo)
      await readCostlyRows(this.#files, descriptor, stamp.size, (row) => sums.add(row))
      return { ...sums.finish(), stamp, copiedUpTo }
    } finally {
      fs.close(descriptor)
    }
  }

  async #cutSums(copiedUpTo: number): Promise<Known | null> {
    const { fs, paths } = this.#files
    const stamp = fs.stat(paths.cutRows)
    if (stamp === null) return null
    if (isUntouched(this.#knownCut, stamp, copiedUpTo)) return this.#knownCut
    const sums = new FileCollector(this.#priceOf, copiedUpTo)
    await readCutRows(this.#files, null, (row) => sums.add(row))
    return { ...sums.finish(), stamp, copiedUpTo }
  }
}

class FileCollector {
  readonly #own: LedgerCollector
  readonly #copied: LedgerCollector
  readonly #copiedUpTo: number

  constructor(priceOf: PriceOf, copiedUpTo: number) {
    this.#own = new LedgerCollector(priceOf)
    this.#copied = new LedgerCollector(priceOf)
    this.#copiedUpTo = copiedUpTo
  }

  /** A row without a sequence was made by hand: a copy has it from where it comes. */
  add(row: Row): void {
    const isCopy = this.#copiedUpTo > 0 && (row.metadata.historySequence ?? 0) <= this.#copiedUpTo
    ;(isCopy ? this.#copied : this.#own).add(row)
  }

  finish(): FileSums {
    return { own: this.#own.models, copied: totalOf(this.#copied.models) }
  }
}

/** Names without which a line says nothing of costs; looked for as bytes, since most lines need no parsing. */
const COSTLY = ['"step"', '"costUsd"', '"continues"'].map((name) => Buffer.from(name))

async function readCostlyRows(
  { fs }: HistoryFiles,
  descriptor: number,
  size: number,
  visit: (row: Row) => void
): Promise<void> {
  const reading = readLines(
    fs,
    descriptor,
    { from: 0, to: size },
    {
      line({ buffer, start, end }) {
        const bytes = buffer.subarray(start, end)
        if (!COSTLY.some((name) => bytes.includes(name))) return
        const parsed = parseLine(bytes.toString('utf8'))
        if (parsed.ok) visit(parsed.row)
      },
      oversized() {}
    }
  )
  let steps = 0
  for (const _ of reading) if (++steps % STEPS_A_TURN === 0) await setImmediate()
}

function isUntouched(known: Known | null, stamp: FileStamp, copiedUpTo: number): boolean {
  return known !== null && known.copiedUpTo === copiedUpTo && sameStamp(known.stamp, stamp)
}

function totalOf(models: ReadonlyMap<string, LedgerSums>): LedgerSums {
  return [...models.values()].reduce(addSums, NO_SUMS)
}
