// The least that shows a page: what the product is measured against, and the frame of pages that are measured alone.
// BARE_WINDOWS is a JSON list of query strings, one window each.
const { app, BrowserWindow, ipcMain } = require('electron')
const path = require('node:path')

app.setPath('userData', process.env.BARE_USER_DATA)
ipcMain.on('painted', () => process.stdout.write(`painted ${Date.now()}\n`))

function open(search, index) {
  const window = new BrowserWindow({
    x: (index % 2) * 790,
    y: Math.floor(index / 2) * 480,
    width: 1200,
    height: 800,
    show: false,
    webPreferences: { preload: path.join(__dirname, 'preload.cjs'), backgroundThrottling: false }
  })
  window.once('ready-to-show', () => window.show())
  void window.loadFile(path.join(__dirname, 'page/index.html'), { search })
}

void app.whenReady().then(() => JSON.parse(process.env.BARE_WINDOWS || '[""]').forEach(open))
app.on('window-all-closed', () => app.quit())
