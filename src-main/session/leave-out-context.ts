// Owns the sending without what a compaction carried over (K-4): the boundary is marked on disk first, then the request
// goes out. A mark that cannot be written leaves everything as it was, and nothing is sent.
import { ledgerFromRows } from '@common/budget/usage-ledger'
import type { Row } from '@common/rows/row-schema'
import { prepareRequest, type PreparedRequest } from '../context/prepare-request'
import { type WithoutContext, withoutStoredContext } from '../context/stored-context'
import { amendRow } from './amend-row'
import type { TurnContext } from './turn-context'
import type { Progress } from './turn-progress'

/** The window without its stored context, from the next request on; null where it carries none. Nothing is written. */
export function contextLeftOut(turn: TurnContext, rows: readonly Row[]): WithoutContext | null {
  return withoutStoredContext(rows, turn.upcomingRequestSequence())
}

/** Marks the boundary, then moves the turn's own rows and figures along. False where the mark could not be written. */
export async function markLeftOut(turn: TurnContext, progress: Progress, without: WithoutContext): Promise<boolean> {
  const { boundary } = without
  const { contextUsage, postCompactionContext, historySequence } = boundary.metadata
  const marked = await amendRow(
    turn,
    { id: boundary.id, ...(historySequence === undefined ? {} : { historySequence }) },
    {
      postCompactionContext: { omittedFromRequest: postCompactionContext?.omittedFromRequest },
      ...(contextUsage === undefined ? {} : { contextUsage: { inputTokens: contextUsage.inputTokens } })
    }
  )
  if (!marked.ok) {
    turn.tellOnce(`What the compaction carried over does not fit and could not be left out: ${marked.error.message}`)
    return false
  }
  const rows = progress.rows.map((row) => (row.id === boundary.id ? marked.value : row))
  Object.assign(progress, contentsOf(turn, progress, rows))
  return true
}

/** What a turn knows of its window, with these rows in it. */
export function contentsOf(
  turn: TurnContext,
  { windowId, sent }: Progress,
  rows: Row[]
): Pick<Progress, 'rows' | 'sent' | 'ledger'> {
  const before = rows.slice(0, sent.before.length)
  const ledger = ledgerFromRows(windowId, turn.modelRef, rows, turn.measuredFrom)
  return { rows, sent: { ...sent, before }, ledger }
}

/** The turn's first request once more, without the context; null where that is not possible or would not fit either. */
export async function prepareWithoutContext(turn: TurnContext, progress: Progress): Promise<PreparedRequest | null> {
  const without = contextLeftOut(turn, progress.rows)
  if (without === null) return null
  const request = await prepareRequest(without.rows, turn.settings)
  if (request.kind === 'rejected' || turn.abortSignal.aborted) return null
  return (await markLeftOut(turn, progress, without)) ? request : null
}
