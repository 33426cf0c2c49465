// Owns bringing the entries of the window index up to what is on disk: windows that have none are read whole, the
// one in force only from where its entry ends. What an entry says of lines is never taken back here: it is the
// memory that Verify compares with.
import type { AppendedLines, AppendedRun, ReceiptTail } from './appended-lines'
import type { HistoryFiles } from './history-files'
import { hashAt, hashCount, type HashList, LINE_HASH_BYTES } from './line-hash'
import { entryOfScan, type PlacedLine, scanWindowLines } from './scan-window-lines'
import { emptyEntry, grownEntry, type WindowEntry } from './window-entry'
import { windowPath } from './window-files'

export interface IndexSources {
  readonly appended: AppendedLines
  /** What the receipt vouches for of the window in force: it may know lines that no index does. */
  readonly tail: { readonly window: number; readonly tail: ReceiptTail } | null
}

/**
 * The entry of a window, grown to its file where it is in force, sealed where it is not. Null when there is no
 * file. Reads nothing where `known` is complete. Throws the system's error.
 */
export async function indexWindow(
  files: HistoryFiles,
  window: number,
  known: WindowEntry | null,
  { isCurrent, sources }: { isCurrent: boolean; sources: IndexSources }
): Promise<WindowEntry | null> {
  const run = sources.appended.runOf(window)
  const entry = takeRun(window, known, run)
  if (isCurrent) return growToFile(files, window, entry, sources, false)
  if (entry !== null && entry.sha256 !== null) return entry
  const grown = await growToFile(files, window, entry, sources, true)
  if (grown === null || grown.sha256 !== null) return grown
  const whole = await scanWindowLines(files, window)
  return whole === null ? null : { ...grown, sha256: whole.sha256 }
}

/** The entry with what we appended right behind it: no byte is read for it. */
function takeRun(window: number, known: WindowEntry | null, run: AppendedRun | null): WindowEntry | null {
  if (run === null || (known !== null && run.to <= known.bytes)) return known
  const entry = known ?? (run.from === 0 && run.kind !== null ? emptyEntry(window, run.kind) : null)
  if (entry === null || !entry.isEnded || run.from > entry.bytes) return known
  const lines = run.lines.filter(({ end }) => end > entry.bytes)
  const startsThere = lines.length === run.lines.length ? run.from : run.lines.at(-lines.length - 1)?.end
  return startsThere === entry.bytes ? grownEntry(entry, lines, { bytes: run.to, isEnded: true }) : known
}

async function growToFile(
  files: HistoryFiles,
  window: number,
  entry: WindowEntry | null,
  sources: IndexSources,
  isSealed: boolean
): Promise<WindowEntry | null> {
  const size = files.fs.stat(windowPath(files, window))?.size
  if (size === undefined) return null
  if (entry !== null && entry.bytes >= size) return entry
  const expected = expectedLines(window, sources)
  // A torn line may have gone on; then the window is read from its beginning.
  const base = entry?.isEnded === true ? entry : null
  const from = Math.min(base?.bytes ?? 0, expected?.from ?? Number.MAX_SAFE_INTEGER)
  const scan = await scanWindowLines(files, window, base === null ? 0 : from)
  if (scan === null) return null
  if (base === null) return entryOfScan(window, { ...scan, lines: vouched(scan.lines, expected, 0) }, isSealed)
  return grownEntry(base, vouched(scan.lines, expected, base.bytes), scan)
}

/** The lines from byte `after` on, with the hashes that somebody vouches for in the place of those found. */
function vouched(
  found: readonly PlacedLine[],
  expected: { from: number; hashes: HashList } | null,
  after: number
): PlacedLine[] {
  if (expected === null) return found.filter(({ byteOffset }) => byteOffset >= after)
  const known = hashCount(expected.hashes)
  const before = found.filter(({ byteOffset }) => byteOffset < expected.from)
  const since = found.slice(before.length)
  const lines = since.map((line, index) => (index < known ? { ...line, hash: hashOf(expected.hashes, index) } : line))
  for (let index = since.length; index < known; index++) lines.push(missingLine(hashOf(expected.hashes, index)))
  const isCovered = (line: PlacedLine): boolean => line.byteOffset < after
  return [...before, ...lines].filter((line) => !isCovered(line))
}

function hashOf(hashes: HashList, index: number): Buffer {
  return Buffer.from(hashAt(hashes, index), 'latin1')
}

/** A line that was appended and is not there any more. */
function missingLine(hash: Buffer): PlacedLine {
  return { hash, isRow: false, sequence: null, timestampMs: null, byteOffset: Number.MAX_SAFE_INTEGER }
}

function expectedLines(window: number, { appended, tail }: IndexSources): { from: number; hashes: HashList } | null {
  const run = appended.runOf(window)
  if (run !== null) return { from: run.from, hashes: Buffer.concat(run.lines.map(({ hash }) => hash)) }
  if (tail === null || tail.window !== window || tail.tail.hashes.length < LINE_HASH_BYTES) return null
  return tail.tail
}
