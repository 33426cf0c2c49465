// Owns which rows of a window go to a provider, and which window a row opens. Pure; asks the row table.
import { windowIdOf } from '../ids'
import { usesOf } from './row-kinds'
import type { Row } from './row-schema'

/** True for a row that starts a new context window, of either kind. */
export function isBoundary(row: Row): boolean {
  return usesOf(row).boundary !== 'none'
}

/**
 * The rows of the newest window that an ordinary request sends, in order: from the last boundary on,
 * without the boundary itself when it is exclusive (a reset), and only kinds that the table sends.
 */
export function rowsForProvider(windowRows: readonly Row[]): Row[] {
  const start = windowRows.findLastIndex(isBoundary)
  return windowRows.slice(Math.max(start, 0)).filter((row) => usesOf(row).provider === 'yes')
}

/** Id of the window that begins at this boundary row; by row id where it has no sequence (S-2). */
export function windowIdOfBoundary(boundary: Row): string {
  const { historySequence } = boundary.metadata
  return historySequence === undefined ? `w:m:${boundary.id}` : windowIdOf(historySequence)
}
