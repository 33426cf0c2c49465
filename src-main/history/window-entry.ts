// Owns what the window index says of one window, and how it grows by lines. A value; it reads no file.
import { z } from 'zod'
import { windowIdOf } from '@common/ids'
import { decodeHashes, encodeHashes, type HashList, NO_HASHES } from './line-hash'
import { addToRuns, type SequenceRun } from './sequence-runs'

/** How a window began. For listings; where a privacy floor lies is asked of the boundary row itself (S-3). */
export const WindowKind = z.enum(['root', 'reset', 'rollover', 'compaction'])
export type WindowKind = z.infer<typeof WindowKind>

export interface WindowEntry {
  readonly window: number
  readonly kind: WindowKind
  /** Lines that are rows; the others do not parse. */
  readonly rows: number
  /** Bytes of the file that the entry is about, always up to the end of a line. */
  readonly bytes: number
  readonly firstSequence: number | null
  readonly lastSequence: number | null
  /** Timestamps of the first and the last row that has one. */
  readonly startedAtMs: number | null
  readonly lastAtMs: number | null
  /** Of the whole file once it is sealed, else null. */
  readonly sha256: string | null
  /** One a line, empty and damaged ones too. */
  readonly hashes: HashList
  /** One a line; null for a line without a sequence. */
  readonly sequences: readonly SequenceRun[]
  /** False when the last line has no newline: it may go on. */
  readonly isEnded: boolean
}

/** What of a line goes into an entry. */
export interface IndexedLine {
  readonly hash: Buffer
  readonly isRow: boolean
  readonly sequence: number | null
  readonly timestampMs: number | null
}

export function emptyEntry(window: number, kind: WindowKind): WindowEntry {
  return {
    window,
    kind,
    rows: 0,
    bytes: 0,
    firstSequence: null,
    lastSequence: null,
    startedAtMs: null,
    lastAtMs: null,
    sha256: null,
    hashes: NO_HASHES,
    sequences: [],
    isEnded: true
  }
}

/** The entry with more lines behind it, now up to byte `bytes`; no longer that of a sealed file. */
export function grownEntry(
  entry: WindowEntry,
  lines: readonly IndexedLine[],
  { bytes, isEnded }: { bytes: number; isEnded: boolean }
): WindowEntry {
  const sequences = entry.sequences.map((run): SequenceRun => run)
  for (const line of lines) addToRuns(sequences, line.sequence)
  const given = lines.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]))
  const times = lines.flatMap(({ timestampMs }) => (timestampMs === null ? [] : [timestampMs]))
  return {
    ...entry,
    rows: entry.rows + lines.filter(({ isRow }) => isRow).length,
    bytes,
    firstSequence: entry.firstSequence ?? given[0] ?? null,
    lastSequence: given.at(-1) ?? entry.lastSequence,
    startedAtMs: entry.startedAtMs ?? times[0] ?? null,
    lastAtMs: times.at(-1) ?? entry.lastAtMs,
    sha256: null,
    hashes: Buffer.concat([entry.hashes, ...lines.map(({ hash }) => hash)]),
    sequences,
    isEnded
  }
}

const Sequence = z.number().int().nonnegative().nullable()

/** As it stands in windows.json; `windowId` is for people. */
const StoredEntry = z.object({
  window: z.number().int().nonnegative(),
  kind: WindowKind,
  rows: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  firstSequence: Sequence,
  lastSequence: Sequence,
  startedAtMs: z.number().nullable(),
  lastAtMs: z.number().nullable(),
  sha256: z.string().nullable(),
  isEnded: z.boolean(),
  sequences: z.array(z.tuple([Sequence, z.number().int().positive()])),
  hashes: z.string()
})

export function storedEntryOf({ hashes, ...entry }: WindowEntry): Readonly<Record<string, unknown>> {
  return { windowId: windowIdOf(entry.window), ...entry, hashes: encodeHashes(hashes) }
}

/** The entry of a stored value, or null when it cannot be used: it is then made anew from the window's file. */
export function entryOfStored(value: unknown): WindowEntry | null {
  const parsed = StoredEntry.safeParse(value)
  if (!parsed.success) return null
  const hashes = decodeHashes(parsed.data.hashes)
  return hashes === null ? null : { ...parsed.data, hashes }
}
