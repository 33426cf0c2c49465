// Owns the warning before a rollover (W-1): its row and its words. Pure; no token count but the two that it names.
import { NOTES_BYTES } from '@common/constants'
import { NOTES_PATH } from '@common/memory/notes-path'
import { rowKindOf } from '@common/rows/row-kinds'
import type { NewRow, Row } from '@common/rows/row-schema'

export interface WarningFacts {
  readonly rowId: string
  readonly warningId: string
  readonly nowMs: number
  /** Tokens that the next request will hold. */
  readonly contextTokens: number
  readonly rolloverPoint: number
  /** The model's context limit. */
  readonly maxTokens: number
  readonly mayWriteNotes: boolean
}

/** The row that stands right before the input with which the turn carries on. */
export function warningRow(facts: WarningFacts): NewRow {
  const { warningId, contextTokens, maxTokens } = facts
  return {
    id: facts.rowId,
    role: 'user',
    parts: [{ type: 'text', text: warningText(facts) }],
    metadata: {
      timestamp: facts.nowMs,
      synthetic: true,
      uiVisible: true,
      machine: { type: 'context-budget-warning', warningId, contextTokens, maxTokens }
    }
  }
}

/** At most one a window. */
export function isWarned(windowRows: readonly Row[]): boolean {
  return windowRows.some((row) => rowKindOf(row) === 'context-budget-warning')
}

function warningText({ contextTokens, rolloverPoint, mayWriteNotes }: WarningFacts): string {
  const share = Math.floor((contextTokens * 100) / rolloverPoint)
  const used =
    `This context window is ${share} % used: about ${contextTokens} of ${rolloverPoint} tokens before it rolls over ` +
    'into a fresh window, which holds nothing of this conversation but the request.'
  const kilobytes = NOTES_BYTES / 1_024
  const notes = mayWriteNotes
    ? `Write or update your notes in ${NOTES_PATH} with the memory tool now: the essential first (what was asked, what is done and decided, what comes next), at most ${kilobytes} KiB. The next window goes on from them.`
    : 'Notes cannot be written here. Earlier windows stay readable through the session_history tool.'
  return `${used} ${notes} Then go on without comment.`
}
