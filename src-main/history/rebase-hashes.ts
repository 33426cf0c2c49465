// Owns what an edit makes of the lines that were noted of a window (H-6). A line that had changed on disk before the
// edit stays noted as it was: an edit of one row must not vouch for the others. Pure.
import { hashAt, hashCount, hashesOf, type HashList, listOfHashes } from './line-hash'

export interface LineEdit {
  /** Indexes, in the file as it was found, of lines that are no longer in it. */
  readonly cut: readonly number[]
  /** New hash by index, for lines that were replaced. */
  readonly replaced: ReadonlyMap<number, string>
}

/** The noted lines after the edit. `noted` and `found` are of before it. */
export function rebasedHashes(noted: HashList, found: HashList, { cut, replaced }: LineEdit): HashList {
  const lines = hashesOf(noted)
  const inFile = new Set(hashesOf(found))
  const changes = [...cut.map((index) => [index, null] as const), ...replaced].toSorted(([a], [b]) => b - a)
  for (const [index, hash] of changes) {
    const at = placeOf(lines, index, found, inFile)
    if (at !== -1) lines.splice(at, 1, ...(hash === null ? [] : [hash]))
  }
  return listOfHashes(lines)
}

/** Where the line is noted: at its own place, else where its hash is, else the line that it was before it changed. */
function placeOf(lines: readonly string[], index: number, found: HashList, inFile: ReadonlySet<string>): number {
  const hash = index < hashCount(found) ? hashAt(found, index) : ''
  if (lines[index] === hash) return index
  const elsewhere = lines.lastIndexOf(hash)
  if (elsewhere !== -1) return elsewhere
  const here = lines[index]
  return here === undefined || inFile.has(here) ? -1 : index
}
