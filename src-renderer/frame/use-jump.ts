// Owns carrying out a jump: the transcript goes to the row once it is on screen.
import { useLayoutEffect, useRef, type RefObject } from 'react'
import { jumpDone } from '../store/actions/jump-actions'
import { useApp, useAppState } from '../store/app-context'
import type { TranscriptHandle } from '../transcript/transcript-list'

export interface JumpTarget {
  /** What the transcript of the workspace gives its handle to. */
  readonly transcript: RefObject<TranscriptHandle | null>
  /** A jump is about to be made: the list that is drawn now does not open at its end. */
  readonly jumping: boolean
}

export function useJump(workspaceId: string): JumpTarget {
  const app = useApp()
  const transcript = useRef<TranscriptHandle>(null)
  const jump = useAppState((state) => (state.jump?.workspaceId === workspaceId ? state.jump : null))
  // Before anything hears where the list stands: its end would ask for newer rows that nobody looks for.
  useLayoutEffect(() => {
    if (jump === null) return
    transcript.current?.showRow(jump.rowId, jump.words)
    jumpDone(app)
  }, [app, jump])
  return { transcript, jumping: jump !== null }
}
