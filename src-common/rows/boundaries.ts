// Owns which rows of a window go to a provider, and which window a row opens. Pure; asks the row table.
import { windowIdOf } from '../ids'
import { usesOf } from './row-kinds'
import type { Row } from './row-schema'

/** True for a row that starts a new context window, of either kind. */
export function isBoundary(row: Row): boolean {
  return usesOf(row).boundary !== 'none'
}

/** What a request is for: an answer, or a summary of the window. */
export type RequestKind = 'turn' | 'compaction'

/**
 * The rows of the newest window that a request sends, in order: from the last boundary on, without the boundary itself
 * when it is exclusive (a reset), and only kinds that the table sends. A compaction ends with its own request's row.
 */
export function rowsForProvider(windowRows: readonly Row[], kind: RequestKind = 'turn'): Row[] {
  const start = windowRows.findLastIndex(isBoundary)
  const sent = windowRows.slice(Math.max(start, 0))
  return sent.filter((row) => {
    const { provider } = usesOf(row)
    return provider === 'yes' || (provider === 'own-request' && kind === 'compaction' && row === sent.at(-1))
  })
}

/** Id of the window that begins at this boundary row; by row id where it has no sequence (S-2). */
export function windowIdOfBoundary(boundary: Row): string {
  const { historySequence } = boundary.metadata
  return historySequence === undefined ? `w:m:${boundary.id}` : windowIdOf(historySequence)
}
