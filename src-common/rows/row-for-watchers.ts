// Owns what of a row crosses to a watcher: all but a compaction's stored context, which stays in main (K-2). Pure.
import type { Row } from './row-schema'

/** The row without its stored context; the very same row where it carries none. */
export function rowForWatchers(row: Row): Row {
  if (row.metadata.postCompactionContext === undefined) return row
  const { postCompactionContext: _stored, ...metadata } = row.metadata
  return { ...row, metadata }
}
