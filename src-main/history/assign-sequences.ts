// Owns which sequences imported rows keep (H-11). Pure.

export interface FoundSequence {
  /** As in the file; null when missing or no sequence at all. */
  readonly sequence: number | null
  readonly isBoundary: boolean
}

/**
 * The sequence that each row gets. One that is unique is kept; the first of a repeated one is kept, later ones
 * and missing ones stay without (such rows are addressed by id). A boundary must have a sequence above every
 * earlier boundary's, since its window's file is named by it: where its own will not do, it gets a free one.
 */
export function assignSequences(found: readonly FoundSequence[]): (number | null)[] {
  const inFile = new Set<number>()
  for (const { sequence } of found) if (sequence !== null) inFile.add(sequence)
  const given = new Set<number>()
  let lastWindow = 0
  let highestSoFar = 0
  return found.map(({ sequence, isBoundary }) => {
    let assigned = sequence === null || given.has(sequence) ? null : sequence
    if (isBoundary && (assigned === null || assigned <= lastWindow)) {
      assigned = Math.max(lastWindow, highestSoFar) + 1
      while (inFile.has(assigned) || given.has(assigned)) assigned++
    }
    if (assigned === null) return null
    given.add(assigned)
    highestSoFar = Math.max(highestSoFar, assigned)
    if (isBoundary) lastWindow = assigned
    return assigned
  })
}

/** A sequence that can be counted on from, else null. */
export function usableSequence(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_SEQUENCE ? value : null
}

/** Leaves room to count on. */
const MAX_SEQUENCE = 2 ** 52
