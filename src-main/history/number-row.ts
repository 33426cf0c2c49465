// Owns a row's last form before it is stored: its sequence, and its fields in the order that readers of raw
// bytes rely on. The line is plain JSON of it.
import type { NewRow, Row, RowMetadata } from '@common/rows/row-schema'

/** The row as it will be stored, its fields in their order: with its sequence, and `nowMs` where it has no timestamp. */
export function numberRow(row: NewRow, historySequence: number, nowMs: number): Row {
  const { metadata, ...fields } = row
  const { timestamp = nowMs, historySequence: _given, ...others } = metadata
  return { ...fields, metadata: { ...inOrder(others), timestamp, historySequence } }
}

/** Stored metadata in the order of a stored row; a field that was added to it takes its place. */
export function orderedMetadata(metadata: RowMetadata): RowMetadata {
  const { timestamp, historySequence, ...others } = metadata
  return {
    ...inOrder(others),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(historySequence === undefined ? {} : { historySequence })
  }
}

/**
 * The bulky header first, `machine` before `contextBoundaryKind`: so a damaged rollover still shows which kind it
 * was (S-3), and the sequence, which follows, stands at the very end of the line, where it is found without parsing.
 */
function inOrder(metadata: RowMetadata): RowMetadata {
  if (metadata.contextBoundaryKind === undefined && metadata.postCompactionContext === undefined) return metadata
  const { postCompactionContext, machine, contextBoundaryKind, ...others } = metadata
  return {
    ...(postCompactionContext === undefined ? {} : { postCompactionContext }),
    ...others,
    ...(machine === undefined ? {} : { machine }),
    ...(contextBoundaryKind === undefined ? {} : { contextBoundaryKind })
  }
}
