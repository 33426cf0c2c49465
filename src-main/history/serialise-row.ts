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
  const { metadata } = row
  const { postCompactionContext, machine, contextBoundaryKind, timestamp, historySequence } = metadata
  const fields: Record<string, unknown> = { id: row.id, role: row.role, parts: row.parts }
  for (const name in row) if (!ROW_FIELDS.has(name)) put(fields, name, row[name])
  const stored: Record<string, unknown> = postCompactionContext === undefined ? {} : { postCompactionContext }
  for (const name in metadata) if (!PLACED_FIELDS.has(name)) put(stored, name, metadata[name])
  if (machine !== undefined) stored['machine'] = machine
  if (contextBoundaryKind !== undefined) stored['contextBoundaryKind'] = contextBoundaryKind
  stored['timestamp'] = timestamp
  stored['historySequence'] = historySequence
  fields['metadata'] = stored
  return JSON.stringify(fields)
}

/** A field of a newer version may have any name, also `__proto__`. */
function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(fields, name, { value, enumerable: true })
  else fields[name] = value
}

const ROW_FIELDS: ReadonlySet<string> = new Set(['id', 'role', 'parts', 'metadata'])

/** Fields of the metadata that have their place in the line. */
const PLACED_FIELDS: ReadonlySet<string> = new Set([
  'postCompactionContext',
  'machine',
  'contextBoundaryKind',
  'timestamp',
  'historySequence'
])
