// Owns the states of a session: idle → preparing → streaming → settling → idle (T-1). An illegal move is a bug.
import type { SessionPhase } from '@common/contract/views'

const NEXT: Readonly<Record<SessionPhase, readonly SessionPhase[]>> = {
  idle: ['preparing'],
  // Refused before anything streamed: straight to settling.
  preparing: ['streaming', 'settling'],
  streaming: ['settling'],
  settling: ['idle']
}

/** The phase after this move; throws when the states do not allow it. */
export function movePhase(from: SessionPhase, to: SessionPhase): SessionPhase {
  if (!NEXT[from].includes(to)) throw new Error(`a session cannot go from ${from} to ${to}`)
  return to
}
