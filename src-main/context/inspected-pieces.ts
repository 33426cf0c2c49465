// Owns the pieces of a request that a person opens one by one: their texts, and what a list says of each. Pure.
import type { InspectedPart, InspectedPiece } from '@common/contract/inspector-views'
import type { RowMessage } from './convert-answer'
import { messageText } from './message-text'
import type { RebuiltRequest } from './rebuild-request'

const texts = new WeakMap<RowMessage, string>()

/** Null for a piece that the request does not have, or whose part is gone. */
export function textOfPart(rebuilt: RebuiltRequest, { part, index }: InspectedPart): string | null {
  switch (part) {
    case 'system':
    case 'memories':
    case 'notes':
      return rebuilt[part]
    case 'tool':
      return prettyJson(rebuilt.tools[index]?.text ?? null)
    case 'message': {
      const message = rebuilt.messages[index]?.message
      return message === undefined ? null : textOf(message)
    }
  }
}

/** The whole system text, memories and notes in it; null where its part is gone. */
export function systemTextOf({ system, memories, notes }: RebuiltRequest): string | null {
  return system === null ? null : [system, memories, notes].filter((text) => text !== '').join('\n\n')
}

/** The text of a message; the same message is spelled once. */
export function textOf(message: RowMessage): string {
  const known = texts.get(message) ?? messageText(message)
  texts.set(message, known)
  return known
}

export interface PieceFacts {
  readonly label: string
  readonly rowIds?: readonly string[]
  readonly tokens: number | null
  readonly isNew: boolean
}

export function pieceOf(at: InspectedPart, text: string, { label, rowIds = [], ...facts }: PieceFacts): InspectedPiece {
  return { ...at, label, rowId: rowIds[0] ?? null, rows: rowIds.length, preview: previewOf(text), ...facts }
}

/** Two lines of a list at most. */
const PREVIEW_CHARS = 200

function previewOf(text: string): string {
  // Looks at a beginning alone: white space may make it shorter.
  const head = text
    .slice(0, PREVIEW_CHARS * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return head.slice(0, PREVIEW_CHARS).replace(/[\uD800-\uDBFF]$/, '')
}

function prettyJson(text: string | null): string | null {
  return text === null ? null : JSON.stringify(JSON.parse(text), null, 2)
}
