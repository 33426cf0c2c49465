// Owns the one window: how it is made, that it comes back where it was, and that it comes back at
// all when its renderer dies (main holds the truth, so a reload loses nothing).
import { join } from 'node:path'
import type { WindowState } from '@common/settings/settings-schema'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import { fitToScreens, MINIMUM_SIZE, readWindowState } from './window-state'

export interface WindowOptions {
  readonly page: string
  readonly configPath: string
  /** Called a moment after the person moved or sized the window, and when it closes. */
  readonly saveState: (state: WindowState) => void
}

/** Moving a window fires many events; one write is enough. */
const SAVE_DELAY_MS = 500
/** More deaths than this in a row are no accident; a reload would only repeat them. */
const MAX_RELOADS = 3

/** The ground colours of the two themes, so that nothing flashes before the first paint. */
function groundColour(): string {
  return nativeTheme.shouldUseDarkColors ? '#101413' : '#fbfcfb'
}

export interface OpenedWindow {
  readonly window: BrowserWindow
  /** Saves a move or a resize that still waits for its delay; quitting closes no window first. */
  saveNow(): void
}

/** Opens the window and starts loading its page. */
export function openWindow({ page, configPath, saveState }: WindowOptions): OpenedWindow {
  const areas = screen.getAllDisplays().map((display) => display.workArea)
  const { maximized, x, y, width, height } = fitToScreens(readWindowState(configPath), areas)
  const window = new BrowserWindow({
    width,
    height,
    ...(x !== undefined && y !== undefined ? { x, y } : {}),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    backgroundColor: groundColour(),
    autoHideMenuBar: true,
    webPreferences: {
      preload: join(__dirname, '../preload/preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false
    }
  })
  if (maximized === true) window.maximize()
  window.once('ready-to-show', () => window.show())
  const saveNow = keepState(window, saveState)
  reloadWhenGone(window)
  void window.loadURL(page)
  return { window, saveNow }
}

function stateOf(window: BrowserWindow): WindowState {
  return { ...window.getNormalBounds(), maximized: window.isMaximized() }
}

function keepState(window: BrowserWindow, saveState: (state: WindowState) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const saveNow = (): void => {
    if (timer === undefined || window.isDestroyed()) return
    clearTimeout(timer)
    timer = undefined
    saveState(stateOf(window))
  }
  const saveSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(saveNow, SAVE_DELAY_MS)
  }
  // One call for each event: the overloads of `on` take no union.
  window.on('resize', saveSoon)
  window.on('move', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('close', saveNow)
  return saveNow
}

function reloadWhenGone(window: BrowserWindow): void {
  let reloads = 0
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return
    console.error(`the window's process is gone (${details.reason})`)
    if (reloads++ < MAX_RELOADS) window.webContents.reload()
  })
}
