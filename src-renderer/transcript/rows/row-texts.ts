// Owns the words about rows: what copying a row gives, how an end is told, what can be done. Pure.
import { isKnownPart } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import type { TurnSummary } from '@common/rows/display-items'
import type { SessionStatus } from '@common/contract/views'
import { costText, countText, durationText } from '../../ui/format'

/** The texts of a row, as copying gives them. */
export function rowText(row: Row): string {
  return row.parts
    .flatMap((part) => (isKnownPart(part) && part.type === 'text' && part.text !== '' ? [part.text] : []))
    .join('\n\n')
}

export interface EndingNote {
  /** `note`: nothing went wrong and nothing was stopped. */
  readonly tone: 'danger' | 'quiet' | 'note'
  readonly text: string
}

/** How a row tells that its turn did not end by itself, or null when it did. */
export function endingOf(row: Row): EndingNote | null {
  const { error, interrupted } = row.metadata
  if (error !== undefined) return { tone: 'danger', text: withStop(error.message) }
  if (interrupted === true) return { tone: 'quiet', text: 'You stopped this answer.' }
  return null
}

/** What the end of the transcript says when the last turn brought no answer. */
export function problemText(problem: SessionStatus['lastProblem']): EndingNote {
  if (problem === null) return { tone: 'quiet', text: 'This message has no answer yet.' }
  if (problem.outcome === 'interrupted') return { tone: 'quiet', text: 'You stopped this turn before it answered.' }
  const said =
    problem.message === '' ? `The turn failed. ${adviceFor(problem.reason ?? '')}` : withStop(problem.message)
  return { tone: problem.reason === 'nothing_to_compact' ? 'note' : 'danger', text: said.trim() }
}

/** Time and cost of a turn in one line; empty when nothing is known. */
export function summaryText(turn: TurnSummary): string {
  const facts = [
    turn.durationMs === null ? null : durationText(turn.durationMs),
    turn.costUsd === null ? null : costText(turn.costUsd),
    turn.steps > 1 ? countText(turn.steps, 'step') : null
  ]
  return facts.filter((fact) => fact !== null).join(' · ')
}

/** What to do about an error of this kind that came without a message; a message says it itself. */
function adviceFor(kind: string): string {
  switch (kind) {
    case 'auth':
      return 'Check the key of this provider in the settings.'
    case 'rate_limit':
    case 'overloaded':
      return 'Try again in a while, or choose another model.'
    case 'network':
      return 'Check the connection, then try again.'
    case 'content_filter':
      return 'Rephrase the request, or choose another model.'
    case 'context_exceeded':
      return 'Shorten the message, or choose a model with a larger window.'
    case 'malformed_stream':
      return 'What came before the break is kept. Try again.'
    default:
      return ''
  }
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence.trimEnd()) ? sentence.trimEnd() : `${sentence.trimEnd()}.`
}
