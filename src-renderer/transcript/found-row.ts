// Owns finding the item that a jump goes to, and what of it must be open for its words to be seen. Pure.
import type { DisplayItem, Segment } from '@common/rows/display-items'
import { rowIdOfItem } from '@common/rows/display-items'

/** Index of the piece of the row that holds the words, else of its first piece; -1 when the row is not there. */
export function indexOfWords(items: readonly DisplayItem[], rowId: string, words: string): number {
  const first = items.findIndex((item) => rowIdOfItem(item) === rowId)
  if (first === -1 || words === '') return first
  for (let index = first; index < items.length; index += 1) {
    const item = items[index]
    if (item === undefined || rowIdOfItem(item) !== rowId) break
    if (holds(contentOf(item), words)) return index
  }
  return first
}

/** Ids of the disclosures (use-disclosure) behind which the words stand; none where they are seen anyway. */
export function disclosuresOf(item: DisplayItem | undefined, words: string): string[] {
  if (item === undefined || words === '') return []
  switch (item.kind) {
    case 'assistant': {
      const inside = item.segments.flatMap((segment) => disclosuresOfSegment(segment, words))
      return item.summary ? [`summary:${item.rowId}`, ...inside] : inside
    }
    case 'person':
    case 'not-sent':
      return [`text:${item.row.id}`]
    case 'line':
      return [`machine:${item.row.id}`]
    default:
      return []
  }
}

function disclosuresOfSegment(segment: Segment, words: string): string[] {
  if (segment.kind !== 'tools') return []
  return segment.parts.filter((part) => holds(part, words)).map(({ toolCallId }) => `tool:${toolCallId}`)
}

function contentOf(item: DisplayItem): unknown {
  return item.kind === 'assistant' ? item.segments : item
}

/** What a text says, and what a tool said, which was found in its JSON. */
function holds(value: unknown, words: string): boolean {
  const json = JSON.stringify(value)
  return json.includes(words) || json.includes(JSON.stringify(words).slice(1, -1))
}
