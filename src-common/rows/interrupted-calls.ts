// Owns how a tool call without a result becomes one with an explicit, honest result. Pure.
import { isKnownPart, type Row, type RowPart } from './row-schema'

/** The model and the person read this: the effect of such a call is not known. */
export const INTERRUPTED_CALL_TEXT =
  'Interrupted: this call was stopped before its result was saved. It may or may not have taken effect.'

/** The row with every call paired; the very same row when all are settled. */
export function settleInterruptedCalls<T extends Row>(row: T): T {
  if (!row.parts.some(isUnsettledCall)) return row
  return { ...row, parts: row.parts.map((part) => (isUnsettledCall(part) ? interrupted(part) : part)) }
}

/** True when the row holds nothing that a person or a model could read: no text, no call, no file. */
export function isEmptyAnswer(row: Row): boolean {
  return row.parts.every((part) => {
    if (!isKnownPart(part)) return false
    if (part.type === 'text' || part.type === 'reasoning') return part.text === ''
    return part.type === 'step'
  })
}

function isUnsettledCall(part: RowPart): boolean {
  return isKnownPart(part) && part.type === 'dynamic-tool' && part.state === 'input-available'
}

function interrupted(part: RowPart): RowPart {
  return { ...part, state: 'interrupted', errorText: INTERRUPTED_CALL_TEXT }
}
