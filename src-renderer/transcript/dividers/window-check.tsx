// Owns what an opened tide line says of the window that ended there: its rows, and on demand whether they are still
// what was written.
import { CircleAlert, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button'
import { countText } from '../../ui/format'
import { useTranscriptActions } from '../transcript-actions'
import { checkText, type EndedWindow, type WindowCheck as Check } from './verify-texts'

export interface WindowCheckProps {
  /** Sequence of the row that begins the next window. */
  readonly boundarySequence: number
}

export function WindowCheck({ boundarySequence }: WindowCheckProps) {
  const { onEndedWindow, onVerifyWindow } = useTranscriptActions()
  const [window, setWindow] = useState<EndedWindow | null>(null)
  const [check, setCheck] = useState<Check | 'running' | null>(null)
  useEffect(() => {
    let current = true
    void onEndedWindow?.(boundarySequence).then((found) => current && setWindow(found))
    return () => {
      current = false
    }
  }, [onEndedWindow, boundarySequence])
  if (window === null || onVerifyWindow === undefined) return null

  async function verify(windowId: string): Promise<void> {
    setCheck('running')
    setCheck((await onVerifyWindow?.(windowId)) ?? null)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <dt className="w-28 shrink-0 text-quiet">Rows</dt>
      <dd className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="tabular-nums">{countText(window.rows, 'row')} before this line</span>
        <Button
          small
          data-testid="verify-window"
          disabled={check === 'running'}
          onClick={() => void verify(window.windowId)}
        >
          Verify
        </Button>
        <output className="min-w-0 wrap-anywhere">
          {check !== null && check !== 'running' && <CheckWords check={check} />}
        </output>
      </dd>
    </div>
  )
}

function CheckWords({ check }: { readonly check: Check }) {
  const good = check.kind === 'verified'
  const Icon = good ? ShieldCheck : CircleAlert
  return (
    <span className={good ? 'text-ok' : 'text-danger'}>
      <Icon size={13} aria-hidden className="mr-1 inline align-[-2px]" />
      {checkText(check)}
    </span>
  )
}
