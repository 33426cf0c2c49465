// Owns partial.json: the assistant row that is streaming now, replaced as a whole each time (H-4).
// The file is the row itself, with one field more: the sequence after which a committed copy would be found.
import { join } from 'node:path'
import { type NewRow, type Row, readRow } from '@common/rows/row-schema'
import { isTemporaryName, removeIfThere, replaceFile } from '../files/atomic-write'
import { isNotFound } from '../files/file-error'
import { listIfThere, openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from './history-files'
import { parseJsonLine } from './parse-line'

/** Far above any answer; a file beyond this was not written by us. */
const MAX_PARTIAL_BYTES = 67_108_864

export type FoundPartial =
  | { readonly kind: 'none' }
  | { readonly kind: 'row'; readonly row: Row; readonly afterSequence: number }
  | { readonly kind: 'damaged' }

/** Replaces the file. Throws the system's error. */
export async function writePartialFile(files: HistoryFiles, row: NewRow, afterSequence: number): Promise<void> {
  const text = JSON.stringify({ ...row, afterSequence })
  await replaceFile(files.paths.partial, `${text}\n`, { fs: files.fs, durable: files.isDurable })
}

/** Throws the system's error. */
export function readPartialFile({ fs, paths }: HistoryFiles): FoundPartial {
  const descriptor = openIfThere(fs, paths.partial)
  if (descriptor === null) return { kind: 'none' }
  try {
    const { size } = fs.fstat(descriptor)
    if (size > MAX_PARTIAL_BYTES) return { kind: 'damaged' }
    const bytes = Buffer.alloc(size)
    const count = size === 0 ? 0 : fs.read(descriptor, bytes, 0, size, 0)
    const row = readRow(parseJsonLine(bytes.toString('utf8', 0, count)))
    if (row === null) return { kind: 'damaged' }
    const { afterSequence, ...kept } = row
    return { kind: 'row', row: kept, afterSequence: typeof afterSequence === 'number' ? afterSequence : 0 }
  } finally {
    fs.close(descriptor)
  }
}

/** Removes the file and half-made ones beside it. Throws the system's error. */
export function removePartialFile({ fs, paths }: HistoryFiles): void {
  try {
    fs.unlink(paths.partial)
  } catch (cause) {
    if (!isNotFound(cause)) throw cause
  }
}

/** What crashed writers left beside it; only the owner of the turn may ask. */
export function removePartialLeftovers({ fs, paths }: HistoryFiles): void {
  for (const name of listIfThere(fs, paths.root)) {
    if (name.startsWith('.partial.json.') && isTemporaryName(name)) removeIfThere(fs, join(paths.root, name))
  }
}

/** Keeps a file that cannot be read under another name, and answers that name. Throws the system's error. */
export function setPartialAside({ fs, paths }: HistoryFiles, nowMs: number): string {
  const kept = join(paths.root, `partial.damaged-${nowMs}.json`)
  fs.rename(paths.partial, kept)
  return kept
}
