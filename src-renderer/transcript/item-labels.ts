// Owns what a row is called for those who do not see it. Pure.
import type { DisplayItem } from '@common/rows/display-items'

/** The accessible name of an item. */
export function itemLabel(item: DisplayItem): string {
  switch (item.kind) {
    case 'person':
    case 'copy':
      return 'You'
    case 'assistant':
      if (item.summary) return 'Summary'
      return item.first ? 'Assistant' : 'Assistant, continued'
    case 'line':
      return 'Written by the app'
    case 'divider':
      return 'A new window begins'
    case 'not-sent':
      return 'Your message, not sent'
    case 'damaged':
      return 'Damaged lines'
    case 'summarising':
      return 'A summary is being written'
    case 'working':
    case 'retrying':
    case 'paused':
      return 'This turn'
    case 'problem':
      return 'No answer'
  }
}
