// Owns what this process appended and the window index does not hold yet: a hash for each line, taken from the
// bytes that were written, not from the file. So a byte that changes on disk before the index is written shows.
import type { Row } from '@common/rows/row-schema'
import { kindOfBoundary } from './describe-line'
import type { Receipt } from './append-receipt'
import { decodeHashes, hashCount, type HashList, LINE_HASH_BYTES, lineHash } from './line-hash'
import { NEWLINE } from './read-lines'
import type { IndexedLine, WindowKind } from './window-entry'

/** A line that was appended, and where it ends in its file, the newline included. */
export interface AppendedLine extends IndexedLine {
  readonly end: number
}

/** Neighbouring lines of one window's file, `[from, to)`. */
export interface AppendedRun {
  readonly from: number
  readonly to: number
  readonly lines: readonly AppendedLine[]
  /** Set where the run begins its window. */
  readonly kind: WindowKind | null
}

/** What a receipt keeps of the newest lines, for the next process (H-8). */
export interface ReceiptTail {
  readonly from: number
  readonly hashes: HashList
}

/** What fits into a receipt beside the rest; after a crash only these rows can be told apart from changed ones. */
const MAX_TAIL_LINES = 20

export class AppendedLines {
  readonly #runs = new Map<number, AppendedRun>()
  /** Of the window in force: up to MAX_TAIL_LINES hashes and the ends of their lines. */
  #tail: { window: number; from: number; to: number; lines: TailLine[] } | null = null

  /** Lines that no index holds yet. */
  get count(): number {
    let count = 0
    for (const { lines } of this.#runs.values()) count += lines.length
    return count
  }

  /** Notes a batch that is at byte `at` of a window's file; `bytes` are the very ones that were written. */
  add(window: number, at: number, bytes: Buffer, rows: readonly Row[]): void {
    // A torn line before the batch was closed with a newline; that newline belongs to no line of ours.
    const skipped = bytes[0] === NEWLINE ? 1 : 0
    const lines = linesOf(bytes, skipped, at, rows)
    const from = at + skipped
    const to = at + bytes.length
    const run = this.#runs.get(window)
    const first = rows[0]
    if (run?.to === from) this.#runs.set(window, { ...run, to, lines: [...run.lines, ...lines] })
    else
      this.#runs.set(window, {
        from,
        to,
        lines,
        kind: from === 0 && first !== undefined ? kindOf(window, first) : null
      })
    const tail = this.#tail?.window === window && this.#tail.to === from ? this.#tail : { window, from, lines: [] }
    this.#tail = { window, to, ...shortened(tail.from, [...tail.lines, ...lines]) }
  }

  /** Forgets a batch that did not come to be: what was noted from byte `at` on. */
  drop(window: number, at: number): void {
    const run = this.#runs.get(window)
    const lines = run?.lines.filter(({ end }) => end <= at) ?? []
    if (run === undefined || lines.length === 0) this.#runs.delete(window)
    else this.#runs.set(window, { ...run, to: lines.at(-1)?.end ?? run.from, lines })
    this.#tail = null
  }

  /** The newest lines of a window, for the receipt of its file of `size` bytes. */
  tailOf(window: number, size: number): ReceiptTail | null {
    const tail = this.#tail
    if (tail === null || tail.window !== window || tail.to !== size) return null
    return { from: tail.from, hashes: Buffer.concat(tail.lines.map(({ hash }) => hash)) }
  }

  /** Goes on from what another process, or an earlier run, noted in a receipt that fits its file. */
  resume(window: number, { size, tail }: Pick<Receipt, 'size' | 'tail'>): void {
    if (this.#tail?.window === window && this.#tail.to === size) return
    const known = tail === undefined ? null : tailOfReceipt(tail)
    if (known === null) {
      this.#tail = null
      return
    }
    const count = hashCount(known.hashes)
    const lines = Array.from({ length: count }, (_, index) => ({
      hash: known.hashes.subarray(index * LINE_HASH_BYTES, (index + 1) * LINE_HASH_BYTES),
      end: index === count - 1 ? size : null
    }))
    this.#tail = { window, from: known.from, to: size, lines }
  }

  runOf(window: number): AppendedRun | null {
    return this.#runs.get(window) ?? null
  }

  /** The index holds them now, or they are gone. */
  forget(window: number): void {
    this.#runs.delete(window)
  }

  /** Somebody else changed what was appended. */
  clear(): void {
    this.#runs.clear()
    this.#tail = null
  }
}

interface TailLine {
  readonly hash: Buffer
  /** Null where a receipt did not say. */
  readonly end: number | null
}

/** The newest lines that fit, and where the first of them begins. */
function shortened(from: number, lines: readonly TailLine[]): { from: number; lines: TailLine[] } {
  for (let first = Math.max(0, lines.length - MAX_TAIL_LINES); first > 0 && first <= lines.length; first++) {
    const start = lines[first - 1]?.end ?? null
    if (start !== null) return { from: start, lines: lines.slice(first) }
  }
  return { from, lines: [...lines] }
}

function kindOf(window: number, first: Row): WindowKind {
  return window === 0 ? 'root' : kindOfBoundary(first)
}

function linesOf(bytes: Buffer, skipped: number, at: number, rows: readonly Row[]): AppendedLine[] {
  const lines: AppendedLine[] = []
  let start = skipped
  for (const { metadata } of rows) {
    const end = bytes.indexOf(NEWLINE, start)
    lines.push({
      hash: lineHash(bytes.subarray(start, end)),
      isRow: true,
      sequence: metadata.historySequence ?? null,
      timestampMs: metadata.timestamp ?? null,
      end: at + end + 1
    })
    start = end + 1
  }
  return lines
}

/** A tail as a receipt keeps it, or null when it cannot be used. */
export function tailOfReceipt({ from, hashes }: { from: number; hashes: string }): ReceiptTail | null {
  const list = decodeHashes(hashes)
  return list === null ? null : { from, hashes: list }
}
