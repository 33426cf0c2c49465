// Owns where windows begin, as rows come in after the snapshot that told it. Pure.
import { isBoundary } from '@common/rows/boundaries'
import type { Row } from '@common/rows/row-schema'

/** Sequences of the rows that begin windows, once this row is appended; the snapshot may know it already. */
export function withStartOf(starts: readonly number[], row: Row): readonly number[] {
  const { historySequence } = row.metadata
  if (!isBoundary(row)) return starts.length === 0 ? ROOT : starts
  if (historySequence === undefined || historySequence <= (starts.at(-1) ?? -1)) return starts
  return [...starts, historySequence]
}

/** What came before the first boundary is a window too. */
const ROOT: readonly number[] = [0]
