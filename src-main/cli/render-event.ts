// Owns how an event reads on a terminal. Pure.
import type { SessionEvent } from '@common/contract/events'
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, type Row } from '@common/rows/row-schema'

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
    case 'row-appended':
    case 'row-updated':
      return renderCompaction(event.row)
    default:
      return ''
  }
}

/** A summary is no answer: what it is stands before it, what it came to behind it. */
function renderCompaction(row: Row): string {
  const { error, interrupted, compaction } = row.metadata
  switch (rowKindOf(row)) {
    case 'compaction-request':
      if (error !== undefined) return `\n✗ no summary: ${error.message}\n`
      return interrupted === true ? '\n✗ no summary: it was stopped\n' : '\n▸ summarising this window\n'
    case 'compaction-summary':
      return compaction === undefined
        ? ''
        : `\n✓ compaction: ${compaction.beforeTokens} → ${compaction.afterTokens} tokens\n`
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
