// Owns finding the first line that is not what it was (H-6), from two lists of line hashes. Pure.
import { hashAt, hashCount, hashesOf, type HashList } from './line-hash'

/** What is wrong with the first line that differs. */
export type LineChange =
  /** It stands where it stood and reads otherwise. */
  | 'changed'
  /** It is not there any more. */
  | 'missing'
  /** It was not there. */
  | 'added'
  /** It is there, but stands elsewhere. */
  | 'order'

export interface LineDifference {
  readonly what: LineChange
  /** Index of the line in the file; for a missing one, where it would stand. */
  readonly foundIndex: number
  /** Its index among the lines that were noted; null for one that was added. */
  readonly notedIndex: number | null
}

/** The first difference between the lines as they were noted and as they are; null when there is none. */
export function firstDifference(noted: HashList, found: HashList): LineDifference | null {
  const notedCount = hashCount(noted)
  const foundCount = hashCount(found)
  const common = Math.min(notedCount, foundCount)
  for (let index = 0; index < common; index++) {
    if (hashAt(noted, index) !== hashAt(found, index)) return differenceAt(index, noted, found)
  }
  if (notedCount > common) return { what: 'missing', foundIndex: common, notedIndex: common }
  return foundCount > common ? { what: 'added', foundIndex: common, notedIndex: null } : null
}

/** Tells what happened at the first index that differs by where both lines stand in the rest. */
function differenceAt(index: number, noted: HashList, found: HashList): LineDifference {
  const restNoted = countsOf(hashesOf(noted).slice(index))
  const restFound = countsOf(hashesOf(found).slice(index))
  const was = hashAt(noted, index)
  const is = hashAt(found, index)
  const isGone = surplus(was, restNoted, restFound) > 0
  const isNew = surplus(is, restFound, restNoted) > 0
  if (isGone && isNew) return { what: 'changed', foundIndex: index, notedIndex: index }
  if (isGone) return { what: 'missing', foundIndex: index, notedIndex: index }
  if (isNew) return { what: 'added', foundIndex: index, notedIndex: null }
  return { what: 'order', foundIndex: index, notedIndex: hashesOf(noted).indexOf(is, index) }
}

/** How many more of a line one side has than the other. */
function surplus(hash: string, here: ReadonlyMap<string, number>, there: ReadonlyMap<string, number>): number {
  return (here.get(hash) ?? 0) - (there.get(hash) ?? 0)
}

function countsOf(hashes: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  return counts
}
