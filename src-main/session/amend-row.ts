// Owns an amended row's way to watchers (H-14): on disk first, then told. The header of a compaction stays here (K-2).
import type { SessionEvent } from '@common/contract/events'
import type { Result } from '@common/result'
import { rowForWatchers } from '@common/rows/row-for-watchers'
import type { Row } from '@common/rows/row-schema'
import type { AmendedFields } from '../history/amended-line'
import type { RowReference } from '../history/find-row'
import type { HistoryError } from '../history/history-error'
import type { HistoryStore } from '../history/history-store'

/** Merges fields into a stored row and tells `row-updated`; nothing is told of what the disk refused. */
export async function amendRow(
  { history, publish }: { history: Pick<HistoryStore, 'amendRow'>; publish(event: SessionEvent): void },
  reference: RowReference,
  fields: AmendedFields
): Promise<Result<Row, HistoryError>> {
  const amended = await history.amendRow(reference, fields)
  if (!amended.ok) return amended
  publish({ type: 'row-updated', row: rowForWatchers(amended.value) })
  return amended
}
