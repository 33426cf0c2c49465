// Owns what is asked of context windows: whether one is as it was written (H-6).
import type { WindowCheck } from '../../transcript/dividers/window-check-texts'
import type { App } from '../app-store'

/** `again` has the window's file read also where it is untouched since it was read last. */
export async function checkWindow(
  app: App,
  workspaceId: string,
  windowId: string,
  again: boolean
): Promise<WindowCheck> {
  const answer = await app.bridge.request('window.verify', { workspaceId, windowId, again })
  if (!answer.ok) return { kind: 'failed', message: answer.error.message }
  const { value } = answer
  return value.kind === 'verified' ? value : { kind: 'differs', rows: value.rows, message: value.message }
}
