// Owns Verify (H-6): a window's file read again and compared with what was noted of it when it was written. It
// proves that bytes are what they were (integrity); the notes are not signed, so it proves nothing about who wrote.
import { windowIdOf } from '@common/ids'
import { openIfThere } from '../files/open-if-there'
import { firstDifference, type LineChange, type LineDifference } from './compare-lines'
import type { HistoryFiles } from './history-files'
import { parseLine } from './parse-line'
import { type PlacedLine, scanWindowLines, type ScannedLines } from './scan-window-lines'
import { sequenceAt } from './sequence-runs'
import type { WindowEntry } from './window-entry'
import { windowPath } from './window-files'

export interface WindowDifference {
  readonly windowId: string
  readonly what: LineChange
  /** Of the file, from 1; for a missing row where it would stand. */
  readonly line: number
  /** Null where the row is gone or its id cannot be read. */
  readonly rowId: string | null
  readonly historySequence: number | null
}

export type WindowVerdict =
  | { readonly kind: 'verified'; readonly windowId: string; readonly rows: number }
  | {
      readonly kind: 'differs'
      readonly windowId: string
      /** As noted. */
      readonly rows: number
      readonly difference: WindowDifference
    }

/** Compares the file with its entry; a file that is gone differs in its first row. Throws the system's error. */
export async function verifyWindow(files: HistoryFiles, entry: WindowEntry): Promise<WindowVerdict> {
  const windowId = windowIdOf(entry.window)
  const read = (await scanWindowLines(files, entry.window)) ?? NOTHING
  // What was appended to the window in force since is no part of this.
  const scan = isSealed(entry)
    ? read
    : { ...read, lines: read.lines.filter(({ byteOffset }) => byteOffset < entry.bytes) }
  const found = Buffer.concat(scan.lines.map(({ hash }) => hash))
  const difference = firstDifference(entry.hashes, found) ?? lostEnd(entry, scan)
  if (difference === null) return { kind: 'verified', windowId, rows: entry.rows }
  return { kind: 'differs', windowId, rows: entry.rows, difference: nameRow(files, entry, scan, difference) }
}

function isSealed({ sha256 }: WindowEntry): boolean {
  return sha256 !== null
}

const NOTHING: ScannedLines = { lines: [], bytes: 0, isEnded: true, kind: 'root', sha256: '' }

/** All lines are there, but the last one's newline is not, or a sealed file has one more. */
function lostEnd(entry: WindowEntry, scan: ScannedLines): LineDifference | null {
  const isSame = isSealed(entry)
    ? scan.bytes === entry.bytes && scan.sha256 === entry.sha256
    : scan.bytes >= entry.bytes
  const last = scan.lines.length - 1
  return isSame || last < 0 ? null : { what: 'changed', foundIndex: last, notedIndex: last }
}

function nameRow(
  files: HistoryFiles,
  entry: WindowEntry,
  scan: ScannedLines,
  { what, foundIndex, notedIndex }: LineDifference
): WindowDifference {
  const found = what === 'missing' ? undefined : scan.lines[foundIndex]
  const noted = notedIndex === null ? null : sequenceAt(entry.sequences, notedIndex)
  return {
    windowId: windowIdOf(entry.window),
    what,
    line: foundIndex + 1,
    rowId: found === undefined ? null : readId(files, entry.window, found, scan.lines[foundIndex + 1]),
    // What was noted names the row also where the damage is in its number.
    historySequence: noted ?? found?.sequence ?? null
  }
}

/** The id is near the beginning of a line, and can often be read although the line does not parse. */
const ID_BYTES = 1_024

function readId(files: HistoryFiles, window: number, line: PlacedLine, next: PlacedLine | undefined): string | null {
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return null
  try {
    const end = next?.byteOffset ?? files.fs.fstat(descriptor).size
    const bytes = Buffer.alloc(line.isRow ? end - line.byteOffset : Math.min(ID_BYTES, end - line.byteOffset))
    const text = bytes.toString('utf8', 0, files.fs.read(descriptor, bytes, 0, bytes.length, line.byteOffset))
    const parsed = parseLine(text)
    if (parsed.ok) return parsed.row.id
    return /"id"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1] ?? null
  } finally {
    files.fs.close(descriptor)
  }
}
