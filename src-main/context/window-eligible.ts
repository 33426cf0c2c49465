// Owns whether a window may be sealed (P-1): it must hold something besides the input that is being sent. Pure.
import { usesOf } from '@common/rows/row-kinds'
import type { NewRow } from '@common/rows/row-schema'
import type { BeforeSend } from './context-strategy'

type Sent = Pick<BeforeSend, 'windowRows' | 'input'>

/** A window without such a row is as fresh as a new one: a boundary in it would be the second in a row. */
export function isEligible({ windowRows, input }: Sent): boolean {
  const sent = originalOf(input ?? windowRows.findLast((row) => usesOf(row).startsTurn) ?? null)
  return windowRows.some((row) => usesOf(row).windowEligible && originalOf(row) !== sent)
}

/**
 * The same message once more, for a fresh window (P-7): under new ids that name their originals. What belongs to the
 * message by its id belongs to the copy by the copy's, so that an edit finds it.
 */
export function copiesOf({
  windowRows,
  input,
  company,
  newId
}: Pick<BeforeSend, 'windowRows' | 'input' | 'company' | 'newId'>): { input: NewRow | null; company: NewRow[] } {
  const again = input ?? windowRows.findLast((row) => usesOf(row).startsTurn) ?? null
  const copy = (row: NewRow, id: string): NewRow => {
    const { historySequence: _own, warningId: _told, ...metadata } = row.metadata
    return { ...row, id, metadata: { ...metadata, copyOf: metadata.copyOf ?? row.id } }
  }
  if (again === null) return { input: null, company: company.map((row) => copy(row, newId())) }
  const inputId = newId()
  const idOf = ({ id }: NewRow): string =>
    id.startsWith(`${again.id}-`) ? `${inputId}${id.slice(again.id.length)}` : newId()
  return { input: copy(again, inputId), company: company.map((row) => copy(row, idOf(row))) }
}

/** A copy counts as the row that it copies. */
function originalOf(row: NewRow | null): string | null {
  return row === null ? null : (row.metadata.copyOf ?? row.id)
}
