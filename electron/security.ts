// Owns how the shell's security decisions are applied to every page: no navigation, no new
// windows, no webviews, no permissions. What is allowed is decided in security-rules.ts.
import { app, type Session, shell, type WebContents } from 'electron'
import { isExternalUrl, isGrantedPermission, isOwnUrl } from './security-rules'

/** Hands a link to the operating system if its scheme is safe; false when it was refused. */
export async function openExternalUrl(url: string): Promise<boolean> {
  if (!isExternalUrl(url)) return false
  await shell.openExternal(url)
  return true
}

function hardenSession(session: Session, ownPage: string): void {
  session.setPermissionRequestHandler((contents, permission, callback) =>
    callback(isGrantedPermission(permission, contents.getURL(), ownPage))
  )
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isGrantedPermission(permission, requestingOrigin, ownPage)
  )
  session.setDevicePermissionHandler(() => false)
  // Spell-check dictionaries would be fetched from a vendor's server.
  session.setSpellCheckerEnabled(false)
}

function hardenContents(contents: WebContents, ownPage: string): void {
  const keepHere = (event: { preventDefault(): void }, url: string): void => {
    if (isOwnUrl(url, ownPage)) return
    event.preventDefault()
    void openExternalUrl(url)
  }
  contents.on('will-navigate', keepHere)
  contents.on('will-redirect', keepHere)
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    void openExternalUrl(url)
    return { action: 'deny' }
  })
  hardenSession(contents.session, ownPage)
}

/** Applies the rules to every page from its creation on. Call before the first window. */
export function hardenAllPages(ownPage: string): void {
  app.on('web-contents-created', (_event, contents) => hardenContents(contents, ownPage))
}
