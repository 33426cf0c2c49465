// Owns the way of requests and events over Electron's IPC. It checks who asks and that the call has
// the contract's outer shape; the app behind `dispatch` parses the input by the contract. Every
// answer is a value: nothing thrown reaches the page.
import type { Answer, RequestFailure } from '@common/contract/bridge'
import type { EventBatch } from '@common/contract/events'
import { type BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron'
import { EVENT_CHANNEL, REQUEST_CHANNEL } from './ipc-channels'
import { isOwnUrl } from './security-rules'

type Dispatch = (name: string, input: unknown) => Promise<Answer<unknown>>

function failed(kind: RequestFailure['kind'], message: string): Answer<never> {
  return { ok: false, error: { kind, message } }
}

/** True when the call comes from the main frame of a live window of ours, showing our own page. */
function isTrusted(event: IpcMainInvokeEvent, window: BrowserWindow | null, ownPage: string): boolean {
  const frame = event.senderFrame
  if (!window || window.isDestroyed() || !frame) return false
  return frame === window.webContents.mainFrame && isOwnUrl(frame.url, ownPage)
}

/** Answers requests of the page in the window that `currentWindow` gives. */
export function answerRequests(currentWindow: () => BrowserWindow | null, ownPage: string, dispatch: Dispatch): void {
  ipcMain.handle(REQUEST_CHANNEL, async (event, name: unknown, input: unknown): Promise<Answer<unknown>> => {
    if (!isTrusted(event, currentWindow(), ownPage)) return failed('refused', 'Only the app’s own window may ask this.')
    if (typeof name !== 'string') return failed('invalid-input', 'The name of a request must be text.')
    try {
      return await dispatch(name, input)
    } catch (cause) {
      // A bug. Its text may hold paths or secrets, so it goes to the terminal and not to the page.
      console.error(`request ${name} failed:`, cause)
      return failed('internal', 'Something went wrong inside the app; its log has the details.')
    }
  })
}

/** Sends a batch of events to the page; what a closed window misses it reads again when it opens. */
export function sendEvents(window: BrowserWindow | null, batch: EventBatch): void {
  if (window && !window.isDestroyed()) window.webContents.send(EVENT_CHANNEL, batch)
}
