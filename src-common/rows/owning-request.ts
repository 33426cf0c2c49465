// Owns which request a window works on: the newest message of the person, or the one that the window's own
// lead-in carries on from the window before. Pure.
import { z } from 'zod'
import { LEAD_IN_QUOTE_CHARS } from '../constants'
import { rowKindOf, usesOf } from './row-kinds'
import { isKnownPart, type Row } from './row-schema'

/** As a lead-in keeps it in its machine note, so that the next window can carry it on. */
export const OwningRequest = z.object({
  /** Row that asked. */
  messageId: z.string(),
  /** Its words, at most `LEAD_IN_QUOTE_CHARS` characters. */
  quote: z.string(),
  isCut: z.boolean()
})
export type OwningRequest = z.infer<typeof OwningRequest>

/** The request that these window rows work on; null where nobody asked for anything. */
export function owningRequestOf(windowRows: readonly Row[]): OwningRequest | null {
  const asked = windowRows.findLast((row) => usesOf(row).startsTurn)
  if (asked !== undefined) return quoteOf(asked)
  const leadIn = windowRows.findLast((row) => rowKindOf(row) === 'context-window-lead-in')
  const carried = OwningRequest.safeParse(leadIn?.metadata.machine?.['request'])
  return carried.success ? carried.data : null
}

/** The start of a row's words; a copy is known by the id of its original. */
export function quoteOf({ id, parts, metadata }: Row): OwningRequest {
  const text = parts
    .flatMap((part) => {
      if (!isKnownPart(part)) return []
      if (part.type === 'text') return [part.text.trim()]
      return part.type === 'file' ? [`[${part.filename ?? 'a file'}]`] : []
    })
    .filter((words) => words !== '')
    .join(' ')
  const characters = [...text]
  const isCut = characters.length > LEAD_IN_QUOTE_CHARS
  return {
    messageId: metadata.copyOf ?? id,
    quote: isCut ? characters.slice(0, LEAD_IN_QUOTE_CHARS).join('') : text,
    isCut
  }
}
