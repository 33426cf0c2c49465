// Owns the running of one piece of work as a turn, by the owner of turn.lock: built, run, its partial row put away.
import type { QueueEntry } from '@common/contract/views'
import type { CompactionWish } from '../compaction/compaction-request'
import { buildTurn, type TurnSeams } from './build-turn'
import { inputRowOf } from './input-row'
import { runCompaction, runTurn } from './run-turn'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { TurnEnd } from './turn-context'

/** An entry of the queue (null goes on from the rows that are there), or a wish for a summary. */
export interface Work {
  readonly entry: QueueEntry | null
  readonly wish: CompactionWish | null
  /** What this send, or the one that it goes on from, says of experiments (G-1). */
  readonly experiments: QueueEntry['experiments']
}

export async function runWork(
  deps: SessionDeps,
  opened: OpenedSession,
  seams: Omit<TurnSeams, 'experiments' | 'entryId'>,
  { entry, wish, experiments }: Work
): Promise<TurnEnd> {
  const none = { windowId: opened.history.currentWindowId, requests: 0 }
  // As it is now; another process may have sent it meanwhile, or the person took it back.
  const input = entry === null ? null : opened.queue.find(entry.id)
  if (entry !== null && input === null) return { outcome: 'completed', reason: null, message: null, ...none }
  const turn = await buildTurn(deps, opened, { ...seams, experiments, entryId: entry?.id ?? null })
  if (!turn.ok) return { outcome: 'failed', ...turn.error, ...none }
  try {
    if (wish !== null) return await runCompaction(turn.value, wish)
    return await runTurn(turn.value, { input: input === null ? null : inputRowOf(input, deps.clock.now()) })
  } finally {
    await turn.value.partial.stop()
  }
}
