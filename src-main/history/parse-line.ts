// Owns turning a stored line into a row. Tolerant (H-3): what does not parse is named, never thrown.
import { type Row, readRow } from '@common/rows/row-schema'
import { isWellFormedRow } from './well-formed-row'

export type ParsedLine =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly problem: 'unparsed' | 'not-a-row' }

const UNPARSED: ParsedLine = { ok: false, problem: 'unparsed' }
const NOT_A_ROW: ParsedLine = { ok: false, problem: 'not-a-row' }

/** Reads a line as a row; fields, parts and machine types that this version does not know are kept. */
export function parseLine(line: string): ParsedLine {
  const value = parseJsonLine(line)
  if (value === undefined) return UNPARSED
  const row = rowOfValue(value)
  return row === null ? NOT_A_ROW : { ok: true, row }
}

/** A line's JSON value as a row, null when it is none. */
export function rowOfValue(value: unknown): Row | null {
  // The schema costs as much again as the parse, so it is asked only about rows that look unusual.
  return isWellFormedRow(value) ? value : readRow(value)
}

/** The line's JSON value, undefined when it has none. */
export function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}
