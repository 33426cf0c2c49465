// Owns reading a window's file for the index: each line's hash, sequence and time, and the hash of the whole.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { openIfThere } from '../files/open-if-there'
import { describeLine, windowKindOf } from './describe-line'
import { hashLines } from './hash-lines'
import type { HistoryFiles } from './history-files'
import type { IndexedLine, WindowKind } from './window-entry'
import { emptyEntry, grownEntry, type WindowEntry } from './window-entry'
import { windowPath } from './window-files'

/** Others get their turn after so many steps: parsing 1 MiB takes about 6 ms. */
const STEPS_A_TURN = 4

export interface PlacedLine extends IndexedLine {
  readonly byteOffset: number
}

export interface ScannedLines {
  readonly lines: readonly PlacedLine[]
  /** Where reading ended. */
  readonly bytes: number
  readonly isEnded: boolean
  /** Of the window; right only where reading began at the file's beginning. */
  readonly kind: WindowKind
  /** Of what was read. */
  readonly sha256: string
}

/** The lines of a window's file from byte `from` on; null when there is no file. Throws the system's error. */
export async function scanWindowLines(files: HistoryFiles, window: number, from = 0): Promise<ScannedLines | null> {
  return scanLinesAt(files, windowPath(files, window), window, from)
}

/** The same of a file that is not yet, or no longer, under its name. */
export async function scanLinesAt(
  { fs }: HistoryFiles,
  path: string,
  window: number,
  from = 0
): Promise<ScannedLines | null> {
  const descriptor = openIfThere(fs, path)
  if (descriptor === null) return null
  try {
    const { size } = fs.fstat(descriptor)
    const lines: PlacedLine[] = []
    const whole = createHash('sha256')
    let kind: WindowKind | null = null
    let isEnded = true
    const reading = hashLines(
      fs,
      descriptor,
      { from, to: size },
      {
        line({ bytes, hash, byteOffset, isEnded: ended }) {
          kind ??= windowKindOf(window, bytes)
          lines.push({ ...describeLine(bytes, hash), byteOffset })
          isEnded = ended
        },
        chunk: (bytes) => void whole.update(bytes)
      }
    )
    let steps = 0
    for (const _ of reading) if (++steps % STEPS_A_TURN === 0) await setImmediate()
    return {
      lines,
      bytes: Math.max(from, size),
      isEnded,
      kind: kind ?? windowKindOf(window, null),
      sha256: whole.digest('hex')
    }
  } finally {
    fs.close(descriptor)
  }
}

/** The entry of a window as its file is now. */
export function entryOfScan(window: number, scan: ScannedLines, isSealed: boolean): WindowEntry {
  const entry = grownEntry(emptyEntry(window, scan.kind), scan.lines, scan)
  return isSealed ? { ...entry, sha256: scan.sha256 } : entry
}
