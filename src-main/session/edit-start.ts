// Owns where a message begins for an edit: with the snapshots of files that were put before it, which go when it goes.
import { fileMentionsOf } from '@common/rows/file-mentions'
import type { RowReference } from '../history/find-row'
import type { HistoryStore } from '../history/history-store'
import { firstSnapshotId } from './mentioned-files'

/** The first row that belongs to the message of this id and text: a snapshot, else the message itself. */
export async function editStartOf(
  history: Pick<HistoryStore, 'rawLineOf'>,
  rowId: string,
  text: string
): Promise<RowReference> {
  const message = { id: rowId }
  // Without a mention there is none to look for.
  if (fileMentionsOf(text).length === 0) return message
  const snapshot = { id: firstSnapshotId(rowId) }
  const line = await history.rawLineOf(snapshot)
  return line.ok && line.value !== null ? snapshot : message
}
