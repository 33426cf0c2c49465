// Owns an answer that the disk refused: it is still told as live, and goes into partial.json, from where it is
// recovered. Only the owner of turn.lock may write there.
import type { Clock } from '@common/clock'
import type { Result } from '@common/result'
import type { Row } from '@common/rows/row-schema'
import { acquireOwnerLock } from '../files/owner-lock'
import type { Log } from '../files/log'
import type { HistoryError } from '../history/history-error'
import type { HistoryStore } from '../history/history-store'

/** Call it while you own turn.lock. */
export async function saveUnstored(live: Row | null, history: HistoryStore): Promise<Result<void, HistoryError>> {
  return live === null ? { ok: true, value: undefined } : history.writePartial(live)
}

/** The same as a session ends, unless another process streams into that file by now. */
export async function saveUnstoredAtEnd(
  live: Row | null,
  { history, turnLock, clock, log }: { history: HistoryStore; turnLock: string; clock: Clock; log: Log }
): Promise<void> {
  if (live === null) return
  const lock = await acquireOwnerLock(turnLock, { waitMs: 0, clock })
  if (!lock.ok) return
  const saved = await saveUnstored(live, history)
  if (!saved.ok) log.error('answer-lost', { turnLock, message: saved.error.message })
  lock.value.release()
}
