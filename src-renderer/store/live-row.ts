// Owns how a streaming row grows: pure, one new row for each change, untouched parts keep their identity.
import { isKnownPart, type Row, type RowPart } from '@common/rows/row-schema'

/** Adds text to a text or reasoning part; an index at the end begins a new part. */
export function growPart(row: Row, partIndex: number, type: 'text' | 'reasoning', text: string): Row {
  const part = row.parts[partIndex]
  if (part === undefined) return setPart(row, partIndex, { type, text })
  if (!isKnownPart(part) || part.type !== type) return row
  return setPart(row, partIndex, { ...part, text: part.text + text })
}

/** Puts a part in its place. An index beyond the end adds it there: parts have no holes. */
export function setPart(row: Row, partIndex: number, part: RowPart): Row {
  const parts = partIndex < row.parts.length ? row.parts.with(partIndex, part) : [...row.parts, part]
  return { ...row, parts }
}
