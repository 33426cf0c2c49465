// Owns the joint between snapshot and stream (T-3): nothing lost, nothing twice. While a snapshot is
// awaited, batches are kept; a gap or a rewritten history asks for a new snapshot. Pure.
import type { SessionSnapshot } from '@common/contract/views'
import { applyEvent } from './apply-event'
import { replaceHistory } from './loaded-history'
import { sessionOfSnapshot, type SessionBatch, type SessionState } from './session-state'

/** The state after a batch. A link that turned to `opening` means: take a new snapshot. */
export function applyBatch(state: SessionState, batch: SessionBatch): SessionState {
  if (state.link.kind === 'failed') return state
  if (state.link.kind === 'opening') return reopening(state, [...state.link.buffered, batch])
  if (batch.firstSequence > state.sequence + 1) return reopening(state, [batch])
  let next = state
  for (const [index, event] of batch.events.entries()) {
    if (batch.firstSequence + index <= state.sequence) continue
    if (event.type === 'history-rewritten') return reopening(next, [batch])
    next = applyEvent(next, event)
  }
  const sequence = Math.max(state.sequence, batch.firstSequence + batch.events.length - 1)
  return sequence === next.sequence ? next : { ...next, sequence }
}

/**
 * The state after a snapshot arrived: it, then the kept batches that it does not hold yet. Older pages
 * are let go, since what was missed may have rewritten them.
 */
export function acceptSnapshot(state: SessionState, snapshot: SessionSnapshot): SessionState {
  // Two snapshots may be under way; one that is older than the stream says nothing new.
  if (state.link.kind === 'following' && snapshot.sequence <= state.sequence) return state
  const buffered = state.link.kind === 'opening' ? state.link.buffered : []
  let next: SessionState = {
    ...sessionOfSnapshot(snapshot),
    history: replaceHistory(state.history, snapshot.page),
    historyChanges: state.historyChanges + 1
  }
  for (const batch of buffered) next = applyBatch(next, batch)
  return next
}

/** Cut off until a new snapshot; what is on screen stays there. */
export function reopening(state: SessionState, buffered: readonly SessionBatch[]): SessionState {
  return { ...state, link: { kind: 'opening', buffered } }
}
