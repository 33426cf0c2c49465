// The whole bridge between the page and main: two functions, for ever. It runs sandboxed, in a
// world of its own; the page sees `window.tidemark` and neither Electron nor Node.
import type { Bridge } from '@common/contract/bridge'
import { contextBridge, ipcRenderer } from 'electron'
import { EVENT_CHANNEL, REQUEST_CHANNEL } from './ipc-channels'

const bridge: Bridge = {
  request: (name, input) => ipcRenderer.invoke(REQUEST_CHANNEL, name, input),
  onEvent(listener) {
    const forward = (_event: unknown, batch: Parameters<typeof listener>[0]): void => listener(batch)
    ipcRenderer.on(EVENT_CHANNEL, forward)
    return () => void ipcRenderer.off(EVENT_CHANNEL, forward)
  }
}

contextBridge.exposeInMainWorld('tidemark', bridge)
