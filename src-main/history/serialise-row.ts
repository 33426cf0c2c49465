// Owns how a row becomes a line: compact JSON, fields in an order that readers of raw bytes rely on.
import type { NewRow, Row } from '@common/rows/row-schema'

/** The row as it will be stored: with its sequence, and with `nowMs` where it has no timestamp. */
export function numberRow(row: NewRow, historySequence: number, nowMs: number): Row {
  return { ...row, metadata: { ...row.metadata, historySequence, timestamp: row.metadata.timestamp ?? nowMs } }
}

/**
 * The row's line, without its newline. Metadata comes last; within it the bulky header first and `machine`
 * always before `contextBoundaryKind`, so that a damaged rollover still shows which kind it was (S-3), and
 * the sequence at the very end, where a reader finds it without parsing the line.
 */
export function serialiseRow(row: Row): string {
  const { id, role, parts, metadata, ...unknownFields } = row
  const { postCompactionContext, machine, contextBoundaryKind, timestamp, historySequence, ...others } = metadata
  return JSON.stringify({
    id,
    role,
    parts,
    ...unknownFields,
    metadata: { postCompactionContext, ...others, machine, contextBoundaryKind, timestamp, historySequence }
  })
}
