// Owns what a person is shown of the next compaction (K-8): what it would carry, and the moving of a switch.
import type { RequestFailure } from '@common/contract/bridge'
import type { CarryOverView } from '@common/contract/context-views'
import { err, ok, type Result } from '@common/result'
import { carryOverViewOf, withSwitch } from './carry-choice'
import { carrySourcesOf } from './carry-sources'
import type { OpenedSession, SessionDeps } from './session-deps'
import { failureOf } from './session-edits'

export interface MovedSwitch {
  /** Null is the switch for all. */
  readonly itemId: string | null
  readonly isOn: boolean
}

/** As it is now, after this switch was moved; null moves none. */
export async function carryOverNow(
  deps: SessionDeps,
  opened: OpenedSession,
  moved: MovedSwitch | null
): Promise<Result<CarryOverView, RequestFailure>> {
  const { workspace, history } = opened
  if (moved !== null) {
    const { itemId, isOn } = moved
    const saved = await workspace.update(({ carryOver }) => ({ carryOver: withSwitch(carryOver, itemId, isOn) }))
    if (!saved.ok) return err({ kind: 'io', message: saved.error })
  }
  const window = await history.activeWindow()
  if (!window.ok) return err(failureOf(window.error))
  return ok(carryOverViewOf(await carrySourcesOf(deps, opened, window.value.rows), workspace.file.carryOver))
}
