// Owns the words about a compaction: why there was one, what it came to, why there was none. Pure; reads rows as
// tolerantly as they were stored.
import type { Row } from '@common/rows/row-schema'
import { costText, countText, durationText, tokensText } from '../ui/format'
import { rowText } from './rows/row-texts'

/** `12.4k → 1.1k tokens`, and why; empty for a row of another program. */
export function compactionFacts({ metadata: { compaction } }: Row): string[] {
  if (compaction === undefined) return []
  const { reason, idleHours, beforeTokens, afterTokens } = compaction
  const why = whyText(reason, idleHours)
  const size = `${tokensText(beforeTokens)} → ${tokensText(afterTokens)} tokens`
  return why === null ? [size] : [size, why]
}

/** What the summary leaves out, in one sentence; null for nothing. */
export function trimmedText({ metadata: { compaction } }: Row): string | null {
  const rows = compaction?.trimmedRows ?? 0
  if (rows === 0) return null
  const which = rows === 1 ? 'The oldest row' : `The oldest ${countText(rows, 'row')}`
  return `${which} found no room in the request for the summary, so the summary knows nothing of ${rows === 1 ? 'it' : 'them'}. Every row is kept here.`
}

/** Who wrote the summary, how long it took and what it cost; null where nothing is known. */
export function writtenText({ metadata: { model, durationMs, costUsd } }: Row): string | null {
  const facts = [
    model ?? null,
    durationMs === undefined ? null : durationText(durationMs),
    costUsd === undefined ? null : costText(costUsd)
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? null : facts.join(' · ')
}

/** The row that asked for a summary, on its one line. */
export function requestLabel({ metadata }: Row): string {
  return metadata.error !== undefined || metadata.interrupted === true ? 'No summary was made' : 'Asked for a summary'
}

/** Beside the label: why there is none, or why it was asked for. */
export function requestPreview({ metadata }: Row): string {
  if (metadata.error !== undefined) return metadata.error.message
  if (metadata.interrupted === true) return 'It was stopped. The window stays as it is.'
  const { reason, idleHours, instructions }: Readonly<Record<string, unknown>> = metadata.machine ?? {}
  return typeof instructions === 'string' ? instructions : (whyText(reason, idleHours) ?? '')
}

/** What the line opens to: what went wrong, in full, then what the model was asked. */
export function requestText(row: Row): string {
  const asked = rowText(row)
  return requestLabel(row) === 'No summary was made' ? `${requestPreview(row)}\n\n${asked}`.trim() : asked
}

function whyText(reason: unknown, idleHours: unknown): string | null {
  switch (reason) {
    case 'manual':
      return 'at your wish'
    case 'automatic':
      return 'the window was full'
    case 'idle':
      return typeof idleHours === 'number'
        ? `nothing happened for ${countText(idleHours, 'hour')}`
        : 'nothing happened for long'
    default:
      return null
  }
}
