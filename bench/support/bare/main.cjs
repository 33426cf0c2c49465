// The least that shows a page: what the product's start is measured against. Tells when the page has painted.
const { app, BrowserWindow, ipcMain } = require('electron')
const path = require('node:path')

app.setPath('userData', process.env.BARE_USER_DATA)
ipcMain.on('painted', () => process.stdout.write(`painted ${Date.now()}\n`))
app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1200,
    height: 800,
    show: false,
    webPreferences: { preload: path.join(__dirname, 'preload.cjs'), backgroundThrottling: false }
  })
  window.once('ready-to-show', () => window.show())
  window.loadFile(path.join(__dirname, 'page/index.html'), { search: process.env.BARE_SEARCH || '' })
})
app.on('window-all-closed', () => app.quit())
