// Owns turn.lock around what only one process may do at a time: a turn, or an edit of the history. Whoever holds it
// first puts right what a crash left.
import type { Clock } from '@common/clock'
import type { RequestFailure } from '@common/contract/bridge'
import { err, ok, type Result } from '@common/result'
import type { Row } from '@common/rows/row-schema'
import { acquireOwnerLock } from '../files/owner-lock'
import type { OpenedSession } from './session-deps'
import { turnLockedMessage } from './turn-locked'
import { saveUnstored } from './unstored-answer'

export interface TurnOwner {
  readonly clock: Clock
  /** An answer that the disk refused and that is only told as live so far. */
  readonly live: Row | null
  /** Told once what was left is in the history. */
  onRecovered(): Promise<void>
}

export interface NotOwner {
  readonly reason: 'turn_locked' | 'history'
  readonly message: string
}

/** Runs `task` as the owner of the turn in all processes. */
export async function owningTurn<T>(
  { history, paths }: OpenedSession,
  owner: TurnOwner,
  task: () => Promise<T>
): Promise<Result<T, NotOwner>> {
  const lock = await acquireOwnerLock(paths.turnLock, { waitMs: 0, clock: owner.clock })
  if (!lock.ok) {
    const reason = lock.error.kind === 'held' ? 'turn_locked' : 'history'
    return err({ reason, message: turnLockedMessage(lock.error) })
  }
  try {
    const saved = await saveUnstored(owner.live, history)
    const recovered = saved.ok ? await history.recoverPartial() : saved
    if (!recovered.ok) return err({ reason: 'history', message: recovered.error.message })
    await owner.onRecovered()
    return ok(await task())
  } finally {
    lock.value.release()
  }
}

/** How an edit answers that it may not begin. */
export function notOwnerFailure({ reason, message }: NotOwner): RequestFailure {
  return { kind: reason === 'turn_locked' ? 'locked' : 'io', message }
}
