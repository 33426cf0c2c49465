const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('bare', {
  painted: () => ipcRenderer.send('painted'),
  invoke: (...args) => ipcRenderer.invoke('bench', ...args),
  onMessage: (listener) => ipcRenderer.on('bench', (_event, message) => listener(message))
})
