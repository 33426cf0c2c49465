// Owns whether a window may be sealed (P-1): it must hold something besides the input that is being sent. Pure.
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import type { NewRow, Row } from '@common/rows/row-schema'
import type { BeforeSend } from './context-strategy'

type Sent = Pick<BeforeSend, 'windowRows' | 'input'>

/** A window without such a row is as fresh as a new one: a boundary in it would be the second in a row. */
export function isEligible({ windowRows, input }: Sent): boolean {
  const sent = originalOf(input ?? windowRows.findLast((row) => usesOf(row).startsTurn) ?? null)
  return windowRows.some((row) => usesOf(row).windowEligible && isSaid(row) && originalOf(row) !== sent)
}

/** An answer that failed before it said anything is nothing to seal. */
function isSaid(row: Row): boolean {
  return rowKindOf(row) !== 'assistant' || row.parts.length > 0
}

/**
 * The person's message that these rows end with and nothing has answered yet, with the snapshots that belong to it:
 * a turn without an input goes on from it. Null where the newest message was answered, if only in part.
 */
export function unansweredOf(windowRows: readonly Row[]): { input: Row; company: Row[] } | null {
  const at = windowRows.findLastIndex((row) => usesOf(row).startsTurn)
  const input = windowRows[at]
  if (input === undefined) return null
  if (windowRows.slice(at + 1).some((row) => row.role === 'assistant' && row.parts.length > 0)) return null
  const company = windowRows.slice(0, at).filter(({ id }) => id.startsWith(`${input.id}-`))
  return { input, company }
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
  const unanswered = input === null ? unansweredOf(windowRows) : null
  const again = input ?? unanswered?.input ?? windowRows.findLast((row) => usesOf(row).startsTurn) ?? null
  const own = unanswered?.company ?? company
  const copy = (row: NewRow, id: string): NewRow => {
    const { historySequence: _own, warningId: _told, ...metadata } = row.metadata
    return { ...row, id, metadata: { ...metadata, copyOf: metadata.copyOf ?? row.id } }
  }
  if (again === null) return { input: null, company: own.map((row) => copy(row, newId())) }
  const inputId = newId()
  const idOf = ({ id }: NewRow): string =>
    id.startsWith(`${again.id}-`) ? `${inputId}${id.slice(again.id.length)}` : newId()
  return { input: copy(again, inputId), company: own.map((row) => copy(row, idOf(row))) }
}

/** A copy counts as the row that it copies. */
function originalOf(row: NewRow | null): string | null {
  return row === null ? null : (row.metadata.copyOf ?? row.id)
}
