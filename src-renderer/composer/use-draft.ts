// Owns reading a draft: only what is selected of it wakes the component.
import { useStore } from 'zustand'
import { useApp } from '../store/app-context'
import { draftOf, type Draft } from '../store/draft-state'

/** Reads from the draft of a workspace; `selector` must return a stable reference. */
export function useDraft<Value>(workspaceId: string, selector: (draft: Draft) => Value): Value {
  return useStore(useApp().drafts, (state) => selector(draftOf(state, workspaceId)))
}
