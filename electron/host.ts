// Owns what the app asks of the desktop: dialogs, links, the file manager, the trash, a
// notification. createApp takes these as plain functions, so src-main knows no Electron.
import { type BrowserWindow, dialog, Notification, shell } from 'electron'
import { openExternalUrl } from './security'

type CurrentWindow = () => BrowserWindow | null

/** Held while they are on screen: one that is collected hears no click. */
const shownNotifications = new Set<Notification>()

/** Asks for a folder; null when the person cancelled. */
export async function pickFolder(currentWindow: CurrentWindow): Promise<string | null> {
  const options = { title: 'Open a folder', properties: ['openDirectory', 'createDirectory'] as const }
  const window = currentWindow()
  const properties = { ...options, properties: [...options.properties] }
  const chosen = await (window ? dialog.showOpenDialog(window, properties) : dialog.showOpenDialog(properties))
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null)
}

/** Asks where to save a file; null when the person cancelled. */
export async function pickSaveFile(currentWindow: CurrentWindow, suggestedName: string): Promise<string | null> {
  const options = { title: 'Save as', defaultPath: suggestedName }
  const window = currentWindow()
  const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options))
  return chosen.canceled ? null : (chosen.filePath ?? null)
}

/** Opens a link outside; false when its scheme is not one of the safe ones. */
export function openExternal(url: string): Promise<boolean> {
  return openExternalUrl(url)
}

/** Shows a file in the system's file manager; it is not opened, so nothing can be run this way. */
export function revealFile(path: string): void {
  shell.showItemInFolder(path)
}

/** Moves a file or folder to the system's trash; rejects where there is none. */
export function moveToTrash(path: string): Promise<void> {
  return shell.trashItem(path)
}

/** Shows a notification while the window is not in front; a click brings it there. */
export function notify(currentWindow: CurrentWindow, title: string, body: string, onClick: () => void): void {
  if (currentWindow()?.isFocused() === true || !Notification.isSupported()) return
  const notification = new Notification({ title, body })
  shownNotifications.add(notification)
  notification.on('close', () => shownNotifications.delete(notification))
  notification.on('click', () => {
    currentWindow()?.show()
    onClick()
  })
  notification.show()
}
