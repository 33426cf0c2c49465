// Owns what a compaction carries wired to main: asked when it is looked at, and again after each answer.
import { useEffect, useRef, useState } from 'react'
import { readCarryOver, setCarryOver } from '../store/actions/context-actions'
import { useApp, useAppState } from '../store/app-context'
import { CarryList, type CarryState } from './carry-list'
import { withMoved } from './carry-texts'

export function CarryContainer({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const usage = useAppState((state) => state.sessions[workspaceId]?.usage ?? null)
  const todo = useAppState((state) => state.sessions[workspaceId]?.todo ?? null)
  const [state, setState] = useState<CarryState>({ kind: 'loading' })
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(0)
  /** Only the answer to what was asked last says how it is. */
  const newest = useRef(0)
  useEffect(() => {
    if (!open) return
    const mine = ++newest.current
    void readCarryOver(app, workspaceId).then((answer) => {
      if (mine !== newest.current) return
      setState(answer.ok ? { kind: 'ready', view: answer.value } : { kind: 'failed', message: answer.error.message })
    })
  }, [app, workspaceId, open, usage, todo, asked])

  async function move(itemId: string | null, isOn: boolean): Promise<void> {
    if (state.kind !== 'ready') return
    const mine = ++newest.current
    setState({ kind: 'ready', view: withMoved(state.view, itemId, isOn) })
    const view = await setCarryOver(app, workspaceId, { itemId, isOn })
    if (mine !== newest.current) return
    if (view === null) setAsked((count) => count + 1)
    else setState({ kind: 'ready', view })
  }
  return (
    <CarryList
      state={state}
      open={open}
      onOpen={setOpen}
      onSwitch={(itemId, isOn) => void move(itemId, isOn)}
      onRetry={() => setAsked((count) => count + 1)}
    />
  )
}
