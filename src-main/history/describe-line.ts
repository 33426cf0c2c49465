// Owns what of a stored line the window index needs to know. Tolerant: a line that is no row is one all the same.
import { isBoundary } from '@common/rows/boundaries'
import { rowKindOf } from '@common/rows/row-kinds'
import { readRow, type Row } from '@common/rows/row-schema'
import { usableSequence } from './assign-sequences'
import { parseJsonLine } from './parse-line'
import type { IndexedLine, WindowKind } from './window-entry'

/** `bytes` is the line without its newline; null for one that is over the line limit. */
export function describeLine(bytes: Buffer | null, hash: Buffer): IndexedLine {
  const value = bytes === null || bytes.length === 0 ? undefined : parseJsonLine(bytes.toString('utf8'))
  if (!isFields(value) || typeof value['id'] !== 'string' || value['id'] === '') return { hash, ...NO_ROW }
  const metadata = isFields(value['metadata']) ? value['metadata'] : {}
  const timestamp = metadata['timestamp']
  return {
    hash,
    isRow: true,
    sequence: usableSequence(metadata['historySequence']),
    timestampMs: typeof timestamp === 'number' ? timestamp : null
  }
}

const NO_ROW = { isRow: false, sequence: null, timestampMs: null } as const

/** Kind of the window that begins with this line; one that cannot be read any more is told by what it still shows. */
export function windowKindOf(window: number, firstLine: Buffer | null): WindowKind {
  if (window === 0) return 'root'
  const text = firstLine?.toString('utf8') ?? ''
  const row = readRow(parseJsonLine(text))
  if (row !== null && isBoundary(row)) return kindOfBoundary(row)
  // The machine note stands before the boundary kind, so that a rollover shows which it was (S-3).
  if (text.includes('"context-window-rollover"')) return 'rollover'
  return text.includes('"contextBoundaryKind":"compaction"') ? 'compaction' : 'reset'
}

/** The kind of the window that this boundary row begins. */
export function kindOfBoundary(row: Row): WindowKind {
  if (rowKindOf(row) === 'context-window-rollover') return 'rollover'
  return row.metadata.contextBoundaryKind === 'compaction' ? 'compaction' : 'reset'
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
