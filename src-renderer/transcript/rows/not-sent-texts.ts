// Owns reading a capsule: the original text and attachments stand in its machine note, for display only. Pure.
import { isKnownPart, RowPart } from '@common/rows/row-schema'
import type { KnownPart, Row } from '@common/rows/row-schema'

export interface NotSent {
  readonly text: string
  /** As they would have been sent. */
  readonly parts: readonly KnownPart[]
  /** File names. */
  readonly attachments: readonly string[]
  readonly reason: string
}

/** What a capsule holds; tolerant, since another version may have written it. */
export function notSentOf(row: Row): NotSent {
  const note: Readonly<Record<string, unknown>> = row.metadata.machine ?? {}
  const parts = partsOf(note['parts'])
  const { message, reason } = note
  return {
    parts,
    text: parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n\n'),
    attachments: parts.flatMap((part) => (part.type === 'file' ? [part.filename ?? 'Attachment'] : [])),
    reason: typeof message === 'string' && message !== '' ? message : reasonText(reason)
  }
}

function partsOf(value: unknown): KnownPart[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((part: unknown) => {
    const parsed = RowPart.safeParse(part)
    return parsed.success && isKnownPart(parsed.data) ? [parsed.data] : []
  })
}

function reasonText(reason: unknown): string {
  switch (reason) {
    case 'fresh_request_too_large':
      return 'It does not fit a fresh window of this model. Shorten it, remove attachments, or choose a larger model.'
    case 'request_too_large':
      return 'The request does not fit the window of this model. Shorten it, or choose a larger model.'
    case 'history_access':
      return 'The agent may not read earlier windows. Allow session_history, compact, or reset the context.'
    case 'automatic_off':
      return 'The window is full and automatic handling is off. Compact, or reset the context.'
    case 'hook':
      return 'A hook that may change tools blocks the rollover.'
    default:
      return 'It was refused before it reached the model.'
  }
}
