// Owns the countdown wired to the state.
import { useMemo } from 'react'
import { useWindowFill } from '../context-panel/use-window-marks'
import { useAppState } from '../store/app-context'
import { IDLE_STATUS, isBusy } from '../store/session-state'
import { BudgetCountdown } from './budget-countdown'
import { countdownOf } from './countdown'

export function CountdownContainer({ workspaceId }: { readonly workspaceId: string }) {
  const settings = useAppState((state) => state.settings)
  const busy = useAppState((state) => isBusy(state.sessions[workspaceId]?.status ?? IDLE_STATUS))
  const { usage, marks } = useWindowFill(workspaceId, settings)
  const countdown = useMemo(() => countdownOf(usage, marks, busy), [usage, marks, busy])
  return <BudgetCountdown countdown={countdown} />
}
