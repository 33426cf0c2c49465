// Owns the words on the line where a window begins. Pure; reads a boundary row as tolerantly as it was stored.
import type { DividerItem } from '@common/rows/display-items'
import type { Row } from '@common/rows/row-schema'
import { tokensText } from '../../ui/format'
import { compactionFacts, writtenText } from '../compaction-texts'

const LABELS: Record<DividerItem['divider'], string> = {
  rollover: 'Context window rollover',
  compaction: 'Compaction',
  reset: 'Context reset'
}

/** The label and its facts, such as `Context window rollover`, `window 3`, `182k of 200k`; of a compaction also why. */
export function dividerFacts(row: Row, divider: DividerItem['divider'], windowNumber: number | null): string[] {
  const { contextTokens, maxTokens } = noteOf(row)
  const facts = [LABELS[divider]]
  if (windowNumber !== null) facts.push(`window ${windowNumber}`)
  if (typeof contextTokens === 'number' && typeof maxTokens === 'number')
    facts.push(`${tokensText(contextTokens)} of ${tokensText(maxTokens)}`)
  return divider === 'compaction' ? [...facts, ...compactionFacts(row)] : facts
}

/** What the line opens to: name and value each. */
export function dividerDetails(row: Row, divider: DividerItem['divider']): Array<readonly [string, string]> {
  const { reason, previousWindowId, flushOpportunity, notesCarried } = noteOf(row)
  const details: Array<readonly [string, string | null]> = [
    ['Why', divider === 'rollover' ? reasonText(reason) : REASONS[divider]],
    ['Written by', divider === 'compaction' ? writtenText(row) : null],
    ['Window before', typeof previousWindowId === 'string' ? previousWindowId : null],
    ['Notes', typeof flushOpportunity === 'boolean' ? notesText(flushOpportunity, notesCarried) : null]
  ]
  return details.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

const REASONS: Record<'compaction' | 'reset', string> = {
  compaction: 'What stood above was summarised; the model goes on from the summary. Every row is kept here.',
  reset: 'You asked for a fresh context. The model sees nothing from above; every row is kept here.'
}

function reasonText(reason: unknown): string {
  switch (reason) {
    case 'on-send':
      return 'The window was full when your message was sent.'
    case 'mid-stream':
      return 'The window filled up while the agent worked; the work went on in the next one.'
    case 'context-exceeded':
      return 'The provider said that the request was too long; it was sent again in a fresh window.'
    default:
      return 'The window was full.'
  }
}

/** Whether the agent had its chance to write notes, and whether this window was given any. */
function notesText(flushed: boolean, carried: unknown): string {
  const chance = flushed
    ? 'There was room for the agent to write them before.'
    : 'There was no room left for the agent to write them.'
  if (typeof carried !== 'boolean') return chance
  return `${chance} ${carried ? 'This window was given the notes that there are.' : 'This window was given none.'}`
}

function noteOf(row: Row): Readonly<Record<string, unknown>> {
  return row.metadata.machine ?? {}
}
