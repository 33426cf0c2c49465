// Owns what a window holds wired to main: asked when it is looked at, and again after each answer.
import { useEffect, useState } from 'react'
import { readSections } from '../store/actions/context-actions'
import { useApp, useAppState } from '../store/app-context'
import { SectionList, type SectionsState } from './section-list'

export interface SectionsContainerProps {
  readonly workspaceId: string
  readonly maxTokens: number | null
}

export function SectionsContainer({ workspaceId, maxTokens }: SectionsContainerProps) {
  const app = useApp()
  const usage = useAppState((state) => state.sessions[workspaceId]?.usage ?? null)
  const [state, setState] = useState<SectionsState>({ kind: 'loading' })
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    let isCurrent = true
    void readSections(app, workspaceId).then((answer) => {
      if (!isCurrent) return
      setState(answer.ok ? { kind: 'ready', counted: answer.value } : { kind: 'failed', message: answer.error.message })
    })
    return () => {
      isCurrent = false
    }
  }, [app, workspaceId, usage, asked])
  return <SectionList state={state} maxTokens={maxTokens} onRetry={() => setAsked((count) => count + 1)} />
}
