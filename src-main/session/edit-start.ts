// Owns where a message begins for an edit: with the skill and the snapshots of files that were put before
// it, which go when it goes.
import { fileMentionsOf } from '@common/rows/file-mentions'
import type { RowReference } from '../history/find-row'
import type { HistoryStore } from '../history/history-store'
import { mayLoadSkill, skillRowId } from './loaded-skill'
import { firstSnapshotId } from './mentioned-files'

/** The first row that belongs to the message of this id and text: its skill, a snapshot, else the message itself. */
export async function editStartOf(
  history: Pick<HistoryStore, 'rawLineOf'>,
  rowId: string,
  text: string
): Promise<RowReference> {
  // Without a name or a mention there is none to look for.
  const before = [
    ...(mayLoadSkill(text) ? [skillRowId(rowId)] : []),
    ...(fileMentionsOf(text).length > 0 ? [firstSnapshotId(rowId)] : [])
  ]
  for (const id of before) {
    const line = await history.rawLineOf({ id })
    if (line.ok && line.value !== null) return { id }
  }
  return { id: rowId }
}
