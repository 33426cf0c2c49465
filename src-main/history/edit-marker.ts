// Owns windows/edit.json: the note of an edit under way (H-10). It stands in the windows' folder, so that making it
// changes the folder, and no other process appends without having seen it. Invariant: `prepared` means that no
// window was touched yet; `committed`, that the edit will be finished, whoever comes next.
import { z } from 'zod'
import { replaceFile } from '../files/atomic-write'
import { isNotFound } from '../files/file-error'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseJsonLine } from './parse-line'

const Part = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['keep', 'cut', 'drop']), from: z.number(), to: z.number() }),
  z.object({ kind: z.literal('put'), text: z.string() })
])

const Marker = z.object({
  version: z.literal(1),
  state: z.enum(['prepared', 'committed']),
  editId: z.string(),
  kind: z.enum(['truncate', 'delete', 'clear', 'amend', 'repair']),
  /** The highest sequence ever given: none of the cut ones is given again. */
  highestSequence: z.number(),
  /** Size of cut-rows.jsonl before the edit. */
  cutRowsBytes: z.number(),
  /** Empty while prepared. Hashes are SHA-256 of whole files; null where the file is removed. */
  files: z.array(
    z.object({
      window: z.number(),
      oldSha256: z.string(),
      newBytes: z.number(),
      newSha256: z.string().nullable(),
      parts: z.array(Part)
    })
  )
})
export type EditMarker = z.infer<typeof Marker>
export type MarkedFile = EditMarker['files'][number]

export type FoundMarker =
  | { readonly kind: 'none' }
  | { readonly kind: 'marker'; readonly marker: EditMarker }
  | { readonly kind: 'damaged' }

/** Throws the system's error. */
export async function writeEditMarker({ fs, paths, isDurable }: HistoryFiles, marker: EditMarker): Promise<void> {
  await replaceFile(paths.editMarker, `${JSON.stringify(marker)}\n`, { fs, durable: isDurable })
}

/** Throws the system's error. */
export function readEditMarker({ fs, paths }: HistoryFiles): FoundMarker {
  const descriptor = openIfThere(fs, paths.editMarker)
  if (descriptor === null) return { kind: 'none' }
  try {
    const bytes = Buffer.alloc(fs.fstat(descriptor).size)
    let held = 0
    for (let count = 1; held < bytes.length && count > 0; held += count) {
      count = fs.read(descriptor, bytes, held, bytes.length - held, held)
    }
    const parsed = Marker.safeParse(parseJsonLine(bytes.toString('utf8', 0, held)))
    return parsed.success ? { kind: 'marker', marker: parsed.data } : { kind: 'damaged' }
  } finally {
    fs.close(descriptor)
  }
}

/** The edit is over: the marker is gone from the disk when answered. Throws the system's error. */
export async function removeEditMarker({ fs, paths, isDurable }: HistoryFiles): Promise<void> {
  try {
    fs.unlink(paths.editMarker)
  } catch (cause) {
    if (!isNotFound(cause)) throw cause
  }
  // A marker that came back with a power cut would be taken for an edit of what was appended since.
  if (isDurable) await fs.syncFolder(paths.windows)
}

/** Keeps a marker that does not parse under another name. Throws the system's error. */
export function setEditMarkerAside({ fs, paths }: HistoryFiles, nowMs: number): string {
  const kept = `${paths.editMarker}.damaged-${nowMs}`
  fs.rename(paths.editMarker, kept)
  return kept
}
