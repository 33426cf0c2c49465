// Owns the person's own earlier messages, for ↑ in an empty composer. Pure.
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, type Row } from '@common/rows/row-schema'

/** Texts that the person wrote, newest first, the same one only once in a row. */
export function sentTextsOf(rows: readonly Row[]): string[] {
  const texts: string[] = []
  for (const row of rows.toReversed()) {
    if (rowKindOf(row) !== 'person' || row.metadata.copyOf !== undefined) continue
    const text = row.parts.flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('\n')
    if (text.trim() !== '' && texts.at(-1) !== text) texts.push(text)
  }
  return texts
}
