// Owns windows.json on disk: read tolerantly, replaced as a whole. It can be made anew from the windows, so it is
// not synced but where an edit asks for it; what this version does not know in it is kept.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { replaceFile } from '../files/atomic-write'
import { type FileStamp, sameStamp } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseJsonLine } from './parse-line'
import { entryOfStored, storedEntryOf, type WindowEntry } from './window-entry'

/** A change of a stored row that was asked for (H-14): so that it is not taken for damage by a reader of old notes. */
export const Amendment = z.looseObject({
  atMs: z.number(),
  windowId: z.string(),
  rowId: z.string(),
  historySequence: z.number().nullable(),
  fields: z.array(z.string()),
  oldHash: z.string(),
  newHash: z.string()
})
export type Amendment = z.infer<typeof Amendment>

const IndexFile = z.looseObject({
  windows: z.array(z.unknown()),
  amendments: z.array(z.unknown()).optional(),
  /** Of the last edit, so that another process knows that what it remembers of lines may be gone. */
  lastEdit: z.string().nullish().catch(null)
})

export interface StoredIndex {
  readonly entries: ReadonlyMap<number, WindowEntry>
  readonly amendments: readonly Amendment[]
  readonly lastEdit: string | null
  /** Fields of a newer version. */
  readonly unknown: Readonly<Record<string, unknown>>
  /** Of the file that this was read from; null when there was none. */
  readonly stamp: FileStamp | null
  /** The file is there and cannot be used as a whole, or an entry of it cannot. */
  readonly isDamaged: boolean
}

export const NO_INDEX: StoredIndex = {
  entries: new Map(),
  amendments: [],
  lastEdit: null,
  unknown: {},
  stamp: null,
  isDamaged: false
}

/** Far above any index: a gigabyte of history takes about 6 MB. */
const MAX_INDEX_BYTES = 268_435_456

/** What windows.json says; `known` is answered again where its file is untouched. Throws the system's error. */
export function readIndexFile({ fs, paths }: HistoryFiles, known: StoredIndex): StoredIndex {
  const descriptor = openIfThere(fs, paths.windowIndex)
  if (descriptor === null) return NO_INDEX
  try {
    const stamp = fs.fstat(descriptor)
    if (known.stamp !== null && sameStamp(known.stamp, stamp)) return known
    if (stamp.size > MAX_INDEX_BYTES) return { ...NO_INDEX, stamp, isDamaged: true }
    const bytes = Buffer.alloc(stamp.size)
    let held = 0
    for (let count = 1; held < bytes.length && count > 0; held += count) {
      count = fs.read(descriptor, bytes, held, bytes.length - held, held)
    }
    return { ...parseIndex(bytes.toString('utf8', 0, held)), stamp }
  } finally {
    fs.close(descriptor)
  }
}

/** Replaces windows.json; one that cannot be read is first set aside. Throws the system's error. */
export async function writeIndexFile(
  files: HistoryFiles,
  index: Omit<StoredIndex, 'stamp' | 'isDamaged'>,
  { durable }: { durable: boolean }
): Promise<StoredIndex> {
  const { fs, paths } = files
  if (readIndexFile(files, NO_INDEX).isDamaged) setIndexAside(files)
  const windows = [...index.entries.values()].toSorted((a, b) => a.window - b.window)
  const amendments = index.amendments.map((amendment) => JSON.stringify(amendment))
  // One window a line, so that a person finds it.
  const text = [
    `{${fieldsText(index.unknown)}"version":1,"lastEdit":${JSON.stringify(index.lastEdit)},"windows":[`,
    windows.map((entry) => JSON.stringify(storedEntryOf(entry))).join(',\n'),
    `],"amendments":[${amendments.length === 0 ? '' : `\n${amendments.join(',\n')}\n`}]}`
  ].join('\n')
  await replaceFile(paths.windowIndex, `${text}\n`, { fs, durable })
  return { ...index, stamp: fs.stat(paths.windowIndex), isDamaged: false }
}

/** Keeps a damaged index under another name, named by its state; each damage once. Throws the system's error. */
function setIndexAside({ fs, paths, log }: HistoryFiles): void {
  const stamp = fs.stat(paths.windowIndex)
  if (stamp === null) return
  const name = createHash('sha256').update(`${stamp.inode} ${stamp.mtimeNs} ${stamp.size}`).digest('hex').slice(0, 8)
  const kept = `${paths.windowIndex}.damaged-${name}`
  fs.rename(paths.windowIndex, kept)
  log.warn('window-index-damaged', { keptAs: kept })
}

function fieldsText(unknown: Readonly<Record<string, unknown>>): string {
  return Object.entries(unknown)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
    .join('')
}

function parseIndex(text: string): Omit<StoredIndex, 'stamp'> {
  const parsed = IndexFile.safeParse(parseJsonLine(text))
  if (!parsed.success) return { ...NO_INDEX, isDamaged: true }
  const { windows, amendments = [], lastEdit = null, version: _version, ...unknown } = parsed.data
  const entries = windows.map(entryOfStored)
  return {
    entries: new Map(entries.flatMap((entry) => (entry === null ? [] : [[entry.window, entry]]))),
    amendments: amendments.flatMap((value) => {
      const amendment = Amendment.safeParse(value)
      return amendment.success ? [amendment.data] : []
    }),
    lastEdit,
    unknown,
    isDamaged: entries.includes(null)
  }
}
