// Owns the two rows of a rollover: its boundary and its lead-in. Pure.
import type { OwningRequest } from '@common/rows/owning-request'
import type { RolloverNote } from '@common/rows/rollover-row'
import type { NewRow } from '@common/rows/row-schema'

export interface RolloverFacts extends Pick<
  RolloverNote,
  'rolloverId' | 'reason' | 'previousWindowId' | 'flushOpportunity' | 'contextTokens' | 'maxTokens'
> {
  readonly boundaryId: string
  readonly leadInId: string
  readonly nowMs: number
  readonly notesCarried: boolean
  readonly leadIn: string
  /** What the fresh window works on, for the lead-in of the one after it. */
  readonly request: OwningRequest | null
}

/** Boundary and lead-in, in order; the input follows them in the same append. */
export function rolloverRows(facts: RolloverFacts): readonly [NewRow, NewRow] {
  const { boundaryId, leadInId, nowMs, leadIn, request, ...note } = facts
  const boundary: NewRow = {
    id: boundaryId,
    role: 'assistant',
    parts: [],
    metadata: {
      timestamp: nowMs,
      synthetic: true,
      machine: { type: 'context-window-rollover', ...note },
      contextBoundaryKind: 'reset'
    }
  }
  const firstRow: NewRow = {
    id: leadInId,
    role: 'user',
    parts: [{ type: 'text', text: leadIn }],
    metadata: {
      timestamp: nowMs,
      synthetic: true,
      uiVisible: false,
      machine: {
        type: 'context-window-lead-in',
        rolloverId: facts.rolloverId,
        ...(request === null ? {} : { request })
      }
    }
  }
  return [boundary, firstRow]
}
