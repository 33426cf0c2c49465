// Owns what follows once rows are cut (H-10): what was derived from them is dropped or taken back. Cost and request
// counter stay: what was spent was spent.
import type { Clock } from '@common/clock'
import { FOREIGN_EDIT_WAIT_MS } from '@common/constants'
import type { SessionSnapshot } from '@common/contract/views'
import { untilReleased } from '../files/owner-lock'
import type { CutSummary } from '../history/history-error'
import type { OpenedSession } from './session-deps'
import { todoOfRows } from './todo-of-rows'

export interface AfterCut {
  readonly todo: SessionSnapshot['todo']
  /** A sentence when workspace.json could not be written. */
  readonly problem: string | null
}

/**
 * Brings workspace.json and the queue up to the rows that are left; answers the to-do list of those. `cut` is null
 * where another process made the edit: it writes all this down after the rows, and gives turn.lock back then.
 */
export async function afterCut(
  { history, workspace, queue, paths }: OpenedSession,
  cut: CutSummary | null,
  clock: Clock
): Promise<AfterCut> {
  if (cut === null) {
    await untilReleased(paths.turnLock, { waitMs: FOREIGN_EDIT_WAIT_MS, clock })
    await workspace.readAgain()
    return { todo: workspace.file.todo, problem: null }
  }
  workspace.dropRows(cut.rows)
  const window = await history.activeWindow()
  const rows = window.ok ? window.value.rows : []
  const { frozenSystem } = workspace.file
  // The root window of a cleared history is another one than the root window before it.
  const isSameWindow = frozenSystem?.windowId === history.currentWindowId && rows.length > 0
  const todo = (window.ok ? todoOfRows(rows) : null) ?? workspace.file.todo
  const saved = await workspace.update({
    todo,
    frozenSystem: isSameWindow ? frozenSystem : null,
    measuredFrom: workspace.file.requestSequence + 1,
    updatedAtMs: clock.now()
  })
  // What the app itself would have sent next belongs to the rows that are gone.
  await queue.dropMachine()
  return { todo, problem: saved.ok ? null : saved.error }
}
