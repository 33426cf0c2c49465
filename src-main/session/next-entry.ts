// Owns what follows a turn that ended (T-2, M-3): the entry that goes next, and the one Continue of the app's own.
import type { Clock } from '@common/clock'
import type { QueueEntry } from '@common/contract/views'
import type { Result } from '@common/result'
import type { MessageQueue } from './message-queue'
import type { TurnEnd } from './turn-context'
import { CONTINUING } from './turn-end'

/** What the next turn begins with; null for none. */
export type NextTurn = { readonly entry: QueueEntry | null } | null

interface Ended {
  readonly end: TurnEnd
  /** What the turn that ended was sent with. */
  readonly experiments: QueueEntry['experiments']
  /** Aborted where the person stopped the turn, or the app quits. */
  readonly signal: AbortSignal
  /** Nobody asked for the turn that ended: where it went wrong, what waits is sent all the same. */
  readonly quietly: boolean
  readonly clock: Clock
  newId(): string
}

/**
 * Puts the queue right after a turn and answers what follows by itself. What waits behind a turn that went wrong or was
 * stopped is the person's to send; what the app would have sent is dropped.
 */
export async function prepareNext(
  queue: MessageQueue,
  ended: Ended
): Promise<{ next: NextTurn; problem: string | null }> {
  const { end, signal, quietly } = ended
  const isWhole = end.outcome === 'completed' && !signal.aborted
  const added = isWhole ? await addContinue(queue, ended) : OK
  // Asked again: the person may have stopped the work while the entry was written.
  if ((end.outcome !== 'completed' && !quietly) || signal.aborted) {
    await queue.dropMachine()
    await queue.holdAll()
  }
  const problem = added.ok ? null : `${added.error} The work goes on with your next message.`
  return { next: nextTurnOf(queue, end, signal.aborted), problem }
}

/** True where the work of this turn goes on by itself. */
export function isContinuing({ outcome, reason }: TurnEnd): boolean {
  return outcome === 'completed' && Object.values<string | null>(CONTINUING).includes(reason)
}

/**
 * A turn that stopped for its window is carried on by whatever waits, at a step or at the end of a turn, else by the
 * app's own Continue.
 */
function nextTurnOf(queue: MessageQueue, end: TurnEnd, isStopped: boolean): NextTurn {
  const isStep = end.outcome === 'completed' && end.reason === CONTINUING.queued && !isStopped
  const entry = queue.next(isStep)
  // Null where the entry that the turn stopped for was taken back meanwhile: then the turn goes on.
  return entry !== null || isStep ? { entry } : null
}

const OK: Result<void, string> = { ok: true, value: undefined }

/** Queues the one machine entry that carries on a turn stopped for its window; nothing where another entry waits. */
async function addContinue(
  queue: MessageQueue,
  { end, experiments, clock, newId }: Ended
): Promise<Result<void, string>> {
  if (!isContinuing(end) || end.reason === CONTINUING.queued) return OK
  return queue.addIfNoneWaits({
    id: newId(),
    text: '',
    attachments: [],
    mode: 'tool-end',
    source: 'machine',
    machine: 'continue',
    ...(experiments === undefined ? {} : { experiments }),
    held: false,
    queuedAtMs: clock.now()
  })
}
