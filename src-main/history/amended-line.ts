// Owns the new line of an amended row (H-14): named metadata fields merged into the row as it is on disk. Pure.
import { err, ok, type Result } from '@common/result'
import type { Row } from '@common/rows/row-schema'
import { checkSize } from './encode-batch'
import type { HistoryError } from './history-error'
import { orderedMetadata } from './number-row'
import { parseJsonLine, parseLine } from './parse-line'

/** By name; an object is merged into the one that is there, field by field, `undefined` removes a field. */
export type AmendedFields = Readonly<Record<string, unknown>>

/** A row's place in its history and in its window is not to be amended. */
const FIXED_FIELDS: ReadonlySet<string> = new Set(['historySequence', 'contextBoundaryKind', '__proto__'])

/** Throws for a field that must not be amended. */
export function amendedLine(line: string, fields: AmendedFields): Result<{ line: string; row: Row }, HistoryError> {
  const fixed = Object.keys(fields).find((name) => FIXED_FIELDS.has(name))
  if (fixed !== undefined) throw new TypeError(`${fixed} of a stored row cannot be amended.`)
  const value = parseJsonLine(line)
  const stored = isFields(value) ? value : {}
  const metadata = merged(isFields(stored['metadata']) ? stored['metadata'] : {}, fields)
  const text = JSON.stringify({ ...stored, metadata: orderedMetadata(metadata) })
  const parsed = parseLine(text)
  if (!parsed.ok) throw new TypeError('An amended row is no row any more.')
  const tooLarge = checkSize(parsed.row, text)
  return tooLarge === null ? ok({ line: text, row: parsed.row }) : err(tooLarge)
}

function merged(target: AmendedFields, fields: AmendedFields): Record<string, unknown> {
  const next: Record<string, unknown> = { ...target }
  for (const [name, value] of Object.entries(fields)) {
    const there = next[name]
    if (value === undefined) delete next[name]
    else next[name] = isFields(value) && isFields(there) ? merged(there, value) : value
  }
  return next
}

function isFields(value: unknown): value is AmendedFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
