// Owns `app://tidemark/…`, the only origin of the page: it serves the built renderer from disk with
// the security headers. A privileged scheme instead of `file:` keeps the page from reading files.
import { extname } from 'node:path'
import { protocol } from 'electron'
import { APP_SCHEME, contentSecurityPolicy, rendererFileOf } from './security-rules'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm'
}

/** Tells Chromium about the scheme. Must run before the app is ready. */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }])
}

/** Chromium's number for a file that is not there; what must not be read is told the same. */
const NOT_FOUND = -6

/**
 * Serves the renderer from `folder`; `onScript` hears each time a script was handed out. Call when the app is
 * ready, before the first window. Chromium reads the files itself: through `protocol.handle` every byte would
 * pass this thread, which has the app to load meanwhile.
 */
export function serveRenderer(folder: string, onScript: () => void): void {
  protocol.registerFileProtocol(APP_SCHEME, ({ url }, respond) => {
    const path = rendererFileOf(url, folder)
    if (path === null) return respond({ error: NOT_FOUND })
    respond({ path, headers: headersOf(path) })
    if (path.endsWith('.js')) onScript()
  })
}

function headersOf(path: string): Record<string, string> {
  return {
    'content-type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    'content-security-policy': contentSecurityPolicy(),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache'
  }
}
