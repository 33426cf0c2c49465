// Owns what a person asks of context windows: which one ended at a divider, and whether it is as written (H-6).
import type { App } from '../app-store'
import type { EndedWindow, WindowCheck } from '../../transcript/dividers/verify-texts'

/** The window before the one that the row of this sequence begins; null when it is not known. */
export async function endedWindow(
  app: App,
  workspaceId: string,
  boundarySequence: number
): Promise<EndedWindow | null> {
  const answer = await app.bridge.request('windows.list', { workspaceId })
  if (!answer.ok) {
    console.warn(answer.error.message)
    return null
  }
  const { windows } = answer.value
  const begun = windows.findIndex((window) => window.windowId === `w:${boundarySequence}`)
  const ended = windows[begun - 1]
  return ended === undefined ? null : { windowId: ended.windowId, rows: ended.rows }
}

export async function verifyWindow(app: App, workspaceId: string, windowId: string): Promise<WindowCheck> {
  const answer = await app.bridge.request('window.verify', { workspaceId, windowId })
  if (!answer.ok) return { kind: 'failed', message: answer.error.message }
  const { value } = answer
  return value.kind === 'verified' ? value : { kind: 'differs', message: value.message }
}
