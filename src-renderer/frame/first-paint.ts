// Owns telling main when a start has come as far as a person waits for: the first row is on the screen, or what
// stands there without a conversation.
import type { AppState } from '../store/app-state'
import type { App } from '../store/app-store'
import { selectedSession } from '../store/selectors'

/** Tells main once. Call before the app asks main for anything. */
export function tellFirstPaint(app: App): void {
  const check = (): void => {
    if (!isPictureThere(app.store.getState())) return
    stop()
    afterPaint(() => void app.bridge.request('shell.painted', { sinceStartMs: performance.now() }))
  }
  // A task's changes come together: what stands after the last of them is what React draws.
  const stop = app.store.subscribe(() => queueMicrotask(check))
}

function isPictureThere(state: AppState): boolean {
  if (state.start.kind !== 'ready') return false
  return state.selectedWorkspaceId === null || selectedSession(state)?.loaded === true
}

/** A frame, then a message: after the paint. */
function afterPaint(then: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      then()
    })
    port1.start()
    port2.postMessage(null)
  })
}
