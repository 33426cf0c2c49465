// Owns carrying out a jump: the transcript goes to the row once it is on screen.
import { useEffect, useRef, type RefObject } from 'react'
import { jumpDone } from '../store/actions/jump-actions'
import { useApp, useAppState } from '../store/app-context'
import type { TranscriptHandle } from '../transcript/transcript-list'

/** What the transcript of the workspace gives its handle to. */
export function useJump(workspaceId: string): RefObject<TranscriptHandle | null> {
  const app = useApp()
  const transcript = useRef<TranscriptHandle>(null)
  const rowId = useAppState((state) => (state.jump?.workspaceId === workspaceId ? state.jump.rowId : null))
  useEffect(() => {
    if (rowId === null) return
    transcript.current?.showRow(rowId)
    jumpDone(app)
  }, [app, rowId])
  return transcript
}
