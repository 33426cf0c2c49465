// Owns going to a row of the past: its workspace comes on screen, what stands between is loaded, the row is shown.
import type { HistoryHit } from '@common/tools/session-history-contract'
import type { Row } from '@common/rows/row-schema'
import { change, type App } from '../app-store'
import { olderCursorOf } from '../loaded-history'
import type { FoundHit } from '../search-state'
import { report } from './report'
import { loadOlder, selectWorkspace } from './session-actions'
import { changeLayout } from './view-actions'

/** Pages loaded for one jump. */
const MAX_PAGES = 400

/** Shows the row of a hit; a row that is gone is told. */
export async function jumpToHit(app: App, { workspaceId, hit }: FoundHit): Promise<void> {
  changeLayout(app, (layout) => (layout.sheet === null ? layout : { ...layout, sheet: null }))
  if (app.store.getState().selectedWorkspaceId !== workspaceId) await selectWorkspace(app, workspaceId)
  const rowId = await reachRow(app, workspaceId, hit)
  if (rowId !== null) change(app, (state) => ({ ...state, jump: { workspaceId, rowId } }))
  else report(app, 'warning', 'That message is no longer in this conversation. Search again.', workspaceId)
}

/** The transcript has gone there. */
export function jumpDone(app: App): void {
  change(app, (state) => (state.jump === null ? state : { ...state, jump: null }))
}

/** Loads older pages until the row is among the loaded ones; its id, or null when it is not there. */
async function reachRow(app: App, workspaceId: string, hit: HistoryHit): Promise<string | null> {
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const history = app.store.getState().sessions[workspaceId]?.history
    if (history === undefined) return null
    const found = history.rows.findLast((row) => isRowOf(row, hit))
    if (found !== undefined) return found.id
    const oldest = history.rows.find((row) => row.metadata.historySequence !== undefined)?.metadata.historySequence
    const passed = hit.sequence !== null && oldest !== undefined && oldest < hit.sequence
    const cursor = olderCursorOf(history)
    if (cursor === null || passed) return null
    await loadOlder(app, workspaceId)
    const after = app.store.getState().sessions[workspaceId]
    if (after === undefined || after.paging === 'failed' || olderCursorOf(after.history) === cursor) return null
  }
  return null
}

function isRowOf(row: Row, hit: HistoryHit): boolean {
  if (hit.sequence !== null) return row.metadata.historySequence === hit.sequence
  return hit.item_id === `m:${row.id}`
}
