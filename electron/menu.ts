// Owns the menu bar. Items of the app only send a command to the page, where the same command has
// its shortcut and its place in the palette; roles are the system's own.
import { app, Menu, type MenuItemConstructorOptions } from 'electron'

/** What the menu asks of the page; the page ignores names that it does not know. */
export type MenuCommand =
  | 'new-workspace'
  | 'open-project'
  | 'open-settings'
  | 'open-palette'
  | 'find'
  | 'search-everywhere'

/** Builds and installs the menu bar. */
export function installMenu(send: (command: MenuCommand) => void): void {
  const item = (label: string, command: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => send(command)
  })
  const isMac = process.platform === 'darwin'
  const settings = item('Settings…', 'open-settings', 'CmdOrCtrl+,')
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const appMenu: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' }
    ]
  }
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [
      item('New workspace', 'new-workspace', 'CmdOrCtrl+N'),
      item('Open folder…', 'open-project', 'CmdOrCtrl+O'),
      separator,
      ...(isMac ? [{ role: 'close' as const }] : [settings, separator, { role: 'quit' as const }])
    ]
  }
  const edit: MenuItemConstructorOptions = {
    label: 'Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'selectAll' },
      separator,
      item('Find', 'find', 'CmdOrCtrl+F'),
      item('Search everywhere', 'search-everywhere', 'CmdOrCtrl+Shift+F')
    ]
  }
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      item('Command palette', 'open-palette', 'CmdOrCtrl+K'),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      separator,
      { role: 'reload' },
      { role: 'toggleDevTools' }
    ]
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([...(isMac ? [appMenu] : []), file, edit, view, { role: 'windowMenu' }])
  )
}
