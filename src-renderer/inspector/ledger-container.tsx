// Owns the window ledger wired to main: added up when it is looked at.
import { readLedger } from '../store/actions/inspector-actions'
import { useApp } from '../store/app-context'
import { Button } from '../ui/button'
import { ErrorState, Skeleton } from '../ui/view-states'
import { LedgerTable } from './ledger-table'
import { useAnswer } from './use-answer'

export interface LedgerContainerProps {
  readonly workspaceId: string
  readonly onWindow: (windowId: string) => void
}

export function LedgerContainer({ workspaceId, onWindow }: LedgerContainerProps) {
  const app = useApp()
  const { asked, again } = useAnswer(workspaceId, () => readLedger(app, workspaceId))
  if (asked.kind === 'loading')
    return <Skeleton bars={[80, 80, 80]} label="Adding up what the windows cost" className="p-4" />
  if (asked.kind === 'failed')
    return (
      <div className="p-4">
        <ErrorState message={asked.message} action={<Button onClick={again}>Load again</Button>} />
      </div>
    )
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <LedgerTable ledger={asked.value} onWindow={onWindow} />
    </div>
  )
}
