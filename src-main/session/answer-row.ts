// Owns the life of the answer's row in a turn: begun, closed at a step boundary, moved into the history, ended.
import type { ProviderFailure } from '@common/models/provider-failure'
import { divideRow } from '@common/rows/divide-row'
import type { HistoryError } from '../history/history-error'
import { finishedRow, type RowEnding } from './close-row'
import { LiveRow } from './live-row'
import type { TurnContext, TurnEnd } from './turn-context'
import { endOf, type TurnEndParts, unrecordedEnd } from './turn-end'
import type { Progress } from './turn-progress'

/** Begins a row for the answer; `continues` is the row of the same answer before it. */
export function startRow(turn: TurnContext, continues: string | null): LiveRow {
  const live = new LiveRow(turn.newId(), {
    timestamp: turn.clock.now(),
    model: turn.settings.modelRef,
    agentId: turn.agentId,
    ...(continues === null ? {} : { continues, startsPart: true })
  })
  turn.publish(live.started())
  return live
}

/** Records the answer as it stands, then says how the turn ended. */
export async function finish(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  { ending = {}, how }: { ending?: RowEnding; how: TurnEndParts }
): Promise<TurnEnd> {
  // A wall clock may jump back.
  const durationMs = Math.max(0, turn.clock.now() - progress.startedAtMs)
  const failed = await commit(turn, progress, live, { ...ending, durationMs })
  return failed === null ? endOf(progress, how) : unrecordedEnd(progress, failed)
}

/** Records the answer with the provider's failure on it. */
export function finishFailed(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  { kind, message }: ProviderFailure
): Promise<TurnEnd> {
  const how = { outcome: 'failed', reason: kind, message } as const
  return finish(turn, progress, live, { ending: { error: { kind, message } }, how })
}

/** Moves the live row into the history; one without parts and without an error leaves no row. */
export async function commit(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  ending: RowEnding
): Promise<HistoryError | null> {
  await turn.partial.stop()
  if (live.row.parts.length === 0 && ending.error === undefined) return dropRow(turn, live)
  const rows = divideRow(finishedRow(live.row, turn.priceOf, ending), () => turn.newId())
  const committed = await turn.history.commitPartial(rows)
  if (!committed.ok) return committed.error
  progress.rows = [...progress.rows, ...committed.value]
  for (const row of committed.value) turn.publish({ type: 'row-appended', row })
  return null
}

/** Leaves no row of an answer in which nothing was said. */
export async function dropRow(turn: TurnContext, live: LiveRow): Promise<HistoryError | null> {
  await turn.partial.stop()
  const discarded = await turn.history.discardPartial()
  turn.publish({ type: 'live-dropped', rowId: live.row.id })
  return discarded.ok ? null : discarded.error
}
