// Owns the recording of a send's decision: resets first, then one append, then memory, then the telling.
// Before the append nothing of the old window is lost; after it the send is delivered whatever else fails.
import type { NewRow, Row } from '@common/rows/row-schema'
import { usesOf } from '@common/rows/row-kinds'
import type { SendDecision } from '../context/context-strategy'
import type { HistoryError } from '../history/history-error'
import { rejectedCapsule } from './rejected-capsule'
import type { TurnContext } from './turn-context'
import type { FreshSystem } from './window-system'

/** What the recording of a send needs of its turn. */
export type Admitting = Pick<TurnContext, 'history' | 'latch' | 'publish' | 'resetContext' | 'inputStored'>

/** A decision that leaves something to store. */
export type StoredDecision = Exclude<SendDecision, { kind: 'compact' }>

export type Admitted =
  | { readonly kind: 'stored'; readonly rows: Row[] }
  | { readonly kind: 'failed'; readonly error: HistoryError }

/** Appends what the decision says in one batch: the input with its company, or its capsule. */
export async function admitSend(
  turn: Admitting,
  decision: StoredDecision,
  { input, fresh }: { input: NewRow | null; fresh: FreshSystem | null }
): Promise<Admitted> {
  if (decision.kind === 'rollover') turn.resetContext()
  const rows = rowsOf(decision, input)
  if (rows.length === 0) {
    // A machine's input that may not be sent leaves nothing (G-3).
    if (input !== null) await turn.inputStored(input.id)
    return { kind: 'stored', rows: [] }
  }
  const appended = await turn.history.appendMany(rows)
  if (!appended.ok) return { kind: 'failed', error: appended.error }
  if (decision.kind !== 'blocked') turn.latch.paid()
  for (const row of appended.value) turn.publish({ type: 'row-appended', row })
  if (decision.kind === 'rollover' && fresh !== null) await fresh.adopt(turn.history.currentWindowId)
  if (input !== null) await turn.inputStored(input.id)
  return { kind: 'stored', rows: appended.value }
}

function rowsOf(decision: StoredDecision, input: NewRow | null): readonly NewRow[] {
  if (decision.kind !== 'blocked') return decision.rows
  return input === null || !usesOf(input).startsTurn ? [] : [rejectedCapsule(input, decision.block)]
}
