// Owns what is known of the window of a workspace on screen: its fill, and its marks under the settings as they are.
import { useMemo } from 'react'
import type { UsageView } from '@common/contract/views'
import type { Settings } from '@common/settings/settings-schema'
import { useAppState } from '../store/app-context'
import { modelOf, runningModelRef } from '../store/selectors'
import { IDLE_STATUS, isBusy } from '../store/session-state'
import { type WindowMarks, windowMarksOf } from './window-marks'

export interface WindowFill {
  /** Null before the first answer of the window by this model: another model's count says nothing. */
  readonly usage: UsageView | null
  readonly marks: WindowMarks | null
}

/** The model whose window it is: the one that answers now (a fallback, say), else the one that answers next. */
export function useWindowModel(workspaceId: string): string {
  return useAppState((state) => {
    const session = state.sessions[workspaceId]
    const next = runningModelRef(state, workspaceId)
    return isBusy(session?.status ?? IDLE_STATUS) ? (session?.usage?.model ?? next) : next
  })
}

/** `settings`: as they are, or as they would be with a threshold that is being moved. */
export function useWindowFill(workspaceId: string, settings: Settings): WindowFill {
  const modelRef = useWindowModel(workspaceId)
  const model = useAppState((state) => modelOf(state, modelRef))
  const told = useAppState((state) => state.sessions[workspaceId]?.usage ?? null)
  const usage = told?.model === modelRef ? told : null
  const marks = useMemo(() => windowMarksOf(model, settings), [model, settings])
  return { usage, marks }
}
