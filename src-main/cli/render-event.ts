// Owns how an event reads on a terminal. Pure.
import type { SessionEvent } from '@common/contract/events'
import { isKnownPart } from '@common/rows/row-schema'

/** Text for stdout; empty for events that a reader does not need. */
export function renderEvent(event: SessionEvent): string {
  switch (event.type) {
    case 'text-delta':
      return event.text
    case 'part-set': {
      const { part } = event
      if (!isKnownPart(part) || part.type !== 'dynamic-tool' || part.state !== 'input-available') return ''
      return `\n▸ ${part.toolName} ${shortInput(part.input)}`
    }
    case 'tool-settled':
      return `  ${event.state === 'output-available' ? '✓' : `✗ ${event.toolName} (${event.state})`}\n`
    default:
      return ''
  }
}

/** The telling field of a call's input, cut to a line. */
function shortInput(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const { command, path, pattern, question } = input as Record<string, unknown>
  const telling = command ?? path ?? pattern ?? question
  return typeof telling === 'string' ? (telling.split('\n')[0] ?? '').slice(0, 100) : ''
}
