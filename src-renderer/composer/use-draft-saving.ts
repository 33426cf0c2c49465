// Owns when a draft is saved: shortly after the last keystroke, and at once when the composer or the page
// goes away, so that a crash costs at most a moment of typing (T-2).
import { useEffect } from 'react'
import { saveDraft } from '../store/actions/draft-actions'
import { useApp } from '../store/app-context'

/** A pause in typing after which the draft is saved. */
const SAVE_DELAY_MS = 400

export function useDraftSaving(workspaceId: string, text: string): void {
  const app = useApp()
  useEffect(() => {
    const timer = setTimeout(() => void saveDraft(app, workspaceId), SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [app, workspaceId, text])
  useEffect(() => {
    const save = () => void saveDraft(app, workspaceId)
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [app, workspaceId])
}
